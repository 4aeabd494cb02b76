import { createHash } from 'node:crypto'
import * as z from 'zod'
import { textUpTo } from '../world/fields.ts'
import { KYB_PURPOSES, SOURCES_OF_FUNDS, submitKyb } from '../world/kyb.ts'
import { LENGTHS } from '../world/settings/constants.ts'
import { requireApiKey } from './auth.ts'
import { DateText } from './contract.ts'
import { operation, succeeded } from './unversioned.ts'

/** Longest submission, in bytes. */
const KYB_MAX = 20 * 1024 * 1024
const DOCUMENTS_MAX = 100
/** Most values of a submission, which has about 600 with a hundred documents. */
const KYB_VALUES_MAX = 10_000

const short = (about: string) => textUpTo(LENGTHS.profile).describe(about)
const text = (about: string) => textUpTo(LENGTHS.kyb).describe(about)
const flag = (about: string) => z.boolean().describe(about)
const email = (description: string) =>
  textUpTo(LENGTHS.email).meta({ maxLength: LENGTHS.email.max, format: 'email', description })

const OF_OWNERS =
  'of everyone who owns a quarter or more, in one string; not empty if `is_quarter_owner`'
const ofOwners = (what: string) => text(`${what} ${OF_OWNERS}.`)

const SubmitKyb = () =>
  z.object({
    authorized_user_data: z
      .object({
        address1: short('Street address.'),
        city: short('City.'),
        firstName: short('Given name.'),
        lastName: short('Family name.'),
        occupation: short('What the user does for a living.'),
        postal: short('Postal code, of any country.'),
        province: short('Province, or its equivalent in another country.'),
        dob: DateText().describe('Date of birth, `YYYY-MM-DD`.'),
      })
      .describe('The person who acts for the business.'),
    business_nature: text('What the business does.'),
    corporate_phone: short('Phone number of the business, of any country.'),
    corporation_address: z
      .object({
        address1: short('Street address.'),
        city: short('City.'),
        postal: short('Postal code, of any country.'),
        province: short('Province, or its equivalent in another country.'),
      })
      .describe('Address of the business.'),
    corporation_base64_url: z
      .array(
        z.object({
          name: text('File name.'),
          type: z.string().describe('Media type of the file.'),
          url: z.string().describe('The file as a base64 data URI.'),
        }),
      )
      .min(1)
      .max(DOCUMENTS_MAX)
      .describe('Documents of the business, up to 100.'),
    corporation_email: email('E-mail address of the business.'),
    corporation_name: text('Registered name.'),
    corporation_number: z.string().meta({
      pattern: '^\\d+$',
      maxLength: LENGTHS.corporation_number.max,
      description: 'Registration number, digits only.',
    }),
    date_of_incorp: DateText().describe(
      'Date of incorporation, `YYYY-MM-DD`, not after the world’s date.',
    ),
    // The contract's table says array; one of its samples shows a single text.
    incorpCertData: z
      .preprocess(
        (sent) => (typeof sent === 'string' ? [sent] : sent),
        z.array(z.string()).min(1).max(DOCUMENTS_MAX),
      )
      .meta({
        description:
          'Certificates of incorporation as base64 data URIs: an array of up to 100, or one string.',
        wire: {
          anyOf: [
            { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: DOCUMENTS_MAX },
            { type: 'string' },
          ],
        },
      }),
    is_pep: flag('Whether a politically exposed person is involved.'),
    is_quarter_owner: flag('Whether anyone owns a quarter or more of the business.'),
    list_of_directors: z
      .object({
        directorEmails: text('E-mail addresses of the directors, in one string.'),
        directorNames: text('Names of the directors, in one string.'),
        directorOccupations: text('Occupations of the directors, in one string.'),
        directorsDOB: text('Dates of birth of the directors, `YYYY-MM-DD`, in one string.'),
      })
      .describe('The directors. Each field holds the values of all directors in one string.'),
    list_of_quarter_owners: z
      .object({
        quarterOwners: ofOwners('Names'),
        quarterOwnersDOB: ofOwners('Dates of birth, `YYYY-MM-DD`,'),
        quarterOwnersEmail: ofOwners('E-mail addresses'),
        quarterOwnersOccupation: ofOwners('Occupations'),
      })
      .describe(
        'The owners of a quarter or more. Each field holds the values of all owners in one string.',
      ),
    msb_reg: flag('Whether the business is registered as a money services business.'),
    paytrie_email: email('E-mail address of the business’s account with the service.'),
    purpose: z.enum(KYB_PURPOSES).describe('What the business wants the service for.'),
    source_of_funds: z
      .enum(SOURCES_OF_FUNDS)
      .describe('Where the money of the business comes from.'),
    tpd: flag('Whether the business acts on behalf of a third party (third-party determination).'),
  })

export const kyb = [
  operation('POST', '/submitKYB', {
    id: 'submitKyb',
    summary: 'Submit a business for verification',
    about:
      'Submits a business and its documents for verification. The content of the documents is not checked. No user is created and no event is sent. `GET /_sandbox/kyb-submissions` lists what was submitted.',
    success: 'The submission was received.',
    adds: true,
    auth: requireApiKey,
    body: SubmitKyb,
    bodyMax: KYB_MAX,
    valuesMax: KYB_VALUES_MAX,
    response: () => succeeded('KYB submitted'),
    handle({ world, who, input }) {
      submitKyb(world, who.integrator, { request: input.body, digest })
      return { message: 'KYB submitted', status: 'success' } as const
    },
  }),
]

function digest(base64: string): string {
  return createHash('sha256').update(base64, 'base64').digest('hex')
}

import { createHash } from 'node:crypto'
import * as z from 'zod'
import { DomainError } from '../world/domain-error.ts'
import { KYB_PURPOSES, SOURCES_OF_FUNDS, submitKyb } from '../world/kyb.ts'
import type { Settings } from '../world/settings/index.ts'
import { requireApiKey } from './auth.ts'
import { DateText } from './contract.ts'
import { operation, succeeded } from './unversioned.ts'

const MEBIBYTE = 1024 * 1024
const DOCUMENTS_MAX = 100

/** An object whose fields are all texts, and all required. */
const texts = <Field extends string>(...fields: Field[]) =>
  z.object(
    Object.fromEntries(fields.map((field) => [field, z.string()])) as Record<Field, z.ZodString>,
  )

const email = () => z.string().meta({ format: 'email' })

const SubmitKyb = () =>
  z.object({
    authorized_user_data: texts(
      'address1',
      'city',
      'firstName',
      'lastName',
      'occupation',
      'postal',
      'province',
    ).extend({ dob: DateText() }),
    business_nature: z.string(),
    corporate_phone: z.string(),
    corporation_address: texts('address1', 'city', 'postal', 'province'),
    corporation_base64_url: z
      .array(texts('name', 'type', 'url'))
      .min(1)
      .max(DOCUMENTS_MAX),
    corporation_email: email(),
    corporation_name: z.string(),
    corporation_number: z.string().meta({ pattern: '^\\d+$' }),
    date_of_incorp: DateText(),
    // The contract's table says an array, one of its samples shows a single text.
    incorpCertData: z
      .preprocess(
        (sent) => (typeof sent === 'string' ? [sent] : sent),
        z.array(z.string()).min(1).max(DOCUMENTS_MAX),
      )
      .meta({
        wire(settings: Settings) {
          const items = { type: 'string' }
          const array = { type: 'array', items, minItems: 1, maxItems: DOCUMENTS_MAX }
          return settings['kyb.certificates'] === 'array' ? array : { anyOf: [array, items] }
        },
      }),
    is_pep: z.boolean(),
    is_quarter_owner: z.boolean(),
    list_of_directors: texts(
      'directorEmails',
      'directorNames',
      'directorOccupations',
      'directorsDOB',
    ),
    list_of_quarter_owners: texts(
      'quarterOwners',
      'quarterOwnersDOB',
      'quarterOwnersEmail',
      'quarterOwnersOccupation',
    ),
    msb_reg: z.boolean(),
    paytrie_email: email(),
    purpose: z.enum(KYB_PURPOSES),
    source_of_funds: z.enum(SOURCES_OF_FUNDS),
    tpd: z.boolean(),
  })

/** Corporate verification has a path without a version, and no sunset. */
export const kyb = [
  operation('POST', '/submitKYB', {
    id: 'submitKyb',
    summary: 'Submit a business for verification',
    about:
      'Submits a business for verification with its documents, which are checked for their form and not for their content. No user and no event is involved. In this sandbox `GET /_sandbox/kyb-submissions` lists what was submitted.',
    success: 'The submission was received.',
    adds: true,
    ref: 'Endpoints: Corporate verification',
    auth: requireApiKey,
    body: SubmitKyb,
    bodyMax: 20 * MEBIBYTE,
    answer: () => z.strictObject(succeeded('KYB submitted')),
    async handle({ c, world, who, input }) {
      if (world.settings['kyb.certificates'] === 'array') assertArray(await c.req.json())
      submitKyb(world, who.integrator, { request: input.body, digest })
      return { message: 'KYB submitted', status: 'success' } as const
    },
  }),
]

/** The schema takes a single text as a list of one, so the body is checked again. */
function assertArray(sent: { incorpCertData?: unknown }): void {
  if (typeof sent.incorpCertData !== 'string') return
  throw new DomainError('invalid', 'incorpCertData must be an array of strings.', {
    field: 'incorpCertData',
  })
}

function digest(base64: string): string {
  return createHash('sha256').update(base64, 'base64').digest('hex')
}

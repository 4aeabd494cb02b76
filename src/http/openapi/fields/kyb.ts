import type { FieldNotes } from '../notes.ts'

const PDF = 'data:application/pdf;base64,JVBERi0xLjcKJSVFT0YK'
const OWNERS =
  'of everyone who owns a quarter or more, in one text; not empty if `is_quarter_owner`.'
const POSTAL = 'Postal code, of any country.'
const PROVINCE = 'Province, or what another country has.'

/** Corporate verification, and the names that it shares with users of v1. */
export const kybFields: FieldNotes = {
  address1: ['Street address.', '100 Example Street'],
  postal: ['Canadian postal code.', 'M5V 3L9'],
  'authorized_user_data.postal, corporation_address.postal': [POSTAL, 'M5V 3L9'],
  'authorized_user_data.province, corporation_address.province': [PROVINCE, 'ON'],
  authorized_user_data: ['The person who acts for the business.'],
  business_nature: ['What the business does.', 'Software'],
  corporate_phone: ['Phone number of the business, of any country.', '4165550100'],
  corporation_address: ['Address of the business.'],
  corporation_base64_url: ['Documents of the business, up to 100.'],
  'corporation_base64_url.name': ['File name.', 'articles.pdf'],
  'corporation_base64_url.type': ['Media type of the file.', 'application/pdf'],
  'corporation_base64_url.url': ['The file as a base64 data URI.', PDF],
  corporation_email: ['E-mail address of the business.', 'office@example.com'],
  corporation_name: ['Registered name.', 'Example Inc.'],
  corporation_number: ['Registration number, digits only.', '1234567'],
  date_of_incorp: [
    'Date of incorporation, `YYYY-MM-DD`, not after the date of the world.',
    '2020-02-29',
  ],
  incorpCertData: [
    'Certificates of incorporation as base64 data URIs, up to 100, or one text.',
    [PDF],
  ],
  is_pep: ['Whether a politically exposed person is involved.', false],
  is_quarter_owner: ['Whether anyone owns a quarter or more of the business.', false],
  list_of_directors: ['The directors; each text holds the entries of all of them.'],
  directorEmails: ['E-mail addresses of the directors, in one text.', 'alice@example.com'],
  directorNames: ['Names of the directors, in one text.', 'Alice Tremblay'],
  directorOccupations: ['Occupations of the directors, in one text.', 'Director'],
  directorsDOB: ['Dates of birth of the directors, `YYYY-MM-DD`, in one text.', '1980-02-29'],
  list_of_quarter_owners: ['The owners of a quarter or more; each text holds all their entries.'],
  quarterOwners: [`Names ${OWNERS}`, 'Bob Roy'],
  quarterOwnersDOB: [`Dates of birth, \`YYYY-MM-DD\`, ${OWNERS}`, '1975-06-15'],
  quarterOwnersEmail: [`E-mail addresses ${OWNERS}`, 'bob@example.com'],
  quarterOwnersOccupation: [`Occupations ${OWNERS}`, 'Investor'],
  msb_reg: ['Whether the business is registered as a money services business.', false],
  paytrie_email: ["Address of the business's account with the service.", 'account@example.com'],
  'submitKyb.purpose': ['What the business wants the service for.', 'payroll'],
  source_of_funds: ['Where the money of the business comes from.', 'business_revenue'],
  'submitKyb.tpd': [
    'Whether somebody else decides for the business (third-party determination).',
    false,
  ],
  'PlainFailure.message': ['Everything that is wrong, in sentences.', 'email is required.'],
  'PlainFailure.status': ['`error`, or what could not be done.', 'error'],
}

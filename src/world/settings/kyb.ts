import { choice } from './setting.ts'

const ref = 'Endpoints: Corporate verification'

export const KYB = {
  'kyb.quarterOwners': choice(['may-be-empty', 'required'], {
    on: ['submitKyb'],
    ref,
    question: 'May the texts in `list_of_quarter_owners` be empty?',
    why: 'Not every business has one; with `is_quarter_owner: true` they may not be empty.',
    strict: 'required',
  }),
  'kyb.certificates': choice(['either', 'array'], {
    on: ['submitKyb'],
    ref,
    question: 'Which forms of `incorpCertData` are accepted?',
    why: 'The table says an array of texts, a sample shows one text.',
    strict: 'array',
  }),
}

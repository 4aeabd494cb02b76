import { choice } from './setting.ts'

const ref = 'Endpoints: Corporate verification'

export const KYB = {
  'kyb.status': choice(['200', '201'], {
    ref,
    question: 'Which status code does a submission have?',
    why: 'Every status that the contract shows for a success with a body is 200.',
  }),
  'kyb.resubmission': choice(['accept', 'conflict'], {
    ref,
    question: 'May a corporation be submitted again?',
    why: 'Nothing forbids a correction; `conflict` is 409 on `corporation_number`.',
  }),
  'kyb.quarterOwners': choice(['may-be-empty', 'required'], {
    ref,
    question: 'May the texts in `list_of_quarter_owners` be empty?',
    why: 'Not every business has one; with `is_quarter_owner: true` they may not be empty.',
    strict: 'required',
  }),
  'kyb.certificates': choice(['either', 'array'], {
    ref,
    question: 'Which forms of `incorpCertData` are accepted?',
    why: 'The table says an array of texts, a sample shows one text.',
    strict: 'array',
  }),
  'kyb.accountEmail': choice(['any', 'registered'], {
    ref,
    question: 'Whose address is `paytrie_email`?',
    why: 'Any e-mail address; `registered` requires that of a user whom the integrator can find.',
    strict: 'registered',
  }),
}

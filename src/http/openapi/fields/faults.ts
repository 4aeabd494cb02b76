import type { FieldNotes } from '../notes.ts'

/** Faults, what a catch answers, and problems of the control API. */
export const faultFields: FieldNotes = {
  'Fault.id, deleteFault.id': ['Id of the fault.', 'fault_1'],
  on: ['What goes wrong: a contract call, or a delivery.'],
  match: ['Which ones; what is not named fits any.'],
  'Fault.match': ['Which ones; what is not named fits any.', { operation: 'createTransaction' }],
  'createFault.then': ['What goes wrong.'],
  'Fault.then': ['What goes wrong.', { status: 503 }],
  times: ['How many of those that match it applies to.', 2],
  skip: ['How many of those that match pass first.', 0],
  seen: ['', 3],
  hits: ['', 2],
  'clearFaults.deleted': ['How many faults there were.', 1],
  'deleteFault.deleted': ['Always 1.', 1],
  'match.operation': ['', 'createTransaction'],
  'match.method': ['HTTP method, in upper or lower case.', 'POST'],
  'match.path': ['', '/v2/transactions*'],
  'match.hook': ['Which legacy webhook.', 'transactionComplete'],
  'then.delay': ['', '2s'],
  'then.status': ['', 503],
  error: ['The error in the body of the answer.'],
  'error.field': ['Its field.', 'server'],
  'error.message': ['Its message.', 'Try again later.'],
  'then.headers, setCatchAnswer.headers': ['Headers of the answer.', { 'retry-after': '30' }],
  'then.duplicate': ['It is sent twice.'],
  'then.signature': ['It has a wrong signature.'],
  'then.timestamp': ['It was signed too long ago: more than 300 seconds.'],
  'then.envelopeId': ['', 'eventId'],
  // What a catch answers
  'setCatchAnswer.status': ['Status code of the answer.', 500],
  'setCatchAnswer.body': [
    'The body of the answer: a text as it is, anything else as JSON.',
    'Try again later.',
  ],
  'setCatchAnswer.times': [
    'How often to answer this before it is 200 again; without end by default.',
    1,
  ],
  // Problems
  'Problem.type': ['The type of RFC 9457; `code` says more.'],
  'Problem.title': ['What is wrong, in a sentence.', 'There is no user bob@example.com.'],
  'Problem.status': ['Status code of the answer.', 404],
  'Problem.detail': [
    'What would work, where the sandbox knows; else as `title`.',
    'Take another name.',
  ],
  'Problem.errors': ['Everything that is wrong, by field.'],
  'Problem.from': ['Of an illegal transition: the status that it has.', 'complete'],
  'Problem.allowed': [
    'Of an illegal transition: the statuses that it may have next.',
    ['cancelled'],
  ],
}

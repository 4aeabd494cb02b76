import type { FieldNotes } from '../notes.ts'

const EVENT_ID = 'evt_6b36166ac463c6b5f1cc5d0a80f14a7e'
const SECRET = 'whsec_aa1bb96ceef8f2bfc02b24f1244ce66680727d563de94c6a'

/** The envelopes of answers and events, and the webhook configuration. */
export const webhookFields: FieldNotes = {
  'Failure.success': ['False for every error.'],
  'Failure.errors': ['Everything that is wrong.'],
  'errors.field': ['The field, header or parameter that is wrong.', 'email'],
  'errors.message': ['What is wrong with it; the wording can change.', 'email is required.'],
  message: ['What was done.'],
  'sendLoginCode.message': ['What was done.', 'Login code sent to user'],
  'onUserUpdate.id, onTransactionUpdate.id': [
    'Id of the event; the same event never comes under two.',
    EVENT_ID,
  ],
  'onUserUpdate.type, onTransactionUpdate.type': ['What happened.'],
  eventId: ['Id of the event.', EVENT_ID],
  apiVersion: ['Version of the envelope.'],
  occurredAt: ['When it happened: world time, ISO 8601.', '2026-07-01T12:00:00.000Z'],
  payload: ['What the event is about.'],
  'WebhookConfiguration.url, PutWebhookConfiguration.url': [
    'Where every event of v2 is sent.',
    'https://example.com/hooks',
  ],
  'putWebhookConfiguration.url': [
    'Where every event of v2 is sent: https, or http to loopback and allowed hosts.',
    'https://example.com/hooks',
  ],
  createdAt: ['When it was created: world time, ISO 8601.', '2026-07-01T12:00:00.000Z'],
  updatedAt: ['When it was last replaced: world time, ISO 8601.', '2026-07-01T12:00:00.000Z'],
  signingSecret: ['Key of the webhook signatures, the whole text. It is shown only once.', SECRET],
  deliveredStatusCode: ['Status that the receiver answered; 0 when there was no answer.', 200],
  deliveredStatusText: [
    'Status text that the receiver answered, or why there was no answer.',
    'OK',
  ],
}

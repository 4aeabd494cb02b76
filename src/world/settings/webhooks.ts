import { choice, duration, EVENTS, text } from './setting.ts'

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9]{0,63}$/

export const WEBHOOKS = {
  'webhooks.test': choice(['user.update', 'transaction.update'], {
    on: ['testWebhookConfiguration'],
    ref: 'Events: last line of transaction.update payload',
    question: 'Which synthetic event does the test operation send?',
    why: 'Any handler must accept both; a receiver that cannot be reached has status code 0 and the reason.',
  }),
  'webhooks.url': choice(['loopback-http', 'https-only'], {
    on: ['putWebhookConfiguration'],
    ref: 'Resources: Webhook configuration, url',
    question: 'Which webhook URLs are accepted?',
    why: 'Differs from the contract, which says HTTPS, because tests receive on this machine: http to loopback and to named hosts is accepted too. The catch URLs of the sandbox itself always are.',
    strict: 'https-only',
  }),
  'webhooks.timeout': duration('10s', {
    on: [...EVENTS, 'testWebhookConfiguration'],
    ref: 'Events: Delivery',
    question: 'How long does a delivery wait for its answer, by the wall clock?',
    why: 'Not shown; ten seconds is common.',
  }),
  'webhooks.time': choice(['wall', 'world'], {
    on: EVENTS,
    ref: 'Events: Signature',
    question: 'Which clock does the timestamp of a signature follow?',
    why: 'Receivers compare it with real time; `world` is for receivers whose own clock is mocked.',
  }),
  'webhooks.withoutSecret': choice(['unsigned', 'suppressed'], {
    on: ['v1PatchWebhooks'],
    ref: 'Events: Legacy v1 webhooks',
    question: 'What happens to a legacy webhook before there is any signing secret?',
    why: 'Differs from the contract, by which they carry the signature headers, because nothing could sign them yet; `suppressed` sends nothing.',
    strict: 'suppressed',
  }),
  'names.headerPrefix': text(
    'X-Service',
    /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
    'a header prefix of at most 64 letters, digits and hyphens',
    {
      on: EVENTS,
      ref: 'Events: Signature',
      question: 'What do the signature headers start with?',
      why: 'The contract has a neutral word instead of the name of the service.',
    },
  ),
  'names.securityAnswerField': text(
    'etransferSecurityAnswer',
    IDENTIFIER,
    'a field name of at most 64 letters and digits',
    {
      on: ['onTransactionUpdate'],
      ref: 'Events: transaction.update payload',
      question: 'What is the e-transfer security answer called?',
      why: 'The contract has a neutral word instead of the name of the network.',
    },
  ),
  'names.envelopeId': choice(['id', 'eventId', 'both'], {
    on: ['onUserUpdate', 'onTransactionUpdate'],
    notV1: true,
    ref: 'Events: Envelope',
    question: 'What is the id of an event called?',
    why: '`id` is in the table, one sample says `eventId`.',
  }),
}

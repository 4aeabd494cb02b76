/** Mutations that make a webhook false: its receiver must reject it. */
const FALSE = ['body', 'signature', 'timestamp', 'timestamp-ahead'] as const
/** Mutations that leave the event as it is, and sign it as it is sent. */
const SAME_EVENT = ['wording', 'chunked', 'charset', 'field', 'eventId'] as const
/** Mutations that sign and send another event, which no document mentions. */
const OTHER_EVENT = ['unknown-status', 'unknown-type'] as const

/** Changes that `webhook resend`, a fault of webhooks and `explore` can make to a webhook. */
export const MUTATIONS = [...FALSE, ...SAME_EVENT, ...OTHER_EVENT] as const
export type Mutation = (typeof MUTATIONS)[number]

/** Secret for signatures that are meant to be wrong. */
export const WRONG_SECRET = 'whsec_of_somebody_else'

/** One second more than a receiver should tolerate. */
export const STALE_SECONDS = 301

interface MutationWords {
  /** Follows "a webhook with". */
  readonly name: string
  /** Description for the `reason` of a delivery. */
  readonly done: string
  /** For the author of a receiver that rejects it although it is genuine. */
  readonly hint: string
}

const UNCHECKED =
  'Check the signature and the timestamp before anything else, and respond with 401 if either is wrong.'

export const MUTATION_WORDS: Readonly<Record<Mutation, MutationWords>> = {
  body: {
    name: 'a changed body',
    done: 'sent with a body that was changed after signing',
    hint: UNCHECKED,
  },
  signature: {
    name: 'a wrong signature',
    done: 'signed with another secret',
    hint: UNCHECKED,
  },
  timestamp: {
    name: 'an old timestamp',
    done: `signed with a timestamp ${STALE_SECONDS} seconds old`,
    hint: UNCHECKED,
  },
  'timestamp-ahead': {
    name: 'a timestamp in the future',
    done: 'signed with a timestamp an hour ahead',
    hint: UNCHECKED,
  },
  wording: {
    name: 'different spacing and escapes in its JSON',
    done: 'written compactly, with \\u0040 for @',
    hint: 'Verify the bytes as received, before anything parses them.',
  },
  chunked: {
    name: 'a chunked body',
    done: 'sent in chunks, without Content-Length',
    hint: 'Read the body to its end: Transfer-Encoding: chunked replaces Content-Length.',
  },
  charset: {
    name: 'a charset in its Content-Type',
    done: 'sent as application/json; charset=utf-8',
    hint: 'Accept application/json with parameters.',
  },
  field: {
    name: 'an additional field',
    done: 'sent with an additional field',
    hint: 'Ignore fields that you do not know.',
  },
  eventId: {
    name: 'eventId instead of id',
    done: 'sent with eventId instead of id',
    hint: 'Accept the id of an event under either name, as the contract asks.',
  },
  'unknown-status': {
    name: 'an unknown status',
    done: 'sent as another event, with an unknown status',
    hint: 'Acknowledge a status that you do not know.',
  },
  'unknown-type': {
    name: 'an unknown type',
    done: 'sent as another event, of an unknown type',
    hint: 'Acknowledge events of a type that you do not know.',
  },
}

/** Returns true for a mutation after which a receiver must reject the webhook. */
export const isFalse = (mutation: Mutation | null): boolean =>
  (FALSE as readonly (string | null)[]).includes(mutation)

/** Returns true if the receiver gets the event that happened, whatever its form. */
export const keepsEvent = (mutation: Mutation | null): boolean =>
  mutation === null || (SAME_EVENT as readonly string[]).includes(mutation)

/** Returns true if webhooks of this version have what the mutation changes: v1 has no envelope. */
export const canMutate = (mutation: Mutation, generation: string | null): boolean =>
  generation !== 'v1' || (mutation !== 'eventId' && mutation !== 'unknown-type')

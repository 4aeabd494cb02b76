import type { JsonSchema } from '../../control-api/schema.ts'
import type { OperationDescription } from '../operation-description.ts'

interface Heading {
  about: string
  /** Beginnings of the paths of control operations. */
  prefixes?: readonly string[]
}

const TAGS: Readonly<Record<string, Heading>> = {
  Login: {
    about: 'Passwordless login: a code by e-mail, exchanged for an access token.',
  },
  Users: {
    about: 'Users, their profiles, outstanding requirements and identity verification.',
  },
  'Quotes and limits': {
    about: 'What an exchange costs, and how much one transaction may be worth.',
  },
  Transactions: {
    about: 'Buys and sells at the rate of a quote.',
  },
  'Webhook configuration': {
    about: 'Where v2 events are sent, and the secret that signs them.',
  },
  'Corporate verification': {
    about: 'Business customers (KYB).',
  },
  'Legacy v1': {
    about: 'The deprecated version, until its sunset; every operation names its successor.',
  },
  Simulate: {
    about: 'What the outside world does: reviewers, banks, blockchains.',
    prefixes: ['/_sandbox/simulate/'],
  },
  Clock: {
    about: 'World time, which follows the wall clock, or moves only when a call moves it.',
    prefixes: ['/_sandbox/clock'],
  },
  State: {
    about: 'The whole world: reset, snapshots, export and import.',
    prefixes: ['/_sandbox/snapshots', '/_sandbox/state', '/_sandbox/reset'],
  },
  Records: {
    about: 'Everything in the world, in full, and the journal of API calls.',
    prefixes: [
      '/_sandbox/users',
      '/_sandbox/transactions',
      '/_sandbox/kyb-submissions',
      '/_sandbox/requests',
      '/_sandbox/actions',
    ],
  },
  'Events and messages': {
    about: 'Events, and messages sent to users.',
    prefixes: ['/_sandbox/inbox', '/_sandbox/events'],
  },
  Webhooks: {
    about: 'Webhooks to integrators, their results, and URLs that can receive them.',
    prefixes: ['/_sandbox/webhooks', '/_sandbox/catch'],
  },
  Settings: {
    about: 'Rates, and settings for what the contract leaves open.',
    prefixes: ['/_sandbox/rates', '/_sandbox/settings'],
  },
  Faults: {
    about: 'Calls and deliveries that go wrong on purpose.',
    prefixes: ['/_sandbox/faults'],
  },
  Worlds: {
    about: 'Isolated copies of the service in one process.',
    prefixes: ['/_sandbox/worlds'],
  },
  Scenarios: {
    about: 'Scripts of whole flows that come with the sandbox.',
    prefixes: ['/_sandbox/scenarios'],
  },
  Coverage: {
    about: 'What your tests have exercised.',
    prefixes: ['/_sandbox/coverage'],
  },
  'Coding agents': {
    about: 'For coding agents.',
    prefixes: ['/_sandbox/mcp', '/llms.txt'],
  },
  'Hosted pages': {
    about: 'What the pages for users do: identity check, bank and sign-in.',
    prefixes: ['/_sandbox/kyc/', '/_sandbox/bank/', '/_sandbox/sign-in'],
  },
  Sandbox: {
    about: 'Health of the sandbox, information about it, and these documents.',
  },
}

export function tagOf({ path, contract }: OperationDescription): string {
  if (contract) return contract.area
  const found = Object.entries(TAGS).find(([, { prefixes = [] }]) =>
    prefixes.some((prefix) => path.startsWith(prefix)),
  )
  return found?.[0] ?? 'Sandbox'
}

/** The tags of a document, in the order of their first operation. */
export function tagsOf(items: JsonSchema): { name: string; description?: string }[] {
  const operations = Object.values(items).flatMap((item) => Object.values(item as JsonSchema))
  const names = operations.flatMap((operation) => (operation as { tags: string[] }).tags)
  return [...new Set(names)].map((name) => ({ name, description: TAGS[name]?.about ?? '' }))
}

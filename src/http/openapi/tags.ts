import type { JsonSchema } from '../../levers/schema.ts'
import type { OperationDescription } from '../operation-description.ts'

/** Headings with a description and the path prefixes below them. */
const TAGS: Readonly<Record<string, readonly [about: string, prefixes?: string]>> = {
  Login: ['Passwordless login: a code by e-mail, exchanged for an access token.', '/auth/'],
  Users: ['Users, their profile, what onboarding lacks and their identity verification.', '/users'],
  'Quotes and limits': [
    'What an exchange costs, and how much one transaction may be worth.',
    '/quotes /limits',
  ],
  Transactions: ['Buys and sells at the rate of a quote.', '/transactions'],
  'Webhook configuration': [
    'Where the events of v2 are sent, and the secret that signs them.',
    '/webhook-configurations',
  ],
  'Corporate verification': ['Business customers (KYB).', '/submitKYB'],
  'Legacy v1': ['The deprecated version, until its sunset; every operation names its successor.'],
  Simulate: ['What the outside world does: reviewers, banks, blockchains.', '/_sandbox/simulate/'],
  Clock: ['World time, which follows the wall clock or moves only by a call.', '/_sandbox/clock'],
  State: [
    'The whole world: reset, snapshots, export and import.',
    '/_sandbox/snapshots /_sandbox/state /_sandbox/reset',
  ],
  Records: [
    'Everything that the world holds, in full, and the journal of contract calls.',
    '/_sandbox/users /_sandbox/transactions /_sandbox/kyb-submissions /_sandbox/requests /_sandbox/actions',
  ],
  'Events and messages': [
    'What happened, and what users were sent.',
    '/_sandbox/inbox /_sandbox/events',
  ],
  Webhooks: [
    'What is posted to integrators, how that went, and URLs to receive it.',
    '/_sandbox/webhooks /_sandbox/catch',
  ],
  Chain: [
    'The development chain behind the coins, where there is one (`--chain`).',
    '/_sandbox/chain',
  ],
  Settings: [
    'Rates, and what the contract leaves open.',
    '/_sandbox/rates /_sandbox/settings /_sandbox/assumptions',
  ],
  Faults: ['Calls and deliveries that go wrong on purpose.', '/_sandbox/faults'],
  Worlds: ['Isolated copies of the service in one process.', '/_sandbox/worlds'],
  Scenarios: ['Scripts of whole flows that come with the sandbox.', '/_sandbox/scenarios'],
  'Coding agents': [
    'For programs that choose their calls by themselves.',
    '/_sandbox/mcp /llms.txt',
  ],
  'Hosted pages': [
    'What the pages for users do: identity check, bank and sign-in.',
    '/_sandbox/kyc/ /_sandbox/bank/ /_sandbox/sign-in',
  ],
  Sandbox: ['Whether the sandbox responds, what it is, and these documents.'],
}

export function tagOf({ path, dialect }: OperationDescription): string {
  const bare = path.replace(/^\/v\d+(?=\/)/, '')
  const found = Object.entries(TAGS).find(([, [, prefixes = '']]) =>
    prefixes.split(' ').some((prefix) => prefix !== '' && bare.startsWith(prefix)),
  )
  return dialect.describe.tag ?? found?.[0] ?? 'Sandbox'
}

/** The tags of a document, in the order of their first operation. */
export function tagsOf(items: JsonSchema): { name: string; description?: string }[] {
  const operations = Object.values(items).flatMap((item) => Object.values(item as JsonSchema))
  const names = operations.flatMap((operation) => (operation as { tags: string[] }).tags)
  return [...new Set(names)].map((name) => ({ name, description: TAGS[name]?.[0] ?? '' }))
}

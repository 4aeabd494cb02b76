import type { JsonSchema } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'

export const CONTRACT_ABOUT = {
  title: 'Stablecoin Ramp Platform API, as ramp-sandbox emulates it',
  description: `The provider's API: v2, the legacy v1 beside it, and corporate verification. It is made from the
schemas that the sandbox itself validates with, under the settings of this world.

In a body, null for an optional field means that it was left out.

Where the contract leaves a gap, \`x-assumptions\` names it, with its value in this world; \`PATCH
/_sandbox/settings\` changes that, and this document with it.

Not described, because they belong to no operation: 404 for a path that does not exist (its header
\`x-sandbox-hint\` says \`not emulated\`), 405 with \`Allow\` for another method, what an injected fault
answers, and 507 where a data file cannot be written or memory is used up. Why a call was rejected
can be read at \`/_sandbox/requests/{id}\`, whose id is in the header \`x-sandbox-request\`.`,
}

export const CONTROL_ABOUT = {
  title: 'The control API of ramp-sandbox',
  description: `What a test controls: time, identity checks, money, faults; and all that the sandbox says about itself.
Errors are problem+json with a stable \`code\`. Unknown fields are rejected. Lengths of time are \`PT1H\`,
\`500ms\`, \`90s\`, \`10m\`, \`1h\`, \`2d\` or a number of ms; instants are ISO 8601 in UTC.
Null for an optional field means that it was left out, unless the field says what null means.

Another world is at \`/w/{name}\`: put that in front of every path.`,
}

export const AUTHOR = {
  contact: { name: 'The ramp-sandbox authors' },
  license: { name: 'MIT', identifier: 'MIT' },
}

/** Headings, by how a path begins after its version. */
const TAGS: readonly (readonly [prefix: string, tag: string])[] = [
  ['/auth/', 'Login'],
  ['/users', 'Users'],
  ['/quotes', 'Quotes and limits'],
  ['/limits', 'Quotes and limits'],
  ['/transactions', 'Transactions'],
  ['/webhook-configurations', 'Webhook configuration'],
  ['/submitKYB', 'Corporate verification'],
  ['/_sandbox/simulate/', 'Simulate'],
  ['/_sandbox/clock', 'Clock'],
  ['/_sandbox/snapshots', 'State'],
  ['/_sandbox/state', 'State'],
  ['/_sandbox/reset', 'State'],
  ['/_sandbox/users', 'Records'],
  ['/_sandbox/transactions', 'Records'],
  ['/_sandbox/kyb-submissions', 'Records'],
  ['/_sandbox/requests', 'Records'],
  ['/_sandbox/actions', 'Records'],
  ['/_sandbox/inbox', 'Events and messages'],
  ['/_sandbox/events', 'Events and messages'],
  ['/_sandbox/webhooks', 'Webhooks'],
  ['/_sandbox/catch', 'Webhooks'],
  ['/_sandbox/chain', 'Chain'],
  ['/_sandbox/rates', 'Settings'],
  ['/_sandbox/settings', 'Settings'],
  ['/_sandbox/assumptions', 'Settings'],
  ['/_sandbox/faults', 'Faults'],
  ['/_sandbox/worlds', 'Worlds'],
  ['/_sandbox/scenarios', 'Scenarios'],
  ['/_sandbox/mcp', 'Coding agents'],
  ['/llms.txt', 'Coding agents'],
  ['/_sandbox/kyc/', 'Hosted pages'],
  ['/_sandbox/bank/', 'Hosted pages'],
  ['/_sandbox/sign-in', 'Hosted pages'],
]

export function tagOf({ path, dialect }: OperationDescription): string {
  const bare = path.replace(/^\/v\d+(?=\/)/, '')
  const found = TAGS.find(([prefix]) => bare.startsWith(prefix))
  return dialect.describe.tag ?? found?.[1] ?? 'Sandbox'
}

const TAG_NOTES: Readonly<Record<string, string>> = {
  Login: 'Passwordless login: a code by e-mail, exchanged for an access token.',
  Users: 'Users, their profile, what onboarding lacks and their identity verification.',
  'Quotes and limits': 'What an exchange costs, and how much one transaction may be worth.',
  Transactions: 'Buys and sells at the rate of a quote.',
  'Webhook configuration': 'Where the events of v2 are sent, and the secret that signs them.',
  'Corporate verification': 'Business customers (KYB).',
  'Legacy v1': 'The deprecated version, until its sunset; every operation names its successor.',
  Webhooks: 'What is posted to integrators, how that went, and URLs to receive it.',
  Sandbox: 'Whether the sandbox answers, what it is, and these documents.',
  State: 'The whole world: reset, snapshots, export and import.',
  Clock: 'World time, which follows the wall clock or moves only by a call.',
  Simulate: 'What the outside world does: reviewers, banks, blockchains.',
  Records: 'Everything that the world holds, in full, and the journal of contract calls.',
  'Events and messages': 'What happened, and what users were sent.',
  Settings: 'Rates, and what the contract leaves open.',
  Chain: 'The development chain behind the coins, where there is one (`--chain`).',
  Faults: 'Calls and deliveries that go wrong on purpose.',
  Worlds: 'Isolated copies of the service in one process.',
  Scenarios: 'Scripts of whole flows that come with the sandbox.',
  'Coding agents': 'For programs that choose their calls by themselves.',
  'Hosted pages': 'What the pages for users do: identity check, bank and sign-in.',
}

/** The tags of a document, in the order of their first operation. */
export function tagsOf(paths: JsonSchema): { name: string; description?: string }[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as JsonSchema))
  const names = operations.flatMap((operation) => (operation as { tags: string[] }).tags)
  return [...new Set(names)].map((name) => {
    const description = TAG_NOTES[name]
    return { name, ...(description !== undefined && { description }) }
  })
}

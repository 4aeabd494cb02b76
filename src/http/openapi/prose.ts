import type { JsonSchema, Operation } from '../operation.ts'

export const CONTRACT_ABOUT = {
  title: 'Stablecoin Ramp Platform API, as ramp-sandbox emulates it',
  description: `The provider's API: v2, the legacy v1 beside it, and corporate verification. It is made from the very
schemas that the sandbox validates with and answers through, under the settings of this world.

Where the contract leaves a gap, \`x-assumptions\` names it, with what this world makes of it; \`PATCH
/_sandbox/settings\` changes that, and this document with it.

Not described, because they belong to no operation: 404 for a path that does not exist (its header
\`x-sandbox-hint\` says \`not emulated\`), 405 with \`Allow\` for another method, what an ordered fault
answers, and 507 where a data file cannot be written. Why a call was refused is told at
\`/_sandbox/requests/{id}\`, whose id is in the header \`x-sandbox-request\`.`,
}

export const CONTROL_ABOUT = {
  title: 'The control API of ramp-sandbox',
  description: `The levers of a test: time, identity checks, money, faults; and all that the sandbox tells of itself.
Errors are problem+json with a stable \`code\`. Unknown fields are refused. Lengths of time are \`PT1H\`,
\`500ms\`, \`90s\`, \`10m\`, \`1h\`, \`2d\` or a number of ms; instants are ISO 8601 in UTC.

A world of its own hangs under \`/w/{name}\`: put that in front of every path.`,
}

/** Sections of the contract, by how a path begins. */
const TAGS: readonly (readonly [prefix: string, tag: string])[] = [
  ['/v2/auth/', 'Login'],
  ['/v2/users', 'Users'],
  ['/v2/quotes', 'Quotes and limits'],
  ['/v2/limits', 'Quotes and limits'],
  ['/v2/transactions', 'Transactions'],
  ['/v2/webhook-configurations', 'Webhook configuration'],
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
  ['/_sandbox/inbox', 'Events and messages'],
  ['/_sandbox/events', 'Events and messages'],
  ['/_sandbox/webhooks', 'Webhooks'],
  ['/_sandbox/catch', 'Webhooks'],
  ['/_sandbox/rates', 'Settings'],
  ['/_sandbox/settings', 'Settings'],
  ['/_sandbox/assumptions', 'Settings'],
  ['/_sandbox/faults', 'Faults'],
  ['/_sandbox/worlds', 'Worlds'],
  ['/_sandbox/scenarios', 'Scenarios'],
  ['/_sandbox/kyc/', 'Hosted pages'],
  ['/_sandbox/bank/', 'Hosted pages'],
  ['/_sandbox/sign-in', 'Hosted pages'],
]

export function tagOf({ path, dialect }: Operation): string {
  if (dialect.name === 'v1') return 'Legacy v1'
  return TAGS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'Sandbox'
}

/** The tags of a document, in the order of their first operation. */
export function tagsOf(paths: JsonSchema): { name: string }[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as JsonSchema))
  const names = operations.flatMap((operation) => (operation as { tags: string[] }).tags)
  return [...new Set(names)].map((name) => ({ name }))
}

import type { Sandbox } from '../../client/client.ts'
import { readFixture } from '../../client/fixture-file.ts'
import { withScheme } from '../../client/local-url.ts'
import type { LeverName } from '../../http/control/routes.ts'
import { messageOf } from '../../world/domain-error.ts'
import { parseInstant } from '../../world/duration.ts'
import type { OptionSpecs } from '../command.ts'
import { COUNT, invalid } from '../option-values.ts'

type Input = Record<string, unknown>

interface Run {
  sandbox: Sandbox
  input: Input
  path: Readonly<Record<string, string>>
  /** Options as they were typed, those of `SPECIALS` included. */
  special: Readonly<Record<string, unknown>>
  /** Makes the call of the lever. */
  send(input?: Input): Promise<unknown>
}

interface Ran {
  answer: unknown
  /** Why it is not what was hoped for; the command then ends with 1. */
  problem?: string | undefined
}

const LIMIT = { value: 'N', help: 'how many to show, the newest; 20 by default' } as const

/** Options that are no fields of the call. */
export const SPECIALS: Partial<Record<LeverName, OptionSpecs>> = {
  'inbox.read': { limit: LIMIT, code: { help: 'print the newest login code, and nothing else' } },
  'events.read': { limit: LIMIT },
  'webhooks.deliveries': { limit: LIMIT },
}

/** What a command does besides its one call. */
export const RUNS: Partial<Record<LeverName, (run: Run) => Promise<Ran>>> = {
  async 'clock.advance'({ input, send }) {
    const { by, ...rest } = input
    if (by === 'next') return { answer: await send({ toNext: true }) }
    const isInstant = typeof by === 'string' && parseInstant(by) !== undefined
    return { answer: await send(isInstant ? { ...rest, to: by } : input) }
  },
  async reset({ input, send }) {
    return { answer: await send({ ...input, fixture: fixtureOf(input.fixture) }) }
  },
  async 'webhooks.set'({ input, send }) {
    const url = input.url === 'none' ? null : withScheme(String(input.url))
    return { answer: await send({ ...input, url }) }
  },
  async 'webhooks.drain'({ send }) {
    const answer = (await send()) as { pending: number }
    return { answer, problem: answer.pending > 0 ? 'Not every webhook has ended.' : undefined }
  },
  /** With a time to wait it is the next event that counts, not one that came before. */
  async 'events.read'({ sandbox, input, special, send }) {
    if (input.timeout === undefined)
      return { answer: await readNewest(send, input, 'events', special) }
    const after = input.after ?? (await sandbox.info()).cursors.events
    return toWaited(await send({ ...input, after }), 'event', input)
  },
  async 'inbox.read'({ sandbox, input, special, send }) {
    const sent = special.code ? { kind: 'login-code', ...input } : input
    const { email } = input
    // An address that nobody has is a mistake, not an empty inbox.
    if (typeof email === 'string') await sandbox.users.get(email)
    if (input.timeout !== undefined) return toWaited(await send(sent), 'message', input)
    const answer = await readNewest(send, sent, 'messages', special)
    const isMissing = special.code && answer.messages?.length === 0
    return { answer, problem: isMissing ? 'No login code was sent.' : undefined }
  },
  async 'webhooks.deliveries'({ send, input, special }) {
    return { answer: await readNewest(send, input, 'deliveries', special) }
  },
  /** Without an id it is the last call that was refused. */
  async 'requests.get'({ sandbox, path, send }) {
    if (path.id !== undefined) return { answer: await send() }
    const last = (await sandbox.requests.list({ refused: true })).at(-1)
    if (last === undefined) return { answer: undefined, problem: 'No call was refused so far.' }
    return { answer: await sandbox.requests.get(last.id) }
  },
}

function fixtureOf(given: unknown): unknown {
  try {
    return readFixture(given)
  } catch (error) {
    throw invalid('--fixture', messageOf(error))
  }
}

type Page = Record<string, unknown[] | undefined> & { cursor?: unknown }

/** The newest rows of a list that is read to its end, page after page. */
async function readNewest(
  send: Run['send'],
  { limit: _, count: most, ...filter }: Input,
  field: string,
  { limit = '20' }: Run['special'],
): Promise<Page> {
  const count = COUNT.read('--limit', String(most ?? limit))
  const rows: unknown[] = []
  for (let after = filter.after; ; ) {
    const page = (await send({ ...filter, after })) as Page
    const found = page[field] ?? []
    for (const row of found) rows.push(row)
    if (found.length === 0) return { ...page, [field]: rows.slice(-count) }
    after = page.cursor
  }
}

function toWaited(answer: unknown, noun: string, { timeout }: Input): Ran {
  const { matched, nearest = '' } = answer as { matched: boolean; nearest?: string }
  const why = nearest.replace(/^No \w+ came (since|so far)\. ?/, '')
  const none = `No such ${noun} came within ${timeout}. ${why}`.trim()
  return { answer, problem: matched ? undefined : none }
}

import type { Sandbox } from '../../client/client.ts'
import { readFixture } from '../../client/fixture-file.ts'
import { callRoute } from '../../client/levers.ts'
import { withScheme } from '../../client/local-url.ts'
import type { Lever } from '../../levers/index.ts'
import { findRoute, type LeverName } from '../../levers/routes.ts'
import { parseInstant } from '../../world/duration.ts'
import type { OptionSpecs } from '../command.ts'
import { COUNT } from '../option-values.ts'

type Input = Readonly<Record<string, unknown>>

interface Run {
  sandbox: Sandbox
  input: Input
  /** Options as typed, including those of `SPECIALS`. */
  special: Input
}

interface Ran {
  response: unknown
  /** Set if the command should exit with 1. */
  problem?: string | undefined
}

const LIMIT = { ...COUNT, value: 'N', help: 'how many to show, the newest; 20 by default' } as const

/** Options that are not fields of the call. */
export const SPECIALS: Partial<Record<LeverName, OptionSpecs>> = {
  'inbox.read': { limit: LIMIT, code: { help: 'print the newest login code, and nothing else' } },
  'events.read': { limit: LIMIT },
  'webhooks.deliveries': { limit: LIMIT },
}

/** Calls a lever and does what its command adds. */
export async function runLever({ lever: { as }, ...run }: Run & { lever: Lever }): Promise<Ran> {
  const send = (input = run.input) => callRoute(run.sandbox.control, findRoute(as), input)
  return (await RUNS[as]?.({ ...run, send })) ?? { response: await send() }
}

type Send = (input?: Input) => Promise<unknown>

const RUNS: Partial<Record<LeverName, (run: Run & { send: Send }) => Promise<Ran>>> = {
  /** A length moves by that much, an instant moves to it. */
  async 'clock.advance'({ input: { by, ...rest }, send }) {
    const isInstant = typeof by === 'string' && parseInstant(by) !== undefined
    return { response: await send({ ...rest, [isInstant ? 'to' : 'by']: by }) }
  },
  async reset({ input, send }) {
    return { response: await send({ ...input, fixture: readFixture(input.fixture) }) }
  },
  async 'webhooks.set'({ input, send }) {
    const url = input.url === 'none' ? null : withScheme(String(input.url))
    return { response: await send({ ...input, url }) }
  },
  async 'webhooks.drain'({ send }) {
    const response = (await send()) as { pending: number }
    return { response, problem: response.pending > 0 ? 'Not every webhook has ended.' : undefined }
  },
  /** With a timeout only events from now on count. */
  async 'events.read'({ sandbox, input: { after, timeout, ...filter }, special, send }) {
    if (timeout === undefined) {
      const events = await sandbox.events.list(filter, { after: after as string })
      return { response: { events: newest(events, special) } }
    }
    const from = after ?? (await sandbox.info()).cursors.events
    const asked = { ...filter, after: from, timeout, count: special.limit }
    return toWaited(await send(asked), 'event', timeout)
  },
  async 'inbox.read'({ sandbox, input, special, send }) {
    const asked = special.code ? { kind: 'login-code' as const, ...input } : input
    const { email, timeout } = input
    // An unknown address is a mistake rather than an empty inbox.
    if (typeof email === 'string') await sandbox.users.get(email)
    if (timeout !== undefined) return toWaited(await send(asked), 'message', timeout)
    const messages = newest(await sandbox.inbox.list(asked), special)
    const isMissing = special.code && messages.length === 0
    return { response: { messages }, problem: isMissing ? 'No login code was sent.' : undefined }
  },
  async 'webhooks.deliveries'({ sandbox, input: { limit: _, ...filter }, special }) {
    const deliveries = newest(await sandbox.webhooks.deliveries(filter), special)
    return { response: { deliveries } }
  },
  /** Without an id this explains the last refused call. */
  async 'requests.get'({ sandbox, input, send }) {
    if (input.id !== undefined) return { response: await send() }
    const last = (await sandbox.requests.list({ refused: true })).at(-1)
    if (last === undefined) return { response: undefined, problem: 'No call was refused so far.' }
    return { response: await sandbox.requests.get(last.id) }
  },
}

/** The newest rows. The server lists the oldest first. */
const newest = <Row>(rows: readonly Row[], { limit = 20 }: Input): Row[] =>
  rows.slice(-(limit as number))

function toWaited(response: unknown, noun: string, timeout: unknown): Ran {
  const { matched, nearest = '' } = response as { matched: boolean; nearest?: string }
  const why = nearest.replace(/^No \w+ came (since|so far)\. ?/, '')
  const none = `No such ${noun} came within ${timeout}. ${why}`.trim()
  return { response, problem: matched ? undefined : none }
}

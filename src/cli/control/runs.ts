import type { Sandbox } from '../../client/client.ts'
import { callOperation } from '../../client/control-api.ts'
import { SandboxError } from '../../client/error.ts'
import { readFixture } from '../../client/fixture-file.ts'
import { withScheme } from '../../client/local-url.ts'
import type { ControlOperation, ControlOperationName } from '../../control-api/index.ts'
import { formatDelivery, formatHint, lines } from '../../control-api/text.ts'
import type { DeliveryRecord, RequestRecord, SignatureExplanation } from '../../control-api/wire.ts'
import { realTime } from '../../real-time.ts'
import { describeMutated, isBadAttempt } from '../../webhooks/delivery.ts'
import type { Mutation } from '../../webhooks/mutation.ts'
import { parseInstant } from '../../world/duration.ts'
import type { OptionSpecs } from '../command.ts'
import { invalid, LENGTH } from '../option-values.ts'
import { readReceived } from './received.ts'

type Input = Readonly<Record<string, unknown>>

interface Run {
  sandbox: Sandbox
  input: Input
  /** Options as typed, including those of `SPECIALS`. */
  special: Input
}

export interface Ran {
  response: unknown
  /** Text for people, if the control operation has no format of its own. */
  text?: string | undefined
  /** Remark for people. */
  note?: string | undefined
  /** Set if the command should exit with 1. */
  problem?: string | undefined
}

const HEALTH_POLL_MS = 100
/** Rows that a list shows by default. */
const SHOWN = 20

const PRINT_ID = { help: 'print the id of the transaction, and nothing else' } as const

/** Options that are not fields of the call. */
export const SPECIALS: Partial<Record<ControlOperationName, OptionSpecs>> = {
  'inbox.read': { code: { help: 'print the newest login code, and nothing else' } },
  health: { wait: { ...LENGTH, help: 'how long to wait for a sandbox to respond, such as 30s' } },
  buy: { id: PRINT_ID },
  sell: { id: PRINT_ID },
  'webhooks.resend': {
    failed: { help: 'resend every webhook that failed, in order' },
    ref: { value: 'REF', help: 'only those about this transaction or user, by id or e-mail' },
  },
}

/** Help about words that their fields do not explain. */
export const NOTES: Partial<Record<ControlOperationName, string>> = {
  explain:
    'ID: a call (req_7), webhook (dlv_7), event (evt_…), action (act_7) or transaction; by default the last refused call',
}

/** Calls a control operation and does what its command adds. */
export async function runOperation({
  operation,
  ...run
}: Run & { operation: ControlOperation }): Promise<Ran> {
  const send = (input = run.input) => callOperation(run.sandbox.control, operation, input)
  return (await RUNS[operation.as]?.({ ...run, send })) ?? { response: await send() }
}

type Send = (input?: Input) => Promise<unknown>

const RUNS: Partial<Record<ControlOperationName, (run: Run & { send: Send }) => Promise<Ran>>> = {
  /** With `--wait`, asks again until a sandbox responds or the time is over. */
  async health({ sandbox, special: { wait }, send }) {
    if (wait === undefined) return { response: await send() }
    const signal = AbortSignal.timeout(wait as number)
    let why = `${sandbox.url} does not respond.`
    while (!signal.aborted) {
      try {
        return { response: await sandbox.control('GET', '/health', { signal }) }
      } catch (error) {
        if (signal.aborted) break
        if (!(error instanceof SandboxError && error.code === 'unreachable')) throw error
        why = error.message
      }
      await realTime.pause(HEALTH_POLL_MS)
    }
    const problem = `Gave up after ${(wait as number) / 1_000} s. ${why}`
    return { response: undefined, problem }
  },
  /** Sends an instant as `to`, and a length as `by`. */
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
  /** With a timeout, only events from now on count. */
  async 'events.read'({ sandbox, input, send }) {
    const { timeout } = input
    if (timeout === undefined) return readNewest('events', input, send)
    const { cursors } = await sandbox.info()
    return toWaited(await send({ after: cursors.events, ...input }), 'event', timeout)
  },
  async 'inbox.read'({ sandbox, input, special, send }) {
    const asked = special.code ? { kind: 'login-code' as const, ...input } : input
    const { email, timeout } = input
    // An unknown address is a mistake rather than an empty inbox.
    if (typeof email === 'string') await sandbox.users.get(email)
    if (timeout !== undefined) return toWaited(await send(asked), 'message', timeout)
    const shown = await readNewest('messages', asked, send)
    const isMissing = special.code && shown.total === 0
    return { ...shown, problem: isMissing ? 'No login code was sent.' : undefined }
  },
  'webhooks.deliveries': ({ input, send }) => readNewest('deliveries', input, send),
  'transactions.list': ({ input, send }) => readNewest('items', input, send),
  'users.list': ({ input, send }) => readNewest('items', input, send),
  async 'webhooks.resend'({ sandbox, input, special: { failed, ref }, send }) {
    if (input.id !== undefined && !failed) return judge((await send()) as DeliveryRecord)
    if (!failed || input.id !== undefined) throw newResendError()
    return await resendFailed(sandbox, { mutate: input.mutate, ref } as ResendFilter)
  },
  async 'webhooks.test'({ send }) {
    return judge((await send()) as DeliveryRecord)
  },
  /** The secret is that of the world, unless the receiver's own is given. */
  async 'webhooks.explain'({ sandbox, input: { body: path, secret }, send }) {
    const received = await readReceived(sandbox, String(path))
    const own = process.env.RAMP_SANDBOX_SIGNING_SECRET ?? (await findSecret(sandbox))
    const response = await send({ ...received, secret: secret ?? own })
    const { valid } = response as SignatureExplanation
    return { response, problem: valid ? undefined : 'A receiver must reject this webhook.' }
  },
  /** Without an id this explains the last refused call, because the newest one may have been accepted. */
  async explain({ sandbox, input: { id }, send }) {
    if (id !== undefined) return { response: await send() }
    const [refused] = await sandbox.requests.list({ refused: true, last: 1 })
    if (refused === undefined) return { response: undefined, problem: 'No call has been refused.' }
    const response = await sandbox.explain(refused.id)
    const [newest = refused] = await sandbox.requests.list({ last: 1 })
    const later = positionOf(newest) - positionOf(refused)
    const since =
      later > 0 ? `; ${later} ${later === 1 ? 'call' : 'calls'} since, up to ${newest.id}` : ''
    const text = response.text.replace(/$/m, `  (the last refused call${since})`)
    return { response, text: lines([text, formatHint(response.hint)]) }
  },
}

const positionOf = ({ id }: RequestRecord) => Number(id.replace('req_', ''))

/** Reads the newest rows, 20 unless another number is asked for, and says how many are older. */
async function readNewest(name: string, { last = SHOWN, ...filter }: Input, send: Send) {
  const rows: unknown[] = []
  let page: ListPage = { more: true, total: 0, cursor: filter.after as string }
  while (page.more && rows.length < (last as number)) {
    page = (await send({ ...filter, last, after: page.cursor })) as ListPage
    rows.push(...(page[name] as unknown[]))
  }
  const { total } = page
  const older = total - rows.length
  const note = older > 0 ? `and ${older} older; --last ${total} shows all of them` : undefined
  return { response: { [name]: rows, total }, note, total }
}

interface ListPage {
  more: boolean
  total: number
  cursor: string | undefined
  [name: string]: unknown
}

async function findSecret({ webhooks }: Sandbox): Promise<string> {
  const { integrators } = await webhooks.settings()
  const secret = integrators.find(({ signingSecret }) => signingSecret !== null)?.signingSecret
  if (secret) return secret
  throw invalid('--secret', 'No integrator has a signing secret yet: give --secret.')
}

/** A receiver should acknowledge what is genuine, and reject what is false. */
function judge(delivery: DeliveryRecord): Ran {
  const { outcome, mutation } = delivery
  const isOver = outcome !== 'pending' && outcome !== 'suppressed'
  if (isOver && !isBadAttempt(delivery)) return { response: delivery }
  const problem = mutation ? describeMutated(mutation, delivery) : 'It was not acknowledged.'
  return { response: delivery, problem }
}

interface ResendFilter {
  ref?: string | undefined
  mutate?: Mutation | undefined
}

/** Sends what failed again, one after the other in the order of the events. */
async function resendFailed({ webhooks }: Sandbox, { ref, mutate }: ResendFilter): Promise<Ran> {
  const about = ref === undefined ? [] : await webhooks.deliveries({ ref })
  if (ref !== undefined && about.length === 0) {
    const response = { deliveries: [], failed: 0 }
    return { response, text: '', problem: `No webhook about ${ref} is kept.` }
  }
  const failed = await webhooks.deliveries({ failed: true, ref })
  const deliveries: DeliveryRecord[] = []
  for (const { id } of failed) deliveries.push(await webhooks.resend(id, { mutate }))
  const left = deliveries.filter((delivery) => delivery.failed).length
  if (failed.length === 0)
    return { response: { deliveries, failed: 0 }, text: 'No webhook failed.' }
  const count = deliveries.length === 1 ? '1 webhook was' : `${deliveries.length} webhooks were`
  return {
    response: { deliveries, failed: left },
    text: lines([...deliveries.map(formatDelivery), `${count} sent again; ${left} failed.`]),
    problem: left > 0 ? 'Not every webhook was acknowledged.' : undefined,
  }
}

const newResendError = () =>
  invalid(
    'ID',
    'webhook resend needs either the ID of a webhook or --failed.',
    'ramp-sandbox deliveries --failed lists what failed.',
  )

function toWaited(response: unknown, noun: string, timeout: unknown): Ran {
  const { matched, nearest = '' } = response as { matched: boolean; nearest?: string }
  const why = nearest.replace(/^No \w+ came (since|so far)\. ?/, '')
  const none = `No such ${noun} came within ${timeout}. ${why}`.trim()
  return { response, problem: matched ? undefined : none }
}

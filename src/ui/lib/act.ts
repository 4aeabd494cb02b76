import type {
  Advanced,
  DeliveryRecord,
  TransactionCreated,
  TransactionMoved,
} from '../../control-api/wire.ts'
import type {
  CreatedUser,
  FieldError,
  KycLinkResponse,
  TestDelivery,
} from '../../http/v2/shapes.ts'
import { ApiError, findError, messageOf, send } from './api.ts'
import { toCurl } from './curl.ts'
import { plural } from './format.ts'
import { refresh } from './live.ts'
import { controlPath, world } from './page.ts'
import { go, urlOf } from './router.ts'
import { toast } from './toast.tsx'

/** A call that a button or a form makes. */
export interface ButtonCall {
  /** `PUT /rates` of the control API, or a path of `/v2`; `POST` by default, and `{id}` takes a field. */
  call: string
  body?: object
  /** Text after success. */
  done?: string | undefined
  /** The page to open after success, such as `transactions/7`. */
  after?: ((response: Result) => string) | undefined
  /** The URL to open in another window after success. */
  open?(response: Result): string
  apiKey?: string | undefined
}

/** Fields of responses to buttons that the page mentions. */
export type Result = Partial<
  DeliveryRecord &
    Advanced &
    TransactionCreated &
    TransactionMoved & { data: Partial<CreatedUser & KycLinkResponse & TestDelivery> }
>

/** Makes the call of a button or a form, says what came of it, and reads the page again. */
export async function act(
  asked: ButtonCall,
  fields: object = {},
): Promise<readonly FieldError[] | undefined> {
  const { call, apiKey, done = 'Done', after, open } = asked
  const { request, curl } = toRequest(call, { ...asked.body, ...fields }, apiKey)
  let body: Result
  try {
    const response = await send<Result>(request)
    const error = findError(response)
    if (error) throw error
    body = response.body || {}
  } catch (error) {
    toast({ text: messageOf(error), ok: false, curl })
    return error instanceof ApiError ? error.problems : []
  }
  toast({ ...describe(body, done), curl })
  const url = open?.(body)
  if (url) window.open(url, '_blank')
  await refresh()
  if (after) go(urlOf(after(body)))
  return undefined
}

function toRequest(call: string, fields: object, apiKey: string | undefined) {
  const [below = '', method = 'POST'] = call.split(' ').reverse()
  const rest: Record<string, unknown> = { ...fields }
  const filled = below.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name] ?? ''))
    delete rest[name]
    return value
  })
  const path = filled.startsWith('/v2/') ? world.prefix + filled : controlPath(filled)
  const body = method === 'DELETE' || method === 'GET' ? undefined : rest
  const headers = { ...(apiKey && { 'x-api-key': apiKey }), 'content-type': 'application/json' }
  const request = { method, path, headers, body }
  const text = body && JSON.stringify(body)
  const curl = toCurl({ method, url: `${location.origin}${path}`, headers, body: text })
  return { request, curl }
}

type Attempt = Pick<DeliveryRecord, 'problem' | 'outcome' | 'verdict'>

/** Returns true if a receiver misbehaved; a 2xx may have a problem and still be right. */
export function isBad({ problem, outcome, verdict }: Attempt): boolean {
  if (problem === null || outcome === 'suppressed') return false
  return outcome !== 'delivered' || problem.message === verdict
}

const isAttempt = (body: Result): body is DeliveryRecord => typeof body.eventId === 'string'

/** Says what a call did, and whether receivers responded as they should to all that it sent. */
function describe(body: Result, done: string): { text: string; ok: boolean } {
  const { from, to, transactionId, firedCount = 0, deliveries = [], data = {} } = body
  const { deliveredStatusCode: tested, deliveredStatusText } = data
  if (tested !== undefined) {
    // 0 stands for a receiver that did not respond.
    const status = [tested || '', deliveredStatusText].join(' ').trim()
    return { text: `${done}: ${status}`, ok: tested >= 200 && tested < 300 }
  }
  if (body.outcome === 'suppressed') return { text: `Not sent: ${body.reason}`, ok: false }
  const sent = (isAttempt(body) ? [body] : deliveries).filter(
    ({ outcome }) => outcome !== 'suppressed',
  )
  const [bad, ...others] = sent.filter(isBad)
  const moved = transactionId && from !== to ? `${from} → ${to}` : done
  const fired = firedCount > 0 ? `; ${plural(firedCount, 'task')} ran` : ''
  const what = bad
    ? `, but ${plural(others.length + 1, 'webhook')} failed: ${bad.problem?.message}`
    : describeOutcomes(sent)
  return { text: moved + fired + what, ok: !bad }
}

/** `, 1 webhook pending, 1 delivered` */
function describeOutcomes(sent: readonly DeliveryRecord[]): string {
  const outcomes = sent.map(({ outcome }) => outcome)
  return [...new Set(outcomes)]
    .map((each, index) => {
      const count = outcomes.filter((outcome) => outcome === each).length
      return `, ${index === 0 ? plural(count, 'webhook') : count} ${each}`
    })
    .join('')
}

import type { DeliveryRecord } from '../../control-api/wire.ts'
import { ApiError, type FieldProblem, findError, messageOf, send } from './api.ts'
import { toCurl } from './curl.ts'
import { plural } from './format.ts'
import { refresh } from './live.ts'
import { world } from './page.ts'
import { go, urlOf } from './router.ts'
import { toast } from './toast.tsx'

/** A call that a button or a form makes. */
export interface ButtonCall {
  /** For example `PUT /v2/users/{id}`; the method is `POST` by default, and `{id}` takes a field. */
  call: string
  body?: object
  /** What is said after success. */
  done?: string | undefined
  /** The page to open after success, such as `transactions/7`. */
  after?: ((response: Result) => string) | undefined
  /** The URL to open in another window after success. */
  open?(response: Result): string
  apiKey?: string | undefined
}

/** What the calls of buttons respond with, as far as anything is said of it. */
export interface Result extends Partial<DeliveryRecord> {
  from?: string
  to?: string
  transactionId?: string
  transaction?: { id: string }
  firedCount?: number
  deliveries?: readonly DeliveryRecord[]
  url?: string | null
  data?: { deliveredStatusCode?: number; deliveredStatusText?: string; id?: string; url?: string }
}

/** Makes the call of a button or a form, says what came of it, and reads the page again. */
export async function act(
  asked: ButtonCall,
  fields: object = {},
): Promise<readonly FieldProblem[] | undefined> {
  const { call, apiKey, done = 'Done', after, open } = asked
  const { request, curl } = toRequest(call, { ...asked.body, ...fields }, apiKey)
  let body: Result
  try {
    const response = await send<Result>(request)
    const error = findError(response)
    if (error) throw error
    body = response.body
  } catch (error) {
    toast({ text: messageOf(error), ok: false, curl })
    return error instanceof ApiError ? error.problems : []
  }
  toast({ text: describe(body, done), ok: isWell(body), curl })
  const url = open?.(body)
  if (url) window.open(url, '_blank')
  await refresh()
  if (after) go(urlOf(after(body)))
  return undefined
}

function toRequest(call: string, fields: object, apiKey: string | undefined) {
  const [below = '', method = 'POST'] = call.split(' ').reverse()
  const given = Object.entries(fields)
  const inPath = (name: string) => below.includes(`{${name}}`)
  const path = world.prefix + below.replace(/\{(\w+)\}/g, (_, name: string) => partOf(given, name))
  const rest = given.filter(([name]) => !inPath(name))
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const body = hasBody ? Object.fromEntries(rest) : undefined
  const headers = { ...(apiKey && { 'x-api-key': apiKey }), 'content-type': 'application/json' }
  const request = { method, path, headers, body }
  const text = body && JSON.stringify(body)
  const curl = toCurl({ method, url: `${location.origin}${path}`, headers, body: text })
  return { request, curl }
}

const partOf = (fields: readonly (readonly [string, unknown])[], name: string): string =>
  encodeURIComponent(String(fields.find(([each]) => each === name)?.[1] ?? ''))

type Attempt = Pick<DeliveryRecord, 'problem' | 'outcome' | 'verdict'>

/** Whether a receiver did not do what it should have done; a 2xx may have a problem and be right. */
export function isBad({ problem, outcome, verdict }: Attempt): boolean {
  if (problem === null || outcome === 'suppressed') return false
  return outcome !== 'delivered' || problem.message === verdict
}

/** Whether receivers responded as they should to everything that a call sent. */
function isWell(body: Result): boolean {
  if (isAttempt(body)) return !isBad(body) && body.outcome !== 'suppressed'
  const tested = body?.data?.deliveredStatusCode
  if (typeof tested === 'number') return tested >= 200 && tested < 300
  return !body?.deliveries?.some(isBad)
}

const isAttempt = (body: Result): body is DeliveryRecord => typeof body?.eventId === 'string'

function describe(body: Result, done: string): string {
  if (isAttempt(body)) return describeAttempt(body, done)
  const tested = body?.data?.deliveredStatusCode
  if (typeof tested === 'number') return `${done}: ${tested} ${body.data?.deliveredStatusText}`
  const { from, to, transactionId, firedCount = 0 } = body ?? {}
  if (transactionId && from !== to) return `${from} → ${to}${describeDeliveries(body)}`
  const fired = firedCount > 0 ? `; ${plural(firedCount, 'task')} ran` : ''
  return `${done}${fired}${describeDeliveries(body)}`
}

function describeAttempt(attempt: DeliveryRecord, done: string): string {
  const { verdict, outcome, response, error, reason } = attempt
  if (verdict !== null) return verdict
  if (outcome === 'delivered') return `${done}: ${outcome}, ${response?.status}`
  return `${done}, but it failed: ${response?.status ?? error ?? reason ?? outcome}`
}

/** Says what became of deliveries, or why the first bad one was bad. */
function describeDeliveries(body: Result): string {
  const sent = (body?.deliveries ?? []).filter(({ outcome }) => outcome !== 'suppressed')
  if (sent.length === 0) return ''
  const [bad, ...others] = sent.filter(isBad)
  if (bad) {
    const of = others.length + 1 === sent.length ? '' : `${others.length + 1} of `
    return `, but ${of}${plural(sent.length, 'webhook')} failed: ${describeFailure(bad)}`
  }
  const outcomes = [...new Set(sent.map(({ outcome }) => outcome))]
  const countOf = (each: string) => sent.filter(({ outcome }) => outcome === each).length
  const [first = '', ...rest] = outcomes
  const more = rest.map((each) => `, ${countOf(each)} ${each}`)
  return `, ${plural(countOf(first), 'webhook')} ${first}${more.join('')}`
}

const describeFailure = ({ verdict, outcome, response, error }: DeliveryRecord): string =>
  verdict ?? (response ? `${outcome} with ${response.status}` : (error ?? outcome))

import { type FieldProblem, SandboxError, toSandboxError } from '../../client/error.ts'
import {
  createHttpClient,
  type HttpRequest,
  type HttpResponse,
  type Json,
} from '../../client/http.ts'
import { describeMutated, isBadAttempt } from '../../webhooks/delivery.ts'
import { plural, toCurl } from '../format.ts'

const http = createHttpClient({ url: '' })

/** Makes a call; throws an error whose message can be shown to people. */
export async function call(request: HttpRequest): Promise<Json> {
  const response = await http.send(asJson(request))
  if (response.status >= 300) throw toError(response, request)
  return response.body
}

/** Issues an access token of a user, for the first integrator if none is named. */
export async function issueToken(prefix: string, { user, integrator }: Json): Promise<string> {
  const path = `${prefix}/_sandbox/users/${encodeURIComponent(user)}/token`
  const body = integrator ? { integrator } : {}
  return (await call({ method: 'POST', path, body })).accessToken
}

/** Gives mutations the JSON content type that the control API insists on. */
export function asJson(request: HttpRequest): HttpRequest {
  const { method, body = {}, headers } = request
  if (method === 'GET') return { method, path: request.path, headers }
  const json = { ...request, headers: { ...headers, 'content-type': 'application/json' } }
  return method === 'DELETE' ? { ...json, body: undefined } : { ...json, body }
}

function toError({ status, body }: Pick<HttpResponse, 'status' | 'body'>, to: HttpRequest) {
  const problems = problemsOf(body)
  const message = problems.map((problem) => problem.message).join(' ')
  if (message) return new SandboxError(message, { code: 'contract', status, problems })
  return toSandboxError({ status, body }, `${to.method} ${to.path}`)
}

/** Reads the problems in an error of the contract; v1 names the field in its message only. */
function problemsOf(body: Json): FieldProblem[] {
  if (body?.success === false) return body.errors ?? []
  const isV1 = typeof body?.message === 'string' && typeof body?.code !== 'string'
  return isV1 ? [{ field: /^\w+/.exec(body.message)?.[0] ?? '', message: body.message }] : []
}

const urlOf = ({ path }: HttpRequest) => new URL(path, location.href).href

const textOf = (request: HttpRequest): string | undefined => JSON.stringify(asJson(request).body)

export const toCurlOf = (request: HttpRequest): string =>
  toCurl({
    method: request.method,
    url: urlOf(request),
    headers: { ...asJson(request).headers },
    body: textOf(request),
  })

/** Headers as JSON, in which the access token is an expression that reads the variable `TOKEN`. */
const withVariable = (headers: object, expression: string): string =>
  JSON.stringify(headers).replace('"Bearer $TOKEN"', () => expression)

/** Writes a call in each language of the reference. */
export const LANGUAGES: Readonly<Record<string, (request: HttpRequest) => string>> = {
  curl: toCurlOf,
  Node(request) {
    const { method, headers = {} } = request
    const text = textOf(request)
    const body = text === undefined ? '' : `\n  body: JSON.stringify(${text}),`
    return `const response = await fetch(${JSON.stringify(urlOf(request))}, {
  method: '${method}',
  headers: ${withVariable(headers, '"Bearer " + process.env.TOKEN')},${body}
})
console.log(response.status, await response.json())`
  },
  Python(request) {
    const { method, headers = {} } = request
    const text = textOf(request)
    const data = text === undefined ? '' : `\n    data=${JSON.stringify(text)}.encode(),`
    return `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(urlOf(request))},
    method="${method}",
    headers=${withVariable(headers, '"Bearer " + os.environ["TOKEN"]')},${data}
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`
  },
}

export function formatResponse(body: Json, done = 'Done'): string {
  if (isAttempt(body)) return formatAttempt(body, done)
  if (typeof body?.from === 'string' && body.to !== body.from && body.transactionId) {
    return `${body.from} → ${body.to}${formatDeliveries(body)}`
  }
  const count = body?.firedCount ?? 0
  const fired = count > 0 ? `; ${plural(count, 'task')} ran` : ''
  return `${done}${fired}${formatDeliveries(body)}`
}

/** Formats what became of deliveries, or why the first bad one was bad. */
function formatDeliveries(body: Json): string {
  const sent: Json[] = (body?.deliveries ?? []).filter(isSent)
  if (sent.length === 0) return ''
  const bad = sent.filter(isBadAttempt)
  if (bad.length > 0) {
    const of = bad.length === sent.length ? '' : `${bad.length} of `
    return `, but ${of}${plural(sent.length, 'webhook')} failed: ${formatFailure(bad[0])}`
  }
  const outcomes = [...new Set(sent.map(({ outcome }) => outcome as string))]
  const countOf = (each: string) => sent.filter(({ outcome }) => outcome === each).length
  const [first = '', ...others] = outcomes
  const rest = others.map((each) => `, ${countOf(each)} ${each}`)
  return `, ${plural(countOf(first), 'webhook')} ${first}${rest.join('')}`
}

function formatFailure(attempt: Json): string {
  const { mutation, outcome, response, error } = attempt
  if (mutation !== null) return describeMutated(mutation, attempt)
  return response ? `${outcome} with ${response.status}` : (error ?? outcome)
}

const isAttempt = (body: Json): boolean => typeof body?.eventId === 'string'

function formatAttempt(attempt: Json, done: string): string {
  const { mutation, outcome, response, error, reason } = attempt
  if (mutation !== null) return describeMutated(mutation, attempt)
  if (outcome === 'delivered') return `${done}: ${outcome}, ${response.status}`
  return `${done}, but it failed: ${response?.status ?? error ?? reason ?? outcome}`
}

const isSent = ({ outcome }: Json) => outcome !== 'suppressed'

/** Returns true if receivers responded to everything that a call sent as they should. */
export function isDelivered(body: Json): boolean {
  if (isAttempt(body)) return !isBadAttempt(body) && body.outcome !== 'suppressed'
  const tested = body?.data?.deliveredStatusCode
  if (typeof tested === 'number') return tested >= 200 && tested < 300
  return !(body?.deliveries ?? []).some(isBadAttempt)
}

/** Reads a value inside a response by a path such as `data.id`. */
export function pick(value: Json, path: string): Json {
  return path.split('.').reduce((inside, name) => inside?.[name], value)
}

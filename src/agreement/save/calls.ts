import type { Json } from '../../client/http.ts'
import { findKind } from '../fields.ts'
import { decodePart, parseTarget } from '../operations.ts'
import type { RecordedCall } from '../recording.ts'
import {
  bearerOf,
  dataOf,
  emailOf,
  findRate,
  isSuccess,
  loginOf,
  shareTokenOf,
  userIdOf,
} from '../replay/call-parts.ts'
import type { Facts } from '../replay/facts.ts'
import { isMade } from '../replay/matches.ts'
import { toExpected } from './expected.ts'
import type { Named, Names, Statement } from './names.ts'
import { Code, toPath, toSource, toText } from './source.ts'

export interface WrittenCall {
  /** Where the call begins a step of its own. */
  title: string | undefined
  lines: Statement[]
}

export interface CallWriterOptions {
  names: Names
  facts: Facts
  /** What `api` sends. */
  mainKey: string
}

/** Writes each call with what is expected of its answer. */
export function createCallWriter({ names, facts, mainKey }: CallWriterOptions) {
  /** Who calls with a token. */
  const callers = new Map<string, { named: Named; of?: Named }>()
  const rates = new Map([
    ['USDC', 1.4015],
    ['CADC', 1],
  ])
  const rightCodes = new Set<string>()
  return { write, writeLogin }

  function writeLogin(sent: RecordedCall, verified: RecordedCall): WrittenCall {
    const email = emailOf(sent) ?? ''
    const named = names.create(stemOf(email))
    const key = sent.request.headers['x-api-key'] ?? ''
    if (key !== mainKey) {
      const [a, b] = [write(sent), write(verified)]
      return { title: a.title ?? b.title, lines: [...a.lines, ...b.lines] }
    }
    const data = dataOf(verified)
    callers.set(data.accessToken, { named })
    names.note(data.accessToken, `${named.name}.token`, named)
    const line = { named, code: `await login(${toText(email)})` }
    return { title: `${stemOf(email)} logs in`, lines: [line] }
  }

  function write(call: RecordedCall): WrittenCall {
    const { operation, response } = call
    const why = findObstacle(call)
    if (why !== undefined) {
      return { title: undefined, lines: [`// Left out: ${call.method} ${operation}, ${why}`] }
    }
    const before = [...writeRate(call), ...writeCode(call), ...writeShareToken(call)]
    const named = names.create(STEMS[operation ?? ''] ?? 'answer')
    const code = `await ${callerOf(call)}.${toCall(call)}`
    const isV2 = response?.body?.success === true
    const expected = toExpected(call, names)
    const place = `${named.name}.${isV2 ? 'data' : 'body'}`
    names.noteAll(operation ?? undefined, dataOf(call), place, named)
    const caller = writeCaller(call, named)
    return { title: titleOf(call), lines: [...before, { named, code, expected }, ...caller] }
  }

  function findObstacle({ operation, response, request, failure }: RecordedCall) {
    if (operation === null) return 'which the contract does not have'
    if (response === null) return `which was not answered: ${failure}`
    if (response.status >= 500 || response.status === 429) return `answered ${response.status}`
    return request.text === undefined ? undefined : 'whose body was no JSON'
  }

  function writeRate(call: RecordedCall): Statement[] {
    const { coin = '', rate = 0 } = findRate(call) ?? {}
    if (!rates.has(coin) || rates.get(coin) === rate) return []
    rates.set(coin, rate)
    return [`await control.put('/rates', { ${coin}: { cad: ${rate} } })`]
  }

  /** The code from the inbox, or another where the recorded one was wrong. */
  function writeCode(call: RecordedCall): Statement[] {
    const { email, code: recorded } = loginOf(call)
    if (recorded === undefined || email === undefined || rightCodes.has(recorded)) return []
    const named = names.create('code')
    const isRight = isSuccess(call)
    if (isRight) rightCodes.add(recorded)
    names.note(recorded, isRight ? named.name : `otherThan(${named.name})`, named)
    return [{ named, code: `await codeOf(control, ${toText(email)})` }]
  }

  function writeShareToken(call: RecordedCall): Statement[] {
    const token = shareTokenOf(call)
    const user = facts.users.find(({ id }) => id === userIdOf(call))
    if (token === undefined || user === undefined) return []
    const named = names.create('share')
    names.note(token, `${named.name}.shareToken`, named)
    const code = `await control.post('/simulate/share-tokens', { email: ${toText(user.email)} })`
    return [{ named, code }]
  }

  /** Who calls with the token from now on. */
  function writeCaller(call: RecordedCall, verified: Named): Statement[] {
    const { email = '', token } = loginOf(call)
    if (token === undefined) return []
    const place = `${verified.name}.${dataOf(call).accessToken ? 'data.accessToken' : 'body.token'}`
    const named = names.create(stemOf(email))
    callers.set(token, { named, of: verified })
    return [{ named, code: `api.with({ authorization: \`Bearer \${${place}}\` })` }]
  }

  /** `api`, or somebody who logged in; with another key or none where that was sent. */
  function callerOf(call: RecordedCall): string {
    const token = bearerOf(call)
    const key = call.request.headers['x-api-key']
    const caller = token === undefined ? undefined : callers.get(token)
    if (caller) caller.named.isUsed = true
    if (caller?.of) caller.of.isUsed = true
    const headers = {
      ...(key !== mainKey && { 'x-api-key': key ?? null }),
      ...(call.request.headers.authorization !== undefined &&
        caller === undefined && { authorization: call.request.headers.authorization }),
    }
    const base = caller?.named.name ?? 'api'
    return Object.keys(headers).length === 0 ? base : `${base}.with(${toSource(headers, 0)})`
  }

  function toCall(call: RecordedCall): string {
    const { method, operation, request } = call
    const { pathname, searchParams } = parseTarget(call.target)
    const parts = pathname.split('/').slice(1)
    const path = toPath(parts.map((part) => names.find(decodePart(part)) ?? part))
    const verb = method.toLowerCase()
    const query = Object.fromEntries(
      [...searchParams].map(([name, value]) => [name, toQueryValue(operation, name, value)]),
    )
    // Only a read takes a query beside its path.
    const full = verb === 'get' || searchParams.size === 0 ? path : withQuery(path, query)
    const body = names.fill(operation ?? undefined, request.body)
    const sent = verb === 'get' ? (searchParams.size > 0 ? query : undefined) : (body ?? undefined)
    const head = `${verb}(${full}`
    if (sent === undefined) return `${head})`
    return `${head}, ${toSource(fillUrl(operation, sent), 0, head.length + 30)})`
  }

  function toQueryValue(operation: string | null, name: string, value: string): Json {
    const made = isMade(findKind(operation ?? undefined, name)) && names.find(value)
    if (made) return made
    return /^(0|[1-9]\d{0,8})(\.\d*[1-9])?$/.test(value) ? Number(value) : value
  }

  /** Webhooks go to where the scenario reads them. */
  function fillUrl(operation: string | null, sent: Json): Json {
    if (!/^(putWebhookConfiguration|v1PatchWebhooks)$/.test(operation ?? '')) return sent
    const fields = Object.entries(sent).map(([name, value]) => [
      name,
      /url$/i.test(name) && isCatchable(value) ? new Code('webhooks.url') : value,
    ])
    return Object.fromEntries(fields)
  }
}

const isCatchable = (url: unknown) =>
  typeof url === 'string' && /^http:\/\/127\.|^https:\/\/www\.example\.com/.test(url)

function withQuery(path: string, query: Record<string, Json>): string {
  const pairs = Object.entries(query).map(([name, value]) => {
    const text = value instanceof Code ? `\${${value.text}}` : encodeURIComponent(String(value))
    return `${encodeURIComponent(name)}=${text}`
  })
  return `\`${path.slice(1, -1)}?${pairs.join('&')}\``
}

/** What the result of an operation is called. */
const STEMS: Readonly<Record<string, string>> = {
  createUser: 'registered',
  findUsers: 'found',
  createQuote: 'quote',
  v1PriceQuote: 'quote',
  createTransaction: 'order',
  v1CreateTransaction: 'order',
  verifyLoginCode: 'verified',
  v1VerifyLoginCode: 'verified',
  createKycLink: 'link',
  getTransaction: 'read',
  cancelTransaction: 'cancelled',
  listTransactions: 'page',
}

/** The part of an address before the `@`, as a name. */
export function stemOf(email: string): string {
  const [local = ''] = email.split('@')
  const name = local.replace(/[^A-Za-z0-9]+/g, '')
  return /^[A-Za-z]/.test(name) ? name : `user${name}`
}

/** A registration and an order begin a step. */
function titleOf(call: RecordedCall): string | undefined {
  const { operation, request, response } = call
  const isRejected = response !== null && response.status >= 400
  const end = isRejected ? ', which is rejected' : ''
  if (operation === 'createUser') return `${stemOf(emailOf(call) ?? '')} registers${end}`
  if (!/createTransaction$/i.test(operation ?? '')) return undefined
  const { leftSideLabel, leftSideValue, rightSideLabel } = request.body ?? {}
  return `An order of ${rightSideLabel} for ${leftSideValue} ${leftSideLabel}${end}`
}

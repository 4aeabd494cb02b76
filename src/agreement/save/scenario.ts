import type { Json } from '../../client/http.ts'
import type { ActionRecord, RequestRecord } from '../../http/control/wire.ts'
import { formatDuration } from '../../world/duration.ts'
import { findKind, isFieldName, isMade, isObject, type Kind, mapFields } from '../fields.ts'
import { decodePart, parseTarget } from '../operations.ts'
import { isWord } from '../vocabulary.ts'
import { emailIn, inputOf, isCall, type SeenSession } from './session.ts'
import { Code, join, toSource, toText } from './source.ts'

/** What a scenario is given. */
const GIVEN = ['step', 'expect', 'api', 'control', 'login', 'webhooks']

/** A scenario that plays what a sandbox has seen, with stand-ins for what is secret or personal. */
export function writeScenario(session: SeenSession, title = 'A saved session'): string {
  const play = formatStory(session)
    .join('\n')
    .trimStart()
    .replace(/^(?=.)/gm, '    ')
  const given = GIVEN.filter((name) => new RegExp(`\\b${name}\\b`).test(play))
  return `// @ts-check

/**
 * Saved by ramp-sandbox save: keys, codes and personal data are stand-ins.
 *
 * @type {import('ramp-sandbox').Scenario}
 */
export default {
  title: ${toText(title)},
  description: 'Saved from what a sandbox has seen.',
  fixture: ${toSource(session.fixture, 2)},
  clock: ${toText(session.rows[0]?.at ?? '')},

  async play({ ${given.join(', ')} }) {
${play}
  },
}
${play.includes('statusesOf(') ? STATUSES_OF : ''}`
}

const STATUSES_OF = `
const statusesOf = (sent) =>
  sent.filter(({ generation }) => generation === 'v2').map(({ body }) => body.payload.status)
`

/** Shorter waits are the pace of the caller. */
const WAIT_MIN_MS = 1_000

/** Actions that a scenario does again: where, and the title of their step. */
const LEVERS: Readonly<Record<string, readonly [path: string, title: string]>> = {
  simulateKyc: ['users/:subject/kyc', 'The identity check is decided'],
  simulateAccess: ['users/:subject/access', 'Who may act for a user changes'],
  simulateAccount: ['users/:subject/account', 'The account of a user changes'],
  addUser: ['/users', 'A user is added'],
  simulateBuy: ['users/:subject/buy', 'A user buys'],
  simulateSell: ['users/:subject/sell', 'A user sells'],
  simulateFundsReceived: ['transactions/:subject/funds-received', 'The money arrives'],
  simulateSettled: ['transactions/:subject/settled', 'The transaction is settled'],
  simulateBankRefused: ['transactions/:subject/bank-refused', 'The bank refuses the payment'],
  simulateExpired: ['transactions/:subject/expired', 'The transaction expires'],
  simulateCancelled: ['transactions/:subject/cancelled', 'The transaction is cancelled'],
  simulateStatus: ['transactions/:subject/status', 'The status is changed'],
  putRates: ['/rates', 'The price of a coin changes'],
  patchSettings: ['/settings', 'Settings change'],
  createFault: ['/faults', 'A fault is added'],
  clearFaults: ['/faults', 'The faults are cleared'],
}
const VERBS: Readonly<Record<string, string>> = {
  putRates: 'put',
  patchSettings: 'patch',
  clearFaults: 'delete',
}

/** Pages are of one time, so what a person did there is done by the lever behind them. */
function leverOf(operation: string, { decision }: Json) {
  if (operation === 'decideKyc') return LEVERS.simulateKyc
  if (operation !== 'answerMoneyRequest') return LEVERS[operation]
  return decision === 'approve' ? LEVERS.simulateFundsReceived : LEVERS.simulateBankRefused
}

function formatStory({ rows, events, state, masker, fixture }: SeenSession): string[] {
  const lines: string[] = []
  /** The code for each value that the service made, as it is masked. */
  const made = new Map<string, Code>()
  /** Who calls with a token, by integrator and user. */
  const callers = new Map<string, Code>()
  const names = new Set([...GIVEN, 'statusesOf'])
  const main = fixture.integrators?.[0]?.name
  let now = Date.parse(rows[0]?.at ?? '')
  let waitMs = 0
  const configuring = /WebhookConfiguration$/
  const first = rows.filter(isCall).find(({ operation }) => configuring.test(operation ?? ''))
  // A scenario begins with a configuration.
  if (first?.status === 404) add("await api.delete('/v2/webhook-configurations')")
  rows.forEach((row, i) => {
    const next = rows[i + 1]
    if (!isCall(row)) {
      if (row.status < 300) formatAction(row)
    } else if (next && isCall(next) && isLogin(row, next)) waitUntil(row.at)
    else formatCall(row, rows[i - 1])
  })
  tellWebhooks()
  return lines

  /** Begins a step where there is a title for one, and lets the time pass until then. */
  function begin(title = lines.length === 0 ? 'The first calls' : undefined) {
    if (title) lines.push(`\nstep(${toText(title)})`)
    if (waitMs > 0) {
      lines.push(`await control.post('/clock/advance', { by: '${formatDuration(waitMs)}' })`)
    }
    waitMs = 0
  }

  function add(code: string) {
    begin()
    lines.push(code)
  }

  function declare(stem: string, code: string): Code {
    // `user12` would read as another user than `user1`, so that becomes `user1_2`.
    const base = names.has(stem) && /\d$/.test(stem) ? `${stem}_` : stem
    let name = stem
    for (let n = 2; names.has(name); n++) name = base + n
    names.add(name)
    add(`const ${name} = ${code}`)
    return new Code(name)
  }

  function waitUntil(at: string, minMs = WAIT_MIN_MS) {
    const ms = Date.parse(at) - now
    if (ms < minMs) return
    waitMs += ms
    now += ms
  }

  /** A login as the scenario's `login` does it: a code, and the call that verifies it. */
  function isLogin(sent: RequestRecord, verified: RequestRecord): boolean {
    const isOurs = [sent, verified].every((row) => row.status < 300 && row.integrator === main)
    const isPair = sent.operation === 'sendLoginCode' && verified.operation === 'verifyLoginCode'
    return isOurs && isPair && emailIn(sent) === emailIn(verified)
  }

  function formatCall(row: RequestRecord, before: SeenSession['rows'][0] | undefined) {
    waitUntil(row.at)
    const { operation, method, request, status } = row
    const why = findObstacle(row)
    if (why) return void lines.push(`// Left out: ${method} ${operation}, ${why}`)
    const user = findUser(row)
    const email = maskEmail(user?.email ?? emailIn(row))
    if (method !== 'GET') begin(toTitle(row))
    if (before && isCall(before) && isLogin(before, row)) return void logIn(row, email)
    readCode(row, email)
    const body = mask(operation, 'request', request.body)
    const isSent = method !== 'GET' && body !== null
    const sent = isSent ? `, ${toSource(fillUrls(operation, refer(operation, body)))}` : ''
    const path = toSource(toPath(row))
    const calling = `await ${callerOf(row)}.${method.toLowerCase()}(${path}${sent})`
    const answer = mask(operation, 'answer', row.response.body)
    const name = declare(toStem(operation), calling)
    const expected = toExpected(row, body, answer)
    lines.push(`expect(${name.text}, ${toSource(expected)})`)
    const place = `${name.text}${answer?.success === true ? '.data' : '.body'}`
    remember(operation, answer?.success === true ? answer.data : answer, place)
    if (!/erifyLoginCode$/.test(operation ?? '') || status >= 300) return
    const token = new Code(`${place}.${operation === 'verifyLoginCode' ? 'accessToken' : 'token'}`)
    const key = row.integrator === main ? undefined : keyOf(row)
    const headers = { 'x-api-key': key, authorization: join(['Bearer ', token]) }
    const caller = declare(stemOf(email), `api.with(${toSource(headers)})`)
    callers.set(`${row.integrator} ${user?.id}`, caller)
  }

  /** A login names its user by address. */
  function findUser(row: RequestRecord) {
    const email = row.userId === null ? emailIn(row) : undefined
    return state.users.find(
      ({ id, email: own }) => id === row.userId || own.toLowerCase() === email,
    )
  }

  function mask(operation: string | null, side: 'request' | 'answer', body: unknown): Json {
    return masker.body({ operation: operation ?? undefined, side }, body)
  }

  function maskEmail(email: string): string {
    return mask('createUser', 'request', { email }).email
  }

  function logIn(row: RequestRecord, email: string): Code {
    const caller = declare(stemOf(email), `await login(${toText(email)})`)
    callers.set(`${row.integrator} ${findUser(row)?.id}`, caller)
    return caller
  }

  function remember(operation: string | null, value: Json, place: string) {
    if (value === null || typeof value !== 'object') return
    for (const [field, part] of Object.entries<Json>(value)) {
      const inner = Array.isArray(value) ? `${place}[${field}]` : `${place}.${field}`
      if (part !== null && typeof part === 'object') remember(operation, part, inner)
      else if (part && isMade(findKind(operation, field)) && !made.has(String(part))) {
        made.set(String(part), new Code(inner))
      }
    }
  }

  /** A value with code for what the service made. */
  function refer(operation: string | null, value: Json): Json {
    return mapFields(operation, value, (part, kind) => {
      return (isMade(kind) && made.get(String(part))) || part
    })
  }

  function toPath({ method, url, operation }: RequestRecord): string | Code {
    const { pathname, searchParams } = parseTarget(masker.target(method, url))
    const path = pathname.split('/').flatMap((part) => ['/', made.get(decodePart(part)) ?? part])
    const query = [...searchParams].flatMap(([name, value], i) => {
      const shown = refer(operation, { [name]: value })[name]
      const start = `${i === 0 ? '?' : '&'}${encodeURIComponent(name)}=`
      return [start, shown instanceof Code ? shown : encodeURIComponent(value)]
    })
    return join([...path.slice(2), ...query])
  }

  /** A code that was in the inbox is read there; any other is as wrong as it was. */
  function readCode({ operation, request, url }: RequestRecord, email: string) {
    if (!/erifyLoginCode$/.test(operation ?? '')) return
    const sent = (request.body as Json)?.code ?? parseTarget(url).searchParams.get('login_code')
    const masked = String(mask('verifyLoginCode', 'request', { code: sent }).code)
    if (made.has(masked) || !state.messages.some(({ code }) => code === sent)) return
    const query = toSource({ email, kind: 'login-code' })
    const reading = `(await control.get('/inbox', ${query})).messages.at(-1).code`
    made.set(masked, declare('code', reading))
  }

  function keyOf({ integrator }: RequestRecord): string {
    return fixture.integrators?.find(({ name }) => name === integrator)?.apiKey ?? 'unknown-key'
  }

  /** `api`, or somebody who logged in; with another key or none where that was sent. */
  function callerOf(row: RequestRecord): string {
    const { integrator, userId, request } = row
    const isAuthorized = request.headers.authorization !== undefined
    const user = isAuthorized ? state.users.find(({ id }) => id === userId) : undefined
    const known = callers.get(`${integrator} ${userId}`)
    const base = user && (known ?? logIn(row, maskEmail(user.email))).text
    const isKeyed = request.headers['x-api-key'] !== undefined
    const headers = {
      ...(!isKeyed && { 'x-api-key': null }),
      ...(isKeyed && !base && integrator !== main && { 'x-api-key': keyOf(row) }),
      ...(isAuthorized && !base && row.status >= 400 && { authorization: 'Bearer invalid' }),
    }
    const isPlain = Object.keys(headers).length === 0
    return `${base ?? 'api'}${isPlain ? '' : `.with(${toSource(headers)})`}`
  }

  /** What a reader wants to see of a response; times and wording differ from run to run. */
  function toExpected({ operation, status, url }: RequestRecord, sent: Json, answer: Json): Json {
    const { success: _, ...body } = isObject(answer) ? answer : {}
    return { status, body: pick(body, '') }

    function pick(value: Json, name: string): Json {
      if (Array.isArray(value)) return value.map((entry) => pick(entry, name) ?? {})
      if (isObject(value)) {
        const fields = Object.entries(value).map(([key, part]) => [key, pick(part, key)])
        const shown = fields.filter(([, part]) => part !== undefined)
        return shown.length > 0 ? Object.fromEntries(shown) : undefined
      }
      const kind = findKind(operation, name)
      // A body sends them, so its response says nothing new.
      if (sent?.[name] === value) return undefined
      if (kind === 'id') return url.includes(value) ? undefined : made.get(String(value))
      if (!SHOWN.has(kind) || value === null) return undefined
      return kind === 'word' && !isWord(String(value)) ? undefined : value
    }
  }

  function formatAction(row: ActionRecord) {
    const { operation, kind } = row
    const caused = events.filter(({ cause }) => cause?.id === row.id)
    if (kind === 'clock' || kind === 'task') {
      const status = caused.at(-1)?.status
      waitUntil(row.until, 1)
      return status && begin(`Time passes: ${status}`)
    }
    waitUntil(row.at)
    const lever = leverOf(operation, inputOf(row))
    if (lever === undefined) return void lines.push(`// Left out: ${operation}`)
    const { decision, ...input } = maskInput(inputOf(row))
    const [path, title] = lever
    begin(title)
    const verb = VERBS[operation] ?? 'post'
    const [before, after = ''] = path.split(':subject')
    const isShort = path.startsWith('/')
    const subject = toSubject(row, caused[0]?.ref)
    const whole = isShort ? path : join([`/simulate/${before}`, subject, after])
    const isBare = verb === 'delete' || Object.keys(input).length === 0
    const body = isBare ? '' : `, ${toSource(refer(null, input))}`
    const calling = `await control.${verb}(${toSource(whole)}${body})`
    const ref = /^simulate(Buy|Sell)$/.test(operation) && caused[0]?.ref
    if (!ref) return add(calling)
    const named = declare('placed', calling)
    made.set(mask(null, 'answer', { id: ref }).id, new Code(`${named.text}.transaction.id`))
  }

  /** A person is named by address; a transaction, or a person of the state, by id. */
  function toSubject({ subject }: ActionRecord, ref = ''): string | Code {
    const named = subject ?? ref
    const user = state.users.find(({ id }) => id === named)
    if (user || named.includes('@')) return encodeURIComponent(maskEmail(user?.email ?? named))
    const { id } = mask('createUser', 'request', { id: named })
    return made.get(id) ?? id
  }

  /** The input of a lever has fields of its own, whose texts may name what calls have sent. */
  function maskInput(value: Json): Json {
    const { reasons: _, deliver: __, ...input } = value
    return mapFields(null, input, (part, _kind, name) => {
      if (typeof part !== 'string') return part
      return isFieldName(name) ? mask(null, 'answer', { [name]: part })[name] : masker.prose(part)
    })
  }

  /** At the end, the statuses of each transaction and user, as webhooks said them. */
  function tellWebhooks() {
    const statuses = new Map<string, string[]>()
    for (const { ref, status, integrator } of events) {
      if (integrator === main) statuses.set(ref, [...(statuses.get(ref) ?? []), status])
    }
    const seen = [...statuses].flatMap(([ref, list]) => {
      const { id } = mask('createUser', 'request', { id: ref })
      const isEarlier = fixture.users?.some((user) => user.id === id)
      const place = made.get(id) ?? (isEarlier ? id : undefined)
      return place === undefined ? [] : [{ place: toSource(place), list: toSource(list) }]
    })
    if (seen.length > 0) begin('A webhook was sent for each status')
    for (const { place, list } of seen) {
      lines.push(`expect(statusesOf(await webhooks.about(${place})), ${list})`)
    }
  }
}

/** Webhooks go to where the scenario reads them. */
function fillUrls(operation: string | null, sent: Json): Json {
  if (!/^(putWebhookConfiguration|v1PatchWebhooks)$/.test(operation ?? '')) return sent
  return mapFields(operation, sent, (value, _kind, name) => {
    const isCatchable = /^http:\/\/127\.|^https:\/\/www\.example\.com/.test(String(value))
    return /url$/i.test(name) && isCatchable ? new Code('webhooks.url') : value
  })
}

/** Kinds of fields that a reader wants to see. */
const SHOWN: ReadonlySet<Kind | undefined> = new Set<Kind>([
  ...(['amount', 'count', 'field', 'switch', 'word'] as const),
])

/** The words of an operation: `createTransaction` → `Create transaction`. */
function toTitle({ operation, status }: RequestRecord): string {
  const words = (operation ?? '').replace(/^v1/, '').replace(/(?=[A-Z])/g, ' ')
  const title = words
    .trim()
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())
  return status < 400 ? title : `${title}, which is rejected`
}

/** What the result of an operation is called: `createTransaction` → `transaction`. */
function toStem(operation: string | null): string {
  const [, noun = 'response'] = /[a-z]([A-Z]\w*)$/.exec((operation ?? '').replace(/^v1/, '')) ?? []
  return noun.replace(/^./, (first) => first.toLowerCase())
}

/** The part of an address before the `@`, as a name. */
function stemOf(email: string): string {
  const name = (email.split('@')[0] ?? '').replace(/[^A-Za-z0-9]+/g, '')
  return /^[A-Za-z]/.test(name) ? name : `user${name}`
}

function findObstacle({ operation, response, request, status }: RequestRecord): string | undefined {
  if (operation === null) return 'which the contract does not have'
  if (status === 0) return 'which got no response'
  if (typeof request.body === 'string') return 'whose body was not JSON'
  return typeof response.body === 'string' && response.body !== ''
    ? 'whose response is not kept'
    : undefined
}

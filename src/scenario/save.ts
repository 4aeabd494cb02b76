import type { Json } from '../client/http.ts'
import type { ActionRecord, RequestRecord } from '../levers/wire.ts'
import { formatDuration } from '../world/duration.ts'
import { emailIn, INPUT_MAX, inputOf, isCall, type SeenSession } from './session.ts'
import {
  Code,
  isExpected,
  isId,
  isMade,
  isObject,
  join,
  mapFields,
  Names,
  toSource,
} from './source.ts'

/** Arguments of a scenario. */
const GIVEN = ['step', 'expect', 'api', 'control', 'login', 'webhooks']

/** Writes a scenario that replays a session. */
export function writeScenario(session: SeenSession, title = 'A saved session'): string {
  const play = new PlayWriter(session)
    .write()
    .join('\n')
    .trimStart()
    .replace(/^(?=.)/gm, '    ')
  const given = GIVEN.filter((name) => new RegExp(`\\b${name}\\b`).test(play))
  return `// @ts-check

/** @type {import('ramp-sandbox').Scenario} */
export default {
  title: ${toSource(title)},
  description: 'Saved from what a sandbox has seen.',
  fixture: ${toSource(session.fixture).replaceAll('\n', '\n  ')},
  clock: ${toSource(session.rows[0]?.at ?? '')},

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

const CONFIGURING = /^(putWebhookConfiguration|v1PatchWebhooks)$/
const LOGIN_CODE_SENT = /endLoginCode$/
const LOGIN_CODE_VERIFIED = /erifyLoginCode$/

/** Shorter waits come from the caller's own speed and are left out. */
const WAIT_MIN_MS = 1_000

/** The body of `play`, line by line: calls with what to expect of them, and levers. */
class PlayWriter {
  #session: SeenSession
  #lines: string[] = []
  #names = new Names([...GIVEN, 'statusesOf'])
  /** The code for each value that the service made. */
  #made = new Map<string, Code>()
  /** Logged-in callers, by the ids of user and integrator. */
  #callers = new Map<string, Code>()
  /** The integrator whose key `api` has. */
  #main: string | undefined
  #now: number
  #waitMs = 0

  constructor(session: SeenSession) {
    this.#session = session
    this.#main = session.fixture.integrators?.[0]?.name
    this.#now = Date.parse(session.rows[0]?.at ?? '')
  }

  write(): string[] {
    const { rows } = this.#session
    const first = rows.filter(isCall).find(({ operation }) => /hookConfig/.test(operation ?? ''))
    // A scenario starts with a webhook configuration, but this session had none.
    if (first?.status === 404) this.#add("await api.delete('/v2/webhook-configurations')")
    for (const row of rows) {
      if (isCall(row)) this.#writeCall(row)
      else if (row.status < 300) this.#writeAction(row)
    }
    this.#writeStatuses()
    return this.#lines
  }

  /** Begins a step if there is a title, and advances the clock by the time waited. */
  #begin(title = this.#lines.length === 0 ? 'The first calls' : undefined) {
    if (title) this.#lines.push(`\nstep(${toSource(title)})`)
    if (this.#waitMs > 0) {
      const by = formatDuration(this.#waitMs)
      this.#lines.push(`await control.post('/clock/advance', { by: '${by}' })`)
    }
    this.#waitMs = 0
  }

  #add(code: string) {
    this.#begin()
    this.#lines.push(code)
  }

  #declare(stem: string, code: string): Code {
    const name = this.#names.take(stem)
    this.#add(`const ${name.text} = ${code}`)
    return name
  }

  #waitUntil(at: string, minMs = WAIT_MIN_MS) {
    const ms = Date.parse(at) - this.#now
    if (ms < minMs) return
    this.#waitMs += ms
    this.#now += ms
  }

  #writeCall(row: RequestRecord) {
    this.#waitUntil(row.at)
    const { operation, method, status } = row
    const why = findObstacle(row)
    if (why) {
      this.#lines.push(
        `// Left out: ${method} ${operation ?? parseTarget(row.url).pathname}, ${why}`,
      )
      return
    }
    const isLoginCall = status < 300 && row.integrator !== null
    // `login` sends a code, and verifies it.
    if (isLoginCall && LOGIN_CODE_SENT.test(operation ?? '')) return
    if (isLoginCall && LOGIN_CODE_VERIFIED.test(operation ?? '')) this.#logIn(row)
    else this.#makeCall(row)
  }

  #makeCall(row: RequestRecord) {
    const { operation, method, request, response, status } = row
    if (method !== 'GET') this.#begin(toTitle(row))
    if (status < 300 && CONFIGURING.test(operation ?? '')) this.#receiveWebhooks(request.body)
    const isSent = method !== 'GET' && request.body !== null
    const sent = isSent ? `, ${toSource(this.#refer(request.body))}` : ''
    const target = toSource(this.#toPath(row))
    const calling = `await ${this.#callerOf(row)}.${method.toLowerCase()}(${target}${sent})`
    const name = this.#declare(toStem(operation), calling).text
    this.#lines.push(`expect(${name}, ${toSource(this.#toExpected(row))})`)
    const { success, data }: Json = response.body ?? {}
    if (success === true) this.#remember(data, `${name}.data`)
    else this.#remember(response.body, `${name}.body`)
  }

  /** Webhooks go to where the scenario reads them. */
  #receiveWebhooks(body: Json) {
    for (const [name, to] of Object.entries<Json>(body)) {
      if (/url$/i.test(name) && to) this.#made.set(to, new Code('webhooks.url'))
    }
  }

  #logIn(row: RequestRecord): Code {
    // A login names its user by address.
    const user = this.#session.state.users.find(({ id, email }) =>
      row.userId === null ? email.toLowerCase() === emailIn(row) : id === row.userId,
    )
    const email = user?.email ?? emailIn(row)
    this.#begin(`${email} logs in`)
    const key = toSource({ 'x-api-key': this.#keyOf(row) })
    const by = row.integrator === this.#main ? '' : `, api.with(${key})`
    const caller = this.#declare(stemOf(email), `await login(${toSource(email)}${by})`)
    this.#callers.set(callerKey(user?.id, row), caller)
    return caller
  }

  /** Notes where a response has the values that the service made. */
  #remember(value: Json, place: string) {
    if (value === null || typeof value !== 'object') return
    for (const [field, part] of Object.entries<Json>(value)) {
      const inner = Array.isArray(value) ? `${place}[${field}]` : `${place}.${field}`
      if (part !== null && typeof part === 'object') this.#remember(part, inner)
      else if (part && isMade(field) && !this.#made.has(String(part))) {
        this.#made.set(String(part), new Code(inner))
      }
    }
  }

  /** Puts code in place of what the service made. */
  #refer(value: Json): Json {
    return mapFields(value, (part, field) => {
      return (isMade(field) && this.#made.get(String(part))) || part
    })
  }

  #toPath({ url }: RequestRecord): string | Code {
    const { pathname, searchParams } = parseTarget(url)
    const path = pathname
      .split('/')
      .flatMap((part) => ['/', this.#made.get(decodePart(part)) ?? part])
    const query = [...searchParams].flatMap(([name, value], i) => {
      const shown = this.#refer({ [name]: value })[name]
      const start = `${i === 0 ? '?' : '&'}${encodeURIComponent(name)}=`
      return [start, shown instanceof Code ? shown : encodeURIComponent(value)]
    })
    return join([...path.slice(2), ...query])
  }

  #keyOf({ integrator }: RequestRecord): string {
    const { integrators } = this.#session.fixture
    return integrators?.find(({ name }) => name === integrator)?.apiKey ?? 'unknown-key'
  }

  /** Code for the caller: `api` or a logged-in user, with another key, or none, if that was sent. */
  #callerOf(row: RequestRecord): string {
    const { integrator, request } = row
    const known = this.#findCaller(row)
    const isAuthorized = request.headers.authorization !== undefined
    const isKeyed = request.headers['x-api-key'] !== undefined
    const headers: Record<string, string | null> = {}
    if (!isKeyed) headers['x-api-key'] = null
    else if (integrator !== this.#main && !known) headers['x-api-key'] = this.#keyOf(row)
    if (isAuthorized && !known && row.status >= 400) headers.authorization = 'Bearer invalid'
    const isPlain = Object.keys(headers).length === 0
    return `${known?.text ?? 'api'}${isPlain ? '' : `.with(${toSource(headers)})`}`
  }

  #findCaller(row: RequestRecord): Code | undefined {
    const { userId, request } = row
    const isUser = this.#session.state.users.some(({ id }) => id === userId)
    if (request.headers.authorization === undefined || !isUser) return undefined
    return this.#callers.get(callerKey(userId, row)) ?? this.#logIn(row)
  }

  /** Fields of a response to expect; times and wording differ from run to run. */
  #toExpected(row: RequestRecord): Json {
    const { status, response } = row
    const { success: _, ...body }: Json = isObject(response.body) ? response.body : {}
    const shown = this.#pick(body, '', row)
    return { status, ...(shown && { body: shown }) }
  }

  #pick(value: Json, field: string, row: RequestRecord): Json {
    if (Array.isArray(value)) return value.map((entry) => this.#pick(entry, field, row) ?? {})
    if (isObject(value)) {
      const fields = Object.entries(value).map(([key, part]) => [key, this.#pick(part, key, row)])
      const shown = fields.filter(([, part]) => part !== undefined)
      return shown.length > 0 ? Object.fromEntries(shown) : undefined
    }
    const sent = row.request.body as Json
    // The request sent this value, so the response only repeats it.
    if (sent?.[field] === value) return undefined
    if (isId(field)) return row.url.includes(value) ? undefined : this.#made.get(String(value))
    return isExpected(value, field) ? (value ?? undefined) : undefined
  }

  #writeAction(row: ActionRecord) {
    const { kind, until, at, id } = row
    const caused = this.#session.events.filter(({ cause }) => cause?.id === id)
    if (kind === 'clock' || kind === 'task') {
      const status = caused.at(-1)?.status
      this.#waitUntil(until, 1)
      if (status) this.#begin(`Time passes: ${status}`)
      return
    }
    this.#waitUntil(at)
    this.#pullLever(row, caused[0]?.ref)
  }

  /** Writes a call that repeats an action; `ref` is the subject of its first event. */
  #pullLever(row: ActionRecord, ref: string | undefined) {
    const lever = this.#session.levers.get(leverBehind(row))
    // Only the beginning of a long input is kept.
    if (lever === undefined || (row.input?.length ?? 0) >= INPUT_MAX) {
      this.#lines.push(`// Left out: ${row.operation}`)
      return
    }
    const { method, path, title } = lever
    this.#begin(title)
    const [before = '', after] = path.split(/\{\w+\}/)
    const whole = after === undefined ? path : join([before, this.#toSubject(row, ref), after])
    const { decision: _, deliver: __, ...input } = inputOf(row)
    const isBare = method === 'delete' || Object.keys(input).length === 0
    const body = isBare ? '' : `, ${toSource(this.#refer(input))}`
    const calling = `await control.${method}(${toSource(whole)}${body})`
    if (!/^simulate(Buy|Sell)$/.test(row.operation) || ref === undefined) this.#add(calling)
    else this.#made.set(ref, new Code(`${this.#declare('placed', calling).text}.transaction.id`))
  }

  /** Names a user by e-mail address, and anything else by id. */
  #toSubject({ subject }: ActionRecord, ref = ''): string | Code {
    const named = subject ?? ref
    const user = this.#session.state.users.find(({ id }) => id === named)
    if (user || named.includes('@')) return encodeURIComponent(user?.email ?? named)
    return this.#made.get(named) ?? named
  }

  /** Expects, at the end, the statuses of each transaction and user that webhooks reported. */
  #writeStatuses() {
    const { events, fixture } = this.#session
    const statuses = new Map<string, string[]>()
    for (const { ref, status, integrator } of events) {
      if (integrator === this.#main) statuses.set(ref, [...(statuses.get(ref) ?? []), status])
    }
    const seen = [...statuses].flatMap(([ref, list]) => {
      const isEarlier = fixture.users?.some(({ id }) => id === ref)
      const place = this.#made.get(ref) ?? (isEarlier ? ref : undefined)
      return place === undefined ? [] : [{ place: toSource(place), list: toSource(list) }]
    })
    if (seen.length > 0) this.#begin('A webhook was sent for each status')
    for (const { place, list } of seen) {
      this.#lines.push(`expect(statusesOf(await webhooks.about(${place})), ${list})`)
    }
  }
}

/** Replaces what somebody did on a page by its lever, because links to pages work only once. */
function leverBehind(row: ActionRecord): string {
  if (row.operation === 'decideKyc') return 'simulateKyc'
  if (row.operation !== 'answerMoneyRequest') return row.operation
  return inputOf(row).decision === 'approve' ? 'simulateFundsReceived' : 'simulateBankRefused'
}

const callerKey = (userId: string | null | undefined, { integrator }: RequestRecord) =>
  `${integrator} ${userId}`

/** The words of an operation: `createTransaction` → `Create transaction`. */
function toTitle({ operation, status }: RequestRecord): string {
  const words = (operation ?? '').replace(/^v1/, '').replace(/(?=[A-Z])/g, ' ')
  const title = words
    .trim()
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())
  return status < 400 ? title : `${title}, which is rejected`
}

/** Name of the result of an operation: `createTransaction` → `transaction`. */
function toStem(operation: string | null): string {
  const [, noun = 'response'] = /[a-z]([A-Z]\w*)$/.exec((operation ?? '').replace(/^v1/, '')) ?? []
  return noun.replace(/^./, (first) => first.toLowerCase())
}

/** The part of an address before the `@`, as a name. */
function stemOf(email: string): string {
  const name = (email.split('@')[0] ?? '').replace(/[^A-Za-z0-9]+/g, '')
  return /^[A-Za-z]/.test(name) ? name : `user${name}`
}

/** Why a scenario cannot make a call, if it cannot. */
export function findObstacle({
  operation,
  response,
  request,
  status,
}: RequestRecord): string | undefined {
  if (operation === null) return 'which the contract does not have'
  if (status === 0) return 'which got no response'
  if (typeof request.body === 'string') return 'whose body was not JSON'
  return typeof response.body === 'string' && response.body !== ''
    ? 'whose response is not kept'
    : undefined
}

/** Parses a call's target, whose path may begin with two slashes like a host. */
const parseTarget = (target: string): URL =>
  new URL(target.startsWith('/') ? `http://any${target}` : target)

/** Decodes a part of a path, and leaves malformed parts as they are. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

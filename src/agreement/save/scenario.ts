import { inspect } from 'node:util'
import type { Json } from '../../client/http.ts'
import type { ActionRecord, RequestRecord } from '../../levers/wire.ts'
import { formatDuration } from '../../world/duration.ts'
import { findKind, isMade, isObject, type Kind, mapFields } from '../fields.ts'
import { decodePart, parseTarget } from '../operations.ts'
import { emailIn, INPUT_MAX, inputOf, isCall, type SeenSession } from './session.ts'

/** Arguments of a scenario. */
const GIVEN = ['step', 'expect', 'api', 'control', 'login', 'webhooks']

/** A scenario that plays what a sandbox has seen. */
export function writeScenario(session: SeenSession, title = 'A saved session'): string {
  const play = formatStory(session)
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

/** Shorter waits are the pace of the caller. */
const WAIT_MIN_MS = 1_000

/** Pages are of one time, so what a person did there is done by the lever behind them. */
function behind({ operation, ...row }: ActionRecord): string {
  if (operation === 'decideKyc') return 'simulateKyc'
  if (operation !== 'answerMoneyRequest') return operation
  return inputOf({ operation, ...row }).decision === 'approve'
    ? 'simulateFundsReceived'
    : 'simulateBankRefused'
}

function formatStory({ rows, events, state, fixture, levers }: SeenSession): string[] {
  const lines: string[] = []
  /** The code for each value that the service made. */
  const made = new Map<string, Code>()
  /** Who calls with a token, by the id of the user and the integrator. */
  const callers = new Map<string, Code>()
  const names = new Set([...GIVEN, 'statusesOf'])
  const main = fixture.integrators?.[0]?.name
  let now = Date.parse(rows[0]?.at ?? '')
  let waitMs = 0
  const first = rows.filter(isCall).find(({ operation }) => /hookConfig/.test(operation ?? ''))
  // A scenario begins with a configuration.
  if (first?.status === 404) add("await api.delete('/v2/webhook-configurations')")
  for (const row of rows) {
    if (isCall(row)) formatCall(row)
    else if (row.status < 300) formatAction(row)
  }
  tellWebhooks()
  return lines

  /** Begins a step where there is a title for one, and lets the time pass until then. */
  function begin(title = lines.length === 0 ? 'The first calls' : undefined) {
    if (title) lines.push(`\nstep(${toSource(title)})`)
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

  function formatCall(row: RequestRecord) {
    waitUntil(row.at)
    const { operation, method, request, response, status } = row
    const why = findObstacle(row)
    if (why) return void lines.push(`// Left out: ${method} ${operation}, ${why}`)
    if (status < 300 && row.integrator !== null) {
      // A login sends a code, and verifies it.
      if (/endLoginCode$/.test(operation ?? '')) return
      if (/erifyLoginCode$/.test(operation ?? '')) return void logIn(row)
    }
    if (method !== 'GET') begin(toTitle(row))
    if (status < 300 && CONFIGURING.test(operation ?? '')) receiveWebhooks(request.body)
    const isSent = method !== 'GET' && request.body !== null
    const sent = isSent ? `, ${toSource(refer(operation, request.body))}` : ''
    const calling = `await ${callerOf(row)}.${method.toLowerCase()}(${toSource(toPath(row))}${sent})`
    const name = declare(toStem(operation), calling).text
    lines.push(`expect(${name}, ${toSource(toExpected(row))})`)
    const { success, data }: Json = response.body ?? {}
    if (success === true) remember(operation, data, `${name}.data`)
    else remember(operation, response.body, `${name}.body`)
  }

  /** Webhooks go to where the scenario reads them. */
  function receiveWebhooks(body: Json) {
    for (const [name, to] of Object.entries<Json>(body)) {
      if (/url$/i.test(name) && to) made.set(to, new Code('webhooks.url'))
    }
  }

  function logIn(row: RequestRecord): Code {
    // A login names its user by address.
    const user = state.users.find(({ id, email }) =>
      row.userId === null ? email.toLowerCase() === emailIn(row) : id === row.userId,
    )
    const email = user?.email ?? emailIn(row)
    begin(`${email} logs in`)
    const by = row.integrator === main ? '' : `, api.with(${toSource({ 'x-api-key': keyOf(row) })})`
    const caller = declare(stemOf(email), `await login(${toSource(email)}${by})`)
    callers.set(callerKey(user?.id, row), caller)
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

  function toPath({ url, operation }: RequestRecord): string | Code {
    const { pathname, searchParams } = parseTarget(url)
    const path = pathname.split('/').flatMap((part) => ['/', made.get(decodePart(part)) ?? part])
    const query = [...searchParams].flatMap(([name, value], i) => {
      const shown = refer(operation, { [name]: value })[name]
      const start = `${i === 0 ? '?' : '&'}${encodeURIComponent(name)}=`
      return [start, shown instanceof Code ? shown : encodeURIComponent(value)]
    })
    return join([...path.slice(2), ...query])
  }

  function keyOf({ integrator }: RequestRecord): string {
    return fixture.integrators?.find(({ name }) => name === integrator)?.apiKey ?? 'unknown-key'
  }

  /** `api`, or somebody who logged in; with another key or none where that was sent. */
  function callerOf(row: RequestRecord): string {
    const { integrator, userId, request } = row
    const isAuthorized = request.headers.authorization !== undefined
    const isKnown = isAuthorized && state.users.some(({ id }) => id === userId)
    const known = isKnown ? (callers.get(callerKey(userId, row)) ?? logIn(row)) : undefined
    const isKeyed = request.headers['x-api-key'] !== undefined
    const headers = {
      ...(!isKeyed && { 'x-api-key': null }),
      ...(isKeyed && integrator !== main && !known && { 'x-api-key': keyOf(row) }),
      ...(isAuthorized && !known && row.status >= 400 && { authorization: 'Bearer invalid' }),
    }
    const isPlain = Object.keys(headers).length === 0
    return `${known?.text ?? 'api'}${isPlain ? '' : `.with(${toSource(headers)})`}`
  }

  /** Fields of a response to expect; times and wording differ from run to run. */
  function toExpected({ operation, status, url, request, response }: RequestRecord): Json {
    const { success: _, ...body }: Json = isObject(response.body) ? response.body : {}
    const sent = request.body as Json
    const shown = pick(body, '')
    return { status, ...(shown && { body: shown }) }

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
      return SHOWN.has(kind) ? (value ?? undefined) : undefined
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
    const lever = levers.get(behind(row))
    const { decision: _, deliver: __, ...input } = inputOf(row)
    // Only the beginning of a long input is kept.
    if (lever === undefined || (row.input?.length ?? 0) >= INPUT_MAX)
      return void lines.push(`// Left out: ${operation}`)
    const { method, path, title } = lever
    begin(title)
    const ref = caused[0]?.ref
    const [before = '', after] = path.split(/\{\w+\}/)
    const whole = after === undefined ? path : join([before, toSubject(row, ref), after])
    const isBare = method === 'delete' || Object.keys(input).length === 0
    const body = isBare ? '' : `, ${toSource(refer(null, input))}`
    const calling = `await control.${method}(${toSource(whole)}${body})`
    if (!/^simulate(Buy|Sell)$/.test(operation) || ref === undefined) return add(calling)
    made.set(ref, new Code(`${declare('placed', calling).text}.transaction.id`))
  }

  /** A person is named by address; a transaction, or a person of the state, by id. */
  function toSubject({ subject }: ActionRecord, ref = ''): string | Code {
    const named = subject ?? ref
    const user = state.users.find(({ id }) => id === named)
    if (user || named.includes('@')) return encodeURIComponent(user?.email ?? named)
    return made.get(named) ?? named
  }

  /** At the end, the statuses of each transaction and user, as webhooks said them. */
  function tellWebhooks() {
    const statuses = new Map<string, string[]>()
    for (const { ref, status, integrator } of events) {
      if (integrator === main) statuses.set(ref, [...(statuses.get(ref) ?? []), status])
    }
    const seen = [...statuses].flatMap(([ref, list]) => {
      const isEarlier = fixture.users?.some(({ id }) => id === ref)
      const place = made.get(ref) ?? (isEarlier ? ref : undefined)
      return place === undefined ? [] : [{ place: toSource(place), list: toSource(list) }]
    })
    if (seen.length > 0) begin('A webhook was sent for each status')
    for (const { place, list } of seen) {
      lines.push(`expect(statusesOf(await webhooks.about(${place})), ${list})`)
    }
  }
}

const callerKey = (userId: string | null | undefined, { integrator }: RequestRecord) =>
  `${integrator} ${userId}`

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

function findObstacle({ operation, response, request, status }: RequestRecord): string | undefined {
  if (operation === null) return 'which the contract does not have'
  if (status === 0) return 'which got no response'
  if (typeof request.body === 'string') return 'whose body was not JSON'
  return typeof response.body === 'string' && response.body !== ''
    ? 'whose response is not kept'
    : undefined
}

/** Code that stands where a value would. */
class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  [inspect.custom]() {
    return this.text
  }
}

/** Texts and code, joined into one text. */
function join(parts: readonly (string | Code)[]): string | Code {
  if (!parts.some((part) => part instanceof Code)) return parts.join('')
  const text = parts.map((part) => (part instanceof Code ? `\${${part.text}}` : part)).join('')
  return new Code(`\`${text}\``)
}

/** Writes a value as JavaScript. */
const toSource = (value: Json): string =>
  inspect(value, { depth: null, breakLength: 96, maxArrayLength: null, maxStringLength: null })

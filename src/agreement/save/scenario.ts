import type { Json } from '../../client/http.ts'
import type { ActionRecord, RequestRecord } from '../../http/control/wire.ts'
import { formatDuration } from '../../world/duration.ts'
import { findKind, isFieldName, type Kind } from '../fields.ts'
import { decodePart, parseTarget } from '../operations.ts'
import { isObject } from '../replay/compare.ts'
import { isMade } from '../replay/matches.ts'
import { isWord } from '../vocabulary.ts'
import {
  emailIn,
  findLogins,
  inputOf,
  isCall,
  isUnconfigured,
  type SeenSession,
} from './session.ts'
import { Code, code, createWriter, join, type Named, Ref, toText } from './source.ts'
import { lowerFirst, STEMS, stemOf, titleOfAction, titleOfCall, toLever, toWords } from './words.ts'

export interface SaveOptions {
  title?: string | undefined
  description?: string | undefined
}

type Statement =
  | { step: string }
  | { comment: string }
  | { code: Code; named?: Named; expected?: Json }

/** What a scenario is given. */
const GIVEN = ['step', 'expect', 'api', 'control', 'login', 'webhooks']

/** A scenario that plays what a sandbox has seen, as a person would write it. */
export function writeScenario(session: SeenSession, options: SaveOptions = {}): string {
  const { title = 'A saved session', description = 'Saved from what a sandbox has seen.' } = options
  const writer = createWriter([...GIVEN, 'statusesOf'])
  const fixture = writer.toSource(session.fixture, 2, 11)
  const lines = tellStory(session).map(format)
  const play = lines
    .join('\n')
    .trimStart()
    .replace(/^(?=.)/gm, '    ')
  const given = GIVEN.filter((name) => new RegExp(`\\b${name}\\b`).test(play))
  return [
    '// @ts-check',
    '',
    '/**',
    ' * Saved by ramp-sandbox save: keys, codes and personal data are stand-ins.',
    ' *',
    " * @type {import('ramp-sandbox').Scenario}",
    ' */',
    'export default {',
    `  title: ${toText(title)},`,
    `  description: ${toText(description)},`,
    `  fixture: ${fixture},`,
    `  clock: ${toText(session.rows[0]?.at ?? '')},`,
    '',
    `  async play({ ${given.join(', ')} }) {`,
    play,
    '  },',
    '}',
    ...(play.includes('statusesOf(') ? ['', STATUSES_OF] : []),
    '',
  ].join('\n')

  function format(statement: Statement): string {
    if ('step' in statement) return `\nstep(${toText(statement.step)})`
    if ('comment' in statement) return `// ${statement.comment}`
    const { code, named, expected } = statement
    const declared = named?.isUsed ? `const ${writer.nameOf(named)} = ` : ''
    const check = (actual: string) =>
      `expect(${actual}, ${writer.toSource(expected, 0, 13 + actual.length)})`
    if (expected === undefined) return declared + writer.toCode(code, 4 + declared.length)
    if (!named?.isUsed) return check(writer.toCode(code, 11))
    return `${declared}${writer.toCode(code, 4 + declared.length)}\n${check(named.name ?? '')}`
  }
}

const STATUSES_OF = `const statusesOf = (sent) =>
  sent.filter(({ generation }) => generation === 'v2').map(({ body }) => body.payload.status)`

/** Shorter waits are the pace of whoever called. */
const WAIT_MIN_MS = 1_000
/** Longer ones are worth a title. */
const TITLE_MIN_MS = 60_000

function tellStory({ rows, events, state, masker, fixture }: SeenSession): Statement[] {
  const lines: Statement[] = []
  /** What stands for each value that the service made. */
  const refs = new Map<string, Ref>()
  /** Who calls with a token, by integrator and user. */
  const callers = new Map<string, Ref>()
  const main = fixture.integrators?.[0]?.name
  const logins = findLogins(rows.filter(isCall), main)
  let now = Date.parse(rows[0]?.at ?? '')
  let waited: { title: string | undefined; code: Code } | undefined
  if (isUnconfigured(rows)) add(code`await api.delete('/v2/webhook-configurations')`)
  for (const row of rows) {
    if (isCall(row)) tellCall(row)
    else if (row.status < 300) tellAction(row)
  }
  begin()
  tellWebhooks()
  return lines

  /** Ends a wait, and begins a step where there is a title for one. */
  function begin(title?: string) {
    const [first, second] = [waited?.title, title].filter((part) => part !== undefined)
    if (first) lines.push({ step: second ? `${first}: ${lowerFirst(second)}` : first })
    if (waited) lines.push({ code: waited.code })
    waited = undefined
  }

  function add(code: Code, more: { named?: Named; expected?: Json } = {}) {
    begin(lines.length === 0 && !waited?.title ? 'The first calls' : undefined)
    lines.push({ code, ...more })
  }

  function pass(at: string, title?: string) {
    const ms = Date.parse(at) - now
    if (ms <= 0 || (ms < WAIT_MIN_MS && title === undefined)) return
    begin()
    const by = formatDuration(ms)
    const usual = ms < TITLE_MIN_MS ? undefined : `${toWords(ms)} later`
    waited = { title: title ?? usual, code: code`await control.post('/clock/advance', ${{ by }})` }
    now += ms
  }

  function tellCall(row: RequestRecord) {
    pass(row.at)
    const { operation, method, request, id } = row
    const why = findObstacle(row)
    if (why) return void lines.push({ comment: `Left out: ${method} ${operation}, ${why}` })
    if (logins.get(id) === 'sent') return
    const user = findUser(row)
    const email = maskEmail(user?.email ?? emailIn(row.url, request))
    const body = mask(operation, 'request', request.body)
    const title = titleOfCall(row, stemOf(email), body)
    if (title) begin(title)
    if (logins.get(id) === 'verified') return void logIn(row, email)
    readCode(row, email)
    const named: Named = { stem: STEMS[operation ?? ''] ?? 'response', isUsed: false }
    const sent =
      method === 'GET' || body === null ? undefined : fillUrls(operation, refer(operation, body))
    const answer = mask(operation, 'answer', row.response.body)
    const [caller, path] = [callerOf(row), toPath(row)]
    const verb = new Code([method.toLowerCase()])
    const sending =
      sent === undefined
        ? code`await ${caller}.${verb}(${path})`
        : code`await ${caller}.${verb}(${path}, ${sent})`
    add(sending, { named, expected: toExpected(row, body, answer) })
    const isV2 = answer?.success === true
    remember(operation, isV2 ? answer.data : answer, named, isV2 ? '.data' : '.body')
    if (isVerify(row) && row.status < 300) noteCaller(row, email, named)
  }

  /** A login names its user by address. */
  function findUser({ userId, url, request }: RequestRecord) {
    const email = userId === null ? emailIn(url, request) : undefined
    return state.users.find((user) => user.id === userId || user.email.toLowerCase() === email)
  }

  function mask(operation: string | null, side: 'request' | 'answer', body: unknown): Json {
    return masker.body({ operation: operation ?? undefined, side }, body)
  }

  function maskEmail(email: string): string {
    return mask('createUser', 'request', { email }).email
  }

  /** Asks for the token as a person would, in place of the two calls that a client made. */
  function logIn(row: RequestRecord, email: string): Ref {
    const named: Named = { stem: stemOf(email), isUsed: false }
    const caller = new Ref(named)
    add(code`await login(${email})`, { named })
    callers.set(`${row.integrator} ${findUser(row)?.id}`, caller)
    return caller
  }

  function noteCaller(row: RequestRecord, email: string, of: Named) {
    const { integrator, operation } = row
    const token = new Ref(of, operation === 'verifyLoginCode' ? '.data.accessToken' : '.body.token')
    const key = integrator === main ? undefined : keyOf(integrator)
    const headers = { 'x-api-key': key, authorization: join(['Bearer ', use(token)]) }
    const named: Named = { stem: stemOf(email), isUsed: false }
    add(code`api.with(${headers})`, { named })
    callers.set(`${integrator} ${findUser(row)?.id}`, new Ref(named))
  }

  function remember(operation: string | null, value: Json, named: Named, place: string) {
    if (value === null || typeof value !== 'object') return
    for (const [field, part] of Object.entries<Json>(value)) {
      const inner = Array.isArray(value) ? `${place}[${field}]` : `${place}.${field}`
      if (part !== null && typeof part === 'object') remember(operation, part, named, inner)
      else if (part && isMade(findKind(operation ?? undefined, field)) && !refs.has(String(part))) {
        refs.set(String(part), new Ref(named, inner))
      }
    }
  }

  function find(value: unknown): Ref | undefined {
    const found = refs.get(String(value))
    return found && use(found)
  }

  /** A value with references to what the service made. */
  function refer(operation: string | null, value: Json, name = ''): Json {
    if (Array.isArray(value)) return value.map((part) => refer(operation, part, name))
    if (isObject(value)) {
      const fields = Object.entries<Json>(value)
      return Object.fromEntries(fields.map(([key, part]) => [key, refer(operation, part, key)]))
    }
    return (isMade(findKind(operation ?? undefined, name)) && find(value)) || value
  }

  function toPath({ method, url, operation }: RequestRecord): string | Code {
    const { pathname, searchParams } = parseTarget(masker.target(method, url))
    const path = pathname.split('/').flatMap((part) => ['/', find(decodePart(part)) ?? part])
    const query = [...searchParams].flatMap(([name, value], i) => {
      const made = refer(operation, value, name)
      const shown = made instanceof Ref ? made : encodeURIComponent(value)
      return [`${i === 0 ? '?' : '&'}${encodeURIComponent(name)}=`, shown]
    })
    return join([...path.slice(2), ...query])
  }

  /** A code that was in the inbox is read there; any other is as wrong as it was. */
  function readCode(row: RequestRecord, email: string) {
    if (!isVerify(row)) return
    const sent =
      (row.request.body as Json)?.code ?? parseTarget(row.url).searchParams.get('login_code')
    const masked = mask('verifyLoginCode', 'request', { code: sent }).code
    if (refs.has(String(masked)) || !state.messages.some(({ code }) => code === sent)) return
    const named: Named = { stem: 'code', isUsed: false }
    const query = { email, kind: 'login-code' }
    add(code`(await control.get('/inbox', ${query})).messages.at(-1).code`, { named })
    refs.set(String(masked), new Ref(named))
  }

  function keyOf(integrator: string | null): string {
    return fixture.integrators?.find(({ name }) => name === integrator)?.apiKey ?? 'unknown-key'
  }

  /** `api`, or somebody who logged in; with another key or none where that was sent. */
  function callerOf(row: RequestRecord): Ref | Code {
    const { integrator, userId, request } = row
    const isAuthorized = request.headers.authorization !== undefined
    const user = isAuthorized ? state.users.find(({ id }) => id === userId) : undefined
    const caller = callers.get(`${integrator} ${userId}`)
    const base = user && (caller ?? logIn(row, maskEmail(user.email)))
    const isKeyed = request.headers['x-api-key'] !== undefined
    const headers = {
      ...(!isKeyed && { 'x-api-key': null }),
      ...(isKeyed && !base && integrator !== main && { 'x-api-key': keyOf(integrator) }),
      ...(isAuthorized && !base && { authorization: 'Bearer invalid' }),
    }
    const named = base ? use(base) : new Code(['api'])
    return Object.keys(headers).length === 0 ? named : code`${named}.with(${headers})`
  }

  /** What a reader wants to see of a response; times and wording differ from run to run. */
  function toExpected({ operation, status, url }: RequestRecord, sent: Json, answer: Json): Json {
    const { success: _, ...body } = isObject(answer) ? answer : {}
    const shown = pick(body, '')
    return { status, ...(!isEmpty(shown) && { body: shown }) }

    function pick(value: Json, name: string): Json {
      if (Array.isArray(value)) return value.map((entry) => pick(entry, name) ?? {})
      if (isObject(value)) {
        const fields = Object.entries(value).map(([key, part]) => [key, pick(part, key)])
        return Object.fromEntries(fields.filter(([, part]) => part !== undefined && !isEmpty(part)))
      }
      const kind = findKind(operation ?? undefined, name)
      // A body sends them, so its response says nothing new.
      if (sent?.[name] === value) return undefined
      if (kind === 'id') return url.includes(value) ? undefined : find(value)
      if (!SHOWN.has(kind) || value === null) return undefined
      return kind === 'word' && !isWord(String(value)) ? undefined : value
    }
  }

  function tellAction(row: ActionRecord) {
    const caused = events.filter(({ cause }) => cause?.id === row.id)
    if (row.kind === 'clock' || row.kind === 'task') {
      if (row.kind === 'clock') pass(row.at)
      return pass(row.until, titleOfAction(row, { caused, who: '', input: {} }))
    }
    pass(row.at)
    const input = maskInput(inputOf(row))
    const subject = mask('createUser', 'request', toSubject(row.subject ?? caused[0]?.ref ?? ''))
    const lever = toLever(row.operation, input)
    if (lever === undefined) return void lines.push({ comment: `Left out: ${row.operation}` })
    begin(titleOfAction(row, { caused, who: stemOf(subject.email ?? 'user'), input }))
    const named: Named = { stem: 'placed', isUsed: false }
    const id = subject.email ? encodeURIComponent(subject.email) : (find(subject.id) ?? subject.id)
    const [before, after] = lever.path.split(':subject')
    const path = after === undefined ? lever.path : join([before ?? '', id, after])
    const verb = new Code([lever.verb])
    const isBare = lever.verb === 'delete' || isEmpty(lever.body)
    const body = refer(null, lever.body)
    add(
      isBare ? code`await control.${verb}(${path})` : code`await control.${verb}(${path}, ${body})`,
      { named },
    )
    if (!/^simulate(Buy|Sell)$/.test(row.operation)) return
    const made = mask(null, 'answer', { id: caused[0]?.ref }).id
    if (made) refs.set(String(made), new Ref(named, '.transaction.id'))
  }

  /** A person is named by address; a transaction, or a person of the state, by id. */
  function toSubject(subject: string) {
    const user = state.users.find(({ id }) => id === subject)
    return user || subject.includes('@') ? { email: user?.email ?? subject } : { id: subject }
  }

  /** The input of a lever has fields of its own, whose texts may name what calls have sent. */
  function maskInput(value: Json, name = ''): Json {
    if (Array.isArray(value)) return value.map((part) => maskInput(part, name))
    if (isObject(value)) {
      const shown = Object.entries(value).filter(([field]) => !/^(reasons|deliver)$/.test(field))
      return Object.fromEntries(shown.map(([field, part]) => [field, maskInput(part, field)]))
    }
    if (typeof value !== 'string') return value
    return isFieldName(name) ? mask(null, 'answer', { [name]: value })[name] : masker.prose(value)
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
      const place = find(id) ?? (isEarlier ? id : undefined)
      return place === undefined ? [] : [{ place, list }]
    })
    if (seen.length > 0) begin('A webhook was sent for each status')
    for (const { place, list } of seen) {
      lines.push({ code: code`expect(statusesOf(await webhooks.about(${place})), ${list})` })
    }
  }
}

const use = (ref: Ref): Ref => {
  ref.named.isUsed = true
  return ref
}

/** Webhooks go to where the scenario reads them. */
function fillUrls(operation: string | null, sent: Json): Json {
  if (!/^(putWebhookConfiguration|v1PatchWebhooks)$/.test(operation ?? '')) return sent
  const fields = Object.entries(sent).map(([name, value]) => {
    const isCatchable = /^http:\/\/127\.|^https:\/\/www\.example\.com/.test(String(value))
    return [name, /url$/i.test(name) && isCatchable ? new Code(['webhooks.url']) : value]
  })
  return Object.fromEntries(fields)
}

/** Kinds of fields that a reader wants to see. */
const SHOWN: ReadonlySet<Kind | undefined> = new Set<Kind>([
  'amount',
  'count',
  'field',
  'switch',
  'word',
])

/** An empty list says that there is none; an empty object says nothing. */
const isEmpty = (value: Json): boolean =>
  isObject(value) &&
  !(value instanceof Ref) &&
  !(value instanceof Code) &&
  Object.keys(value).length === 0

const isVerify = ({ operation }: RequestRecord) => /^(v1V|v)erifyLoginCode$/.test(operation ?? '')

function findObstacle({ operation, response, request, status }: RequestRecord): string | undefined {
  if (operation === null) return 'which the contract does not have'
  if (status === 0) return 'which got no response'
  if (typeof request.body === 'string') return 'whose body was not JSON'
  return typeof response.body === 'string' && response.body !== ''
    ? 'whose response is not kept'
    : undefined
}

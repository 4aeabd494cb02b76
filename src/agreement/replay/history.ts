import type { Json } from '../../client/http.ts'
import type { FixtureDocument, FixtureUser } from '../../fixture/format.ts'
import { isEmail } from '../../world/profile.ts'
import { USER_STATUSES, type UserStatus } from '../../world/state.ts'
import { decodePart, parseTarget } from '../operations.ts'
import { toProfile } from '../profile.ts'
import type { RecordedCall, RecordingEntry } from '../recording.ts'

/** A status that a user or a transaction was seen to have. */
interface Sighting {
  /** Position of the entry in the recording. */
  index: number
  status: string
  /** `call` where the call itself decided about it; `acts` where only its success or failure shows it. */
  source: 'call' | 'read' | 'webhook' | 'acts'
}

interface SeenUser {
  email: string
  id: string | undefined
  /** Whether a call of the recording registered it; otherwise it is from before. */
  isCreated: boolean
  seen: Sighting[]
  /** Whether the key alone is enough to act for it. */
  keyAccess: { index: number; has: boolean }[]
  /** Requirements of the first read. */
  outstanding?: string[]
}

interface SeenTransaction {
  id: string
  isCreated: boolean
  email: string | undefined
  seen: Sighting[]
  /** Transaction as first shown, for one from before the recording. */
  first: Json
}

/** Something that happened outside, and where among the entries. */
export interface Outside {
  index: number
  /** Before the clock goes to the entry, where only its result was seen; else right at it. */
  isBefore: boolean
  /** The status that a transaction got, or the call of a lever: a reviewer decided. */
  what: { transaction: string; status: string } | { path: string; body: object }
}

/** History of the world around a recording. */
export interface History {
  /** The world before: who is used and was not created. */
  start: FixtureDocument
  /** In order. */
  outside: Outside[]
  /** Who logged in for a token. */
  tokens: ReadonlyMap<string, string>
  emailOf(userId: string): string
}

/** Parts of a call; operations of v1 have the names of v2 where there is one. */
export function partsOf({ operation, target, request, response }: RecordedCall) {
  const name = (operation ?? '').replace(/^v1(.)/, (_, first: string) => first.toLowerCase())
  const queried = (field: string) => parseTarget(target).searchParams.get(field) ?? undefined
  const status = response?.status ?? 0
  const isOk = status >= 200 && status < 300
  const body = response?.body
  const data: Json = body?.success === true ? body.data : body
  const email = request.body?.email ?? queried('email')
  const code = String(request.body?.code ?? queried('login_code'))
  const [, id] = /^\/v2\/users\/([^/?]+)/.exec(target) ?? []
  return {
    ...{ name, status, isOk, data },
    email: typeof email === 'string' ? email : undefined,
    /** Id of the user in the path. */
    userId: id && decodePart(id),
    /** Id of the user whom the integrator acts for with its key alone. */
    subject: String(request.body?.userId ?? queried('userId')),
    key: request.headers['x-api-key'] ?? '',
    bearer: /^Bearer +(\S+)$/.exec(request.headers.authorization ?? '')?.[1],
    hasToken: request.headers.authorization !== undefined,
    code: name === 'verifyLoginCode' && /^\d{4}$/.test(code) ? code : undefined,
    /** Token of a login that succeeded. */
    token: name === 'verifyLoginCode' && isOk ? (data?.accessToken ?? data?.token) : undefined,
  }
}
export type CallParts = ReturnType<typeof partsOf>

const FOR_USER = /^((create|list|get|cancel)Transactions?|getLimits)$/
const PENDING = 'pending request money transfer'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Any status will do for somebody who is verified no longer. */
const LOST = 'inactive'

/** Infers what was there before a recording, and what happened outside in it. */
export function readHistory(entries: readonly RecordingEntry[], webhookUrl: string): History {
  const calls = entries.map((entry) => (entry.kind === 'call' ? partsOf(entry) : undefined))
  const known = calls.filter((call) => call !== undefined)
  const keys = findKeys(known)
  const tokens = new Map(
    known.flatMap(({ token, email }): [string, string][] => {
      return typeof token === 'string' && email ? [[token, email.toLowerCase()]] : []
    }),
  )
  const emails = linkIds(entries, tokens)
  const emailOf = (id: string) => emails.get(id) ?? `person-of-${id}@example.com`
  const called = new Set(known.flatMap(({ email, userId }) => [email?.toLowerCase(), userId]))
  const isHiding = hidesUsers(known)
  const users = new Map<string, SeenUser>()
  const transactions = new Map<string, SeenTransaction>()
  entries.forEach((entry, index) => {
    const call = calls[index]
    if (entry.kind === 'webhook') noteWebhook(entry.request.body, index)
    else if (call && entry.response !== null && keys.has(call.key)) noteCall(call, index)
  })
  const hasWebhooks = entries.some(({ kind }) => kind === 'webhook')
  const outside = [
    ...[...transactions.values()].flatMap(({ id: transaction, seen }) =>
      planChanges(seen, (status) => ({ transaction, status })),
    ),
    ...[...users.values()].flatMap((user) => planUser(user, hasWebhooks)),
  ]
  const hooks = isConfiguredBefore(entries) && {
    ...{ webhook: { url: webhookUrl }, signingSecret: 'from-before' },
  }
  const allKeys = keys.size > 0 ? [...keys] : [['sandbox-key', false] as const]
  const integrators = allKeys.map(([apiKey, actsWithoutToken], i) => {
    return { name: `integrator-${i + 1}`, apiKey, actsWithoutToken, ...hooks }
  })
  const older = [...users.values()].filter(({ isCreated, email }) => !isCreated && isEmail(email))
  const owners = new Set(older.map(({ email }) => email.toLowerCase()))
  return {
    start: {
      integrators,
      users: older.map((user) => ({
        ...toFixtureUser(user),
        integrators: integrators.map(({ name }) => name),
      })),
      transactions: [...transactions.values()]
        .filter(({ email = '' }) => owners.has(email.toLowerCase()))
        .flatMap(toFixtureTransaction),
    },
    outside: outside.sort((a, b) => a.index - b.index),
    ...{ tokens, emailOf },
  }

  function userOf(email: string, id = findId(email)): SeenUser {
    const key = email.toLowerCase()
    const user = users.get(key) ?? { email, id, isCreated: false, seen: [], keyAccess: [] }
    users.set(key, user)
    return user
  }

  function findId(email: string): string | undefined {
    return [...emails].find(([, own]) => own.toLowerCase() === email.toLowerCase())?.[0]
  }

  function noteCall(call: CallParts, index: number) {
    const { name, status, isOk, data, email, userId, token, hasToken, bearer, subject } = call
    const shows = (user: SeenUser, shown: string) =>
      user.seen.push({ index, status: shown, source: 'acts' })
    const isRegistering = /^(createUser|generateApiLink)$/.test(name)
    if (email !== undefined) {
      if (name === 'sendLoginCode' && isOk && !isHiding) shows(userOf(email), 'verified')
      if (name === 'sendLoginCode' && status === 403) shows(userOf(email), LOST)
      if (token !== undefined) shows(userOf(email), 'verified')
      if (isRegistering && status === 409) userOf(email)
      if (isRegistering && isOk) {
        const user = userOf(email)
        user.isCreated = true
        note(user, data, { index, source: 'call' })
      }
      const found = name === 'findUsers' ? data?.[0] : { ...data, status: data?.userStatus }
      if (/^findUsers?$/.test(name) && isOk && found) {
        note(userOf(email), found, { index, source: 'read' })
      }
    }
    if (userId !== undefined && status !== 404) {
      const isOnboarding = name === 'updateUser' || name === 'createKycLink'
      if (status !== 401) noteById(userOf(emailOf(userId), userId))
      else if (!hasToken && isOnboarding) shows(userOf(emailOf(userId), userId), 'verified')
    }
    if (isOk) noteTransactions(call, index)
    // Acting for a user shows that it is verified, and whether the key alone is enough.
    if (!isOk || !FOR_USER.test(name)) return
    const by = bearer && tokens.get(bearer)
    const user = bearer ? by && userOf(by) : users.get(emailOf(subject).toLowerCase())
    if (!user) return
    if (!bearer) user.keyAccess.push({ index, has: true })
    if (name === 'createTransaction') shows(user, 'verified')

    function noteById(holder: SeenUser) {
      holder.id = userId
      if (!isOk) return
      if (name === 'updateUser') note(holder, data, { index, source: 'read' })
      if (name === 'importKyc') note(holder, data, { index, source: 'call' })
      if (name !== 'getRequirements') return
      if (data.complete === true) shows(holder, 'verified')
      const outstanding: Json[] = Array.isArray(data) ? data : (data.outstanding ?? [])
      holder.outstanding ??= outstanding.map(({ field }) => String(field))
    }
  }

  function noteTransactions({ name, data, bearer = '' }: CallParts, index: number) {
    const email = tokens.get(bearer)
    if (name === 'cancelTransaction') see(data, { index, source: 'call' }, email)
    if (name === 'getTransaction') see(data, { index, source: 'read' }, email)
    if (name === 'listTransactions') {
      for (const row of data.items ?? []) see(row, { index, source: 'read' }, email)
    }
    if (name !== 'createTransaction') return
    const row = data.tx ? { ...data, id: data.tx, status: PENDING } : data
    see(row, { index, source: 'call' }, email).isCreated = true
  }

  function see(row: Json, place: Omit<Sighting, 'status'>, email: string | undefined) {
    const id: string = row.transactionId ?? row.txId ?? row.id ?? row.tx_id
    const before = transactions.get(id)
    const transaction = before ?? { id, email, isCreated: false, seen: [], first: row }
    transaction.email ??= email
    transaction.seen.push({ ...place, status: String(row.status) })
    transactions.set(id, transaction)
    return transaction
  }

  /** A synthetic one is about a transaction that nobody made, and somebody who does not call. */
  function noteWebhook(body: Json, index: number) {
    const payload = body?.payload ?? body ?? {}
    const { email, status, userId, transactionId, txId } = payload
    if (typeof email !== 'string' || typeof status !== 'string') return
    const id = transactionId ?? txId
    if (typeof id === 'string') {
      if (transactions.has(id)) see(payload, { index, source: 'webhook' }, email)
    } else if (called.has(email.toLowerCase()) || called.has(userId)) {
      note(userOf(email), { status }, { index, source: 'webhook' })
    }
  }
}

function note(user: SeenUser, data: Json, place: Omit<Sighting, 'status'>) {
  if (typeof data?.status === 'string' && data.status !== 'success') {
    user.seen.push({ ...place, status: data.status })
  }
  if (Array.isArray(data?.accessibleBy)) {
    user.keyAccess.push({ index: place.index, has: data.accessibleBy.includes('apiKey') })
  }
}

/** Which address belongs to which id, from wherever both are seen together. */
function linkIds(entries: readonly RecordingEntry[], tokens: ReadonlyMap<string, string>) {
  const links = entries.flatMap((entry): [unknown, unknown][] => {
    if (entry.kind === 'webhook') {
      const { userId, email } = entry.request.body?.payload ?? {}
      return [[userId, email]]
    }
    const { name, status, isOk, data, email, userId, bearer = '' } = partsOf(entry)
    if ([0, 401, 403, 404].includes(status)) return []
    const isShown = isOk && /^(createUser|findUsers?)$/.test(name)
    const id = isShown ? (data?.[0]?.id ?? data?.id ?? data?.userId) : undefined
    return [
      [id, email],
      [userId, tokens.get(bearer)],
    ]
  })
  const isText = (value: unknown) => typeof value === 'string'
  return new Map(links.filter((link): link is [string, string] => link.every(isText)))
}

/** Keys that were let in, and whether they act without a token; a wrong key may be a 403. */
function findKeys(calls: readonly CallParts[]): Map<string, boolean> {
  const keys = new Map<string, boolean>()
  for (const { key, status, hasToken, isOk, name } of calls) {
    if (!key || status === 0 || status === 401 || status === 403) continue
    keys.set(key, keys.get(key) || (!hasToken && isOk && FOR_USER.test(name)))
  }
  return keys
}

/** A service that rejects no address may send a code, or not: a success then shows no user. */
function hidesUsers(calls: readonly CallParts[]): boolean {
  const sent = calls.filter(({ name, email }) => name === 'sendLoginCode' && email !== undefined)
  const isRejected = sent.some(({ status }) => status >= 400 && status < 500)
  const found = calls.filter(({ name, isOk }) => isOk && /^(find|create)Users?$/.test(name))
  const isFound = (email?: string) =>
    found.some((call) => call.email === email && (call.data?.[0] ?? call.data)?.id !== undefined)
  const isSought = (email?: string) => found.some((call) => call.email === email)
  // Also one that says who is not verified yet, but took an address that a search did not find.
  if (sent.some(({ isOk, email }) => isOk && isSought(email) && !isFound(email))) return true
  return !isRejected && calls.some(({ token }) => token !== undefined)
}

/** A webhook came, or a configuration was read, before any call could have asked for it. */
function isConfiguredBefore(entries: readonly RecordingEntry[]): boolean {
  const shows = (entry: RecordingEntry) =>
    entry.kind === 'webhook' ||
    (entry.operation === 'getWebhookConfiguration' && entry.response?.body?.data?.url)
  const configures = (entry: RecordingEntry) =>
    entry.kind === 'call' && /^(putWebhook|v1PatchWebhooks)/.test(entry.operation ?? '')
  const first = entries.find((entry) => shows(entry) || configures(entry))
  return first !== undefined && !configures(first)
}

/** Events that must have happened outside between one sighting and the next. */
function planChanges(
  seen: readonly Sighting[],
  toWhat: (status: string) => Outside['what'],
): Outside[] {
  return seen.flatMap(({ index, status, source }, i) => {
    const from = seen[i - 1]
    if (from === undefined || from.status === status || source === 'call') return []
    // The clock lets it expire. What else was only seen may have happened at any time since.
    if (source === 'read' && status === 'expired') return []
    const isAt = source === 'webhook' || /^cancell?ed$/.test(status)
    return [{ index: isAt ? index : from.index + 1, isBefore: !isAt, what: toWhat(status) }]
  })
}

function planUser(user: SeenUser, hasWebhooks: boolean): Outside[] {
  const path = `/simulate/users/${encodeURIComponent(user.email)}`
  const access = user.keyAccess.flatMap(({ index, has }, i): Outside[] => {
    if (has === (user.keyAccess[i - 1]?.has ?? false)) return []
    const body = { accessibleBy: has ? ['jwt', 'apiKey'] : ['jwt'] }
    return [{ index, isBefore: false, what: { path: `${path}/access`, body } }]
  })
  const statuses = statusesOf(user, hasWebhooks)
  const toReview = (status: string) => ({ path: `${path}/kyc`, body: { status } })
  return [...planChanges(statuses, toReview), ...access]
}

const isRefused = ({ source, status }: Sighting) => source === 'acts' && status === LOST

/** From the beginning on; that somebody is not verified is news only where they were. */
function statusesOf(user: SeenUser, hasWebhooks: boolean): Sighting[] {
  // Where webhooks come they say when somebody was verified; else acting as such does.
  const seen = user.seen.filter(({ source }) => !(hasWebhooks && source === 'acts'))
  const [first] = seen
  const isStart = first && /^(initial|active)$/.test(first.status)
  const start: Sighting = user.isCreated
    ? { index: (first?.index ?? 1) - 1, status: isStart ? first.status : 'initial', source: 'call' }
    : { index: -1, status: findStartStatus(user), source: 'read' }
  const kept = user.isCreated && first?.source === 'call' ? [] : [start]
  for (const sighting of seen) {
    if (!isRefused(sighting) || kept.at(-1)?.status === 'verified') kept.push(sighting)
  }
  return kept
}

/** The status of a user before the recording: a webhook shows what it was not. */
function findStartStatus({ seen }: SeenUser): UserStatus {
  const [first, ...rest] = seen.filter((sighting) => !isRefused(sighting))
  if (first === undefined) return 'initial'
  if (first.source === 'read')
    return USER_STATUSES.find((known) => known === first.status) ?? 'initial'
  if (first.source === 'acts' || first.status !== 'verified') return 'verified'
  // An import that changed nothing was of somebody who was verified.
  const second = rest.find(({ source }) => source !== 'acts')
  return [first.source, second?.source].includes('webhook') ? 'in-review' : 'verified'
}

const toFixtureUser = (user: SeenUser): FixtureUser => ({
  email: user.email,
  ...(UUID.test(user.id ?? '') && { id: user.id }),
  status: findStartStatus(user),
  ...(user.keyAccess[0]?.has && { accessibleBy: ['jwt', 'apiKey'] }),
  profile: toProfile(user.outstanding ?? []),
})

function toFixtureTransaction({ isCreated, id, email = '', first }: SeenTransaction) {
  if (isCreated || !UUID.test(id) || typeof first.leftSideValue !== 'number') return []
  const { leftSideLabel, leftSideValue, rightSideLabel, wallet, status } = first
  const createdAt = first.date ?? first.createdAt
  const row = {
    ...{ user: email, id, leftSideLabel, leftSideValue, rightSideLabel },
    ...(wallet && { wallet }),
    status: status === 'canceled' ? 'cancelled' : status,
    ...(createdAt && { createdAt }),
  }
  return [row]
}

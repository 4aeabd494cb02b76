import type { Json } from '../../client/http.ts'
import { decodePart, parseTarget } from '../operations.ts'
import type { RecordedCall, RecordingEntry } from '../recording.ts'

/** A status that a user or a transaction was seen to have. */
export interface Sighting {
  /** Position of the entry in the recording. */
  index: number
  status: string
  /** `call` where the call itself decided about it; `acts` where only its success or failure shows it. */
  source: 'call' | 'read' | 'webhook' | 'acts'
  /** Of a transaction: the hash that it had by then. */
  paymentId?: string
}

export interface SeenUser {
  email: string
  id: string | undefined
  /** Whether a call of the recording registered it; otherwise it is from before. */
  isCreated: boolean
  seen: Sighting[]
  keyAccess: { index: number; has: boolean }[]
  /** What the first read of the requirements reported. */
  outstanding?: string[]
}

export interface SeenTransaction {
  id: string
  isCreated: boolean
  email: string | undefined
  seen: Sighting[]
  /** As it was first shown, for one from before the recording. */
  first: Json
}

/** What a recording says about those whom it is about. */
export interface History {
  /** Keys that were let in, and whether they act without a token. */
  keys: Map<string, boolean>
  users: SeenUser[]
  transactions: Map<string, SeenTransaction>
  /** Who logged in for a token. */
  tokens: Map<string, string>
  hasWebhooks: boolean
}

/** What a call sends and shows; operations of v1 have the names of v2 where there is one. */
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
    name,
    status,
    isOk,
    data,
    email: typeof email === 'string' ? email : undefined,
    /** Of the user in the path. */
    userId: id && decodePart(id),
    /** Of the user whom the integrator acts for with its key alone. */
    subject: String(request.body?.userId ?? queried('userId')),
    key: request.headers['x-api-key'] ?? '',
    bearer: /^Bearer +(\S+)$/.exec(request.headers.authorization ?? '')?.[1],
    hasToken: request.headers.authorization !== undefined,
    code: name === 'verifyLoginCode' && /^\d{4}$/.test(code) ? code : undefined,
    /** What a login answered with. */
    token: name === 'verifyLoginCode' && isOk ? (data?.accessToken ?? data?.token) : undefined,
  }
}
type Parts = ReturnType<typeof partsOf>

const FOR_USER = /^((create|list|get|cancel)Transactions?|getLimits)$/

/** Any status will do for somebody who is verified no longer. */
export const LOST = 'inactive'

export function readHistory(entries: readonly RecordingEntry[]): History {
  const calls = entries.map((entry) => (entry.kind === 'call' ? partsOf(entry) : undefined))
  const known = calls.filter((call) => call !== undefined)
  const keys = findKeys(known)
  const tokens = new Map(known.map(({ token, email = '' }) => [token, email.toLowerCase()]))
  tokens.delete(undefined)
  const emails = linkIds()
  const called = new Set(known.flatMap(({ email, userId }) => [email?.toLowerCase(), userId]))
  const isHiding = hidesUsers(known)
  const users: SeenUser[] = []
  const transactions = new Map<string, SeenTransaction>()
  entries.forEach((entry, index) => {
    const call = calls[index]
    if (entry.kind === 'webhook') noteWebhook(entry.request.body, index)
    else if (call && entry.response !== null && keys.has(call.key)) noteCall(call, index)
  })
  const hasWebhooks = entries.some(({ kind }) => kind === 'webhook')
  return { keys, users, transactions, tokens: tokens as History['tokens'], hasWebhooks }

  /** Which address belongs to which id, from wherever both are seen together. */
  function linkIds(): Map<string, string> {
    const links = entries.flatMap((entry, index): [unknown, unknown][] => {
      const call = calls[index]
      if (entry.kind === 'webhook') {
        const { userId, email } = entry.request.body?.payload ?? {}
        return [[userId, email]]
      }
      if (call === undefined || [0, 401, 403, 404].includes(call.status)) return []
      const { name, data, email, userId, bearer } = call
      const isShown = call.isOk && /^(createUser|findUsers?)$/.test(name)
      const id = isShown ? (data?.[0]?.id ?? data?.id ?? data?.userId) : undefined
      return [
        [id, email],
        [userId, tokens.get(bearer) || undefined],
      ]
    })
    const isText = (value: unknown) => typeof value === 'string'
    const ids = new Map(links.filter((link): link is [string, string] => link.every(isText)))
    // The only one with an address and the only one with an id are the same.
    const addresses = new Set([...ids.values()].map((email) => email.toLowerCase()))
    const there = known.filter(({ status }) => status !== 0 && status !== 404)
    const id = onlyOf(there.map(({ userId }) => userId).filter((one) => one && !ids.has(one)))
    const sent = there.filter(({ name }) => name === 'sendLoginCode')
    const emails = sent.map(({ email }) => email?.toLowerCase())
    const email = onlyOf(emails.filter((one) => one && !addresses.has(one)))
    return id && email ? ids.set(id, email) : ids
  }

  function userOf(email: string): SeenUser {
    const same = (other: string) => other.toLowerCase() === email.toLowerCase()
    const found = users.find((user) => same(user.email))
    if (found) return found
    const id = [...emails].find(([, own]) => same(own))?.[0]
    const user = { email, id, isCreated: false, seen: [], keyAccess: [] }
    users.push(user)
    return user
  }

  function userOfId(id: string): SeenUser {
    const user = userOf(emails.get(id) ?? `person-of-${id}@example.com`)
    user.id = id
    return user
  }

  function note(
    { seen, keyAccess }: SeenUser,
    data: Json,
    index: number,
    source: Sighting['source'],
  ) {
    if (typeof data?.status === 'string' && data.status !== 'success') {
      seen.push({ index, status: data.status, source })
    }
    if (Array.isArray(data?.accessibleBy)) {
      keyAccess.push({ index, has: data.accessibleBy.includes('apiKey') })
    }
  }

  function noteCall(call: Parts, index: number) {
    const { name, status, isOk, data, email, userId, token, hasToken } = call
    const shows = (user: SeenUser, shown: string) => {
      user.seen.push({ index, status: shown, source: 'acts' })
    }
    if (email !== undefined) {
      if (name === 'sendLoginCode' && isOk && !isHiding) shows(userOf(email), 'verified')
      if (name === 'sendLoginCode' && status === 403) shows(userOf(email), LOST)
      if (token !== undefined) shows(userOf(email), 'verified')
      if (/^(createUser|generateApiLink)$/.test(name)) noteCreation(email)
      const found = name === 'findUsers' ? data?.[0] : { ...data, status: data?.userStatus }
      if (/^findUsers?$/.test(name) && isOk && found) note(userOf(email), found, index, 'read')
    }
    if (userId !== undefined) {
      const isOnboarding = name === 'updateUser' || name === 'createKycLink'
      if (status === 401 && !hasToken && isOnboarding) shows(userOfId(userId), 'verified')
      if (status !== 404 && status !== 401) noteUser(userOfId(userId))
    }
    if (isOk) noteTransactions(call, index)
    if (isOk && FOR_USER.test(name)) noteActing()

    function noteCreation(address: string) {
      if (!isOk && status !== 409) return
      const user = userOf(address)
      if (!isOk) return
      user.isCreated = true
      note(user, data, index, 'call')
    }

    function noteUser(user: SeenUser) {
      if (!isOk) return
      if (name === 'updateUser') note(user, data, index, 'read')
      if (name === 'importKyc') note(user, data, index, 'call')
      if (name !== 'getRequirements') return
      const outstanding: Json[] = Array.isArray(data) ? data : (data.outstanding ?? [])
      user.outstanding ??= outstanding.map(({ field }) => String(field))
    }

    /** Acting for a user shows that it is verified, and whether the key alone is enough. */
    function noteActing() {
      const { bearer, subject } = call
      const by = bearer && tokens.get(bearer)
      const user = bearer ? by && userOf(by) : users.find(({ id }) => id === subject)
      if (!user) return
      if (!bearer) user.keyAccess.push({ index, has: true })
      if (name === 'createTransaction') shows(user, 'verified')
    }
  }

  function noteTransactions({ name, data, bearer }: Parts, index: number) {
    const email = tokens.get(bearer) || undefined
    const rows = name === 'listTransactions' ? (data.items ?? []) : [data]
    if (/^(list|get)Transactions?$/.test(name)) {
      for (const row of rows) see(row.id ?? row.tx_id, { row, index, source: 'read', email })
    }
    if (name === 'cancelTransaction') see(data.id, { row: data, index, source: 'call', email })
    if (name !== 'createTransaction') return
    const row = data.tx ? { ...data, status: 'pending request money transfer' } : data
    see(data.id ?? data.tx, { row, index, source: 'call', email }).isCreated = true
  }

  function see(
    id: string,
    {
      row,
      email,
      ...sighting
    }: Pick<Sighting, 'index' | 'source'> & { row: Json; email?: string | undefined },
  ): SeenTransaction {
    const transaction = transactions.get(id) ?? {
      id,
      isCreated: false,
      email,
      seen: [],
      first: row,
    }
    transaction.email ??= email
    const paymentId = row.paymentId ?? row.payment_id
    const paid = typeof paymentId === 'string' && { paymentId }
    transaction.seen.push({ ...sighting, status: String(row.status), ...paid })
    transactions.set(id, transaction)
    return transaction
  }

  /** A synthetic one is about a transaction that nobody made, and somebody who does not call. */
  function noteWebhook(body: Json, index: number) {
    const payload = body?.payload ?? body ?? {}
    const { email, status, userId } = payload
    if (typeof email !== 'string' || typeof status !== 'string') return
    const id = payload.transactionId ?? payload.txId
    if (typeof id === 'string') {
      if (transactions.has(id)) see(id, { row: payload, index, source: 'webhook', email })
    } else if (called.has(email.toLowerCase()) || called.has(userId)) {
      note(userOf(email), { status }, index, 'webhook')
    }
  }
}

function onlyOf<Value>(values: readonly Value[]): Value | undefined {
  const [one, ...others] = new Set(values)
  return others.length === 0 ? one : undefined
}

/** A key that was let in at least once; some services answer a wrong one with 403. */
function findKeys(calls: readonly Parts[]): History['keys'] {
  const keys: History['keys'] = new Map()
  for (const { key, status, hasToken, isOk, name } of calls) {
    if (!key || status === 0 || status === 401 || status === 403) continue
    keys.set(key, keys.get(key) || (!hasToken && isOk && FOR_USER.test(name)))
  }
  return keys
}

/** A service that rejects no address may send a code, or not: a success then shows no user. */
function hidesUsers(calls: readonly Parts[]): boolean {
  const sent = calls.filter(({ name }) => name === 'sendLoginCode')
  const isRejected = sent.some(({ status }) => status >= 400 && status < 500)
  return !isRejected && calls.some(({ token }) => token !== undefined)
}

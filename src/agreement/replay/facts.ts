import type { Json } from '../../client/http.ts'
import type { RecordedCall, RecordingEntry } from '../recording.ts'
import { bearerOf, dataOf, emailOf, isSuccess, loginOf, queryOf, userIdOf } from './call-parts.ts'
import { createPeople, type Sighting, type UserFacts } from './people.ts'

export interface TransactionFacts {
  id: string
  isCreated: boolean
  email?: string
  statuses: Sighting[]
  /** As it was first shown, for one from before the recording. */
  first: Json
}

/** What a recording says about those whom it is about. */
export interface Facts {
  keys: Map<string, { actsWithoutToken: boolean }>
  users: UserFacts[]
  transactions: Map<string, TransactionFacts>
  /** Who logged in for a token. */
  tokens: Map<string, string>
  hasWebhooks: boolean
}

const CREATE = /^(createUser|v1GenerateApiLink)$/
const FOR_USER =
  /^(createTransaction|listTransactions|getTransaction|cancelTransaction|getLimits|v1CreateTransaction|v1GetTransaction)$/

export function gatherFacts(entries: readonly RecordingEntry[]): Facts {
  const people = createPeople(entries)
  const calls = entries.filter((entry) => entry.kind === 'call')
  const isHiding = hidesUsers(calls)
  const facts: Facts = {
    keys: findKeys(calls),
    users: people.all,
    transactions: new Map(),
    tokens: new Map(),
    hasWebhooks: entries.some(({ kind }) => kind === 'webhook'),
  }
  /** Calls for a user without a token, which only users who can log in need. */
  const turnedAway: { call: RecordedCall; id: string; index: number }[] = []
  entries.forEach((entry, index) => {
    if (entry.kind === 'webhook') noteWebhook(entry.request.body, index)
    else if (entry.response !== null) noteCall(entry, index)
  })
  for (const { id, index } of turnedAway) {
    people.seeId(id, index).verifiedAt.push(index)
  }
  return facts

  function noteCall(call: RecordedCall, index: number) {
    const { operation } = call
    if (operation === null || !facts.keys.has(keyOf(call))) return
    if (/endLoginCode$/.test(operation)) noteLogin(call, index)
    const { token, email } = loginOf(call)
    if (token !== undefined) {
      facts.tokens.set(token, email?.toLowerCase() ?? '')
      people.see(email, index)?.verifiedAt.push(index)
    }
    if (CREATE.test(operation)) noteCreation(call, index)
    if (/^(findUsers|v1FindUser)$/.test(operation) && isSuccess(call)) noteFound(call, index)
    const userId = userIdOf(call)
    if (userId !== undefined) noteUser(call, userId, index)
    noteTransactions(call, index)
    noteActing(call, index)
  }

  function noteLogin(call: RecordedCall, index: number) {
    if (isSuccess(call) && !isHiding) people.see(emailOf(call), index)?.verifiedAt.push(index)
    else if (call.response?.status === 403) {
      people.see(emailOf(call), index)?.unverifiedAt.push(index)
    }
  }

  function noteCreation(call: RecordedCall, index: number) {
    const email = emailOf(call)
    if (email === undefined) return
    if (isSuccess(call)) {
      const user = people.get(email)
      user.isCreated = true
      delete user.seenAt
      note(user, dataOf(call), index, 'call')
    } else if (call.response?.status === 409) people.see(email, index)
  }

  function noteFound(call: RecordedCall, index: number) {
    const data = dataOf(call)
    const [found] = Array.isArray(data) ? data : [{ id: data.userId, status: data.userStatus }]
    const user = found && people.see(emailOf(call), index)
    if (user) note(user, found, index, 'read')
  }

  function noteUser(call: RecordedCall, id: string, index: number) {
    const status = call.response?.status
    const isWithoutToken = call.request.headers.authorization === undefined
    const isOnboarding = call.operation === 'updateUser' || call.operation === 'createKycLink'
    if (status === 401 && isWithoutToken && isOnboarding) turnedAway.push({ call, id, index })
    if (status === 404 || status === 401) return
    const seen = people.seeId(id, index)
    if (!isSuccess(call)) return
    const data = dataOf(call)
    if (call.operation === 'updateUser') note(seen, data, index, 'read')
    if (call.operation === 'importKyc') note(seen, data, index, 'call')
    if (call.operation === 'getRequirements') {
      const outstanding: Json[] = Array.isArray(data) ? data : (data.outstanding ?? [])
      seen.outstanding ??= outstanding.map(({ field }) => String(field))
    }
  }

  function note(user: UserFacts, data: Json, index: number, source: Sighting['source']) {
    if (typeof data?.status === 'string' && data.status !== 'success') {
      user.statuses.push({ index, status: data.status, source })
    }
    if (Array.isArray(data?.accessibleBy)) {
      user.keyAccess.push({ index, has: data.accessibleBy.includes('apiKey') })
    }
  }

  function noteTransactions(call: RecordedCall, index: number) {
    if (!isSuccess(call)) return
    const { operation } = call
    const data = dataOf(call)
    const email = facts.tokens.get(bearerOf(call) ?? '')
    if (operation === 'listTransactions') {
      for (const item of data.items ?? []) seeTransaction(item.id, item, index, 'read', email)
    }
    if (operation === 'getTransaction' || operation === 'v1GetTransaction') {
      seeTransaction(data.id ?? data.tx_id, data, index, 'read', email)
    }
    if (operation === 'cancelTransaction') seeTransaction(data.id, data, index, 'call', email)
    if (operation === 'createTransaction' || operation === 'v1CreateTransaction') {
      const id = data.id ?? data.tx
      const status = data.tx ? 'pending request money transfer' : data.status
      const facts = seeTransaction(id, { ...data, status }, index, 'call', email)
      facts.isCreated = true
    }
  }

  function seeTransaction(
    id: string,
    shown: Json,
    index: number,
    source: Sighting['source'],
    email?: string,
  ): TransactionFacts {
    const known = facts.transactions.get(id)
    const transaction = known ?? { id, isCreated: false, statuses: [], first: shown }
    if (email !== undefined) transaction.email ??= email
    const paymentId = shown.paymentId ?? shown.payment_id
    const paid = typeof paymentId === 'string' && { paymentId }
    transaction.statuses.push({ index, status: String(shown.status), source, ...paid })
    facts.transactions.set(id, transaction)
    return transaction
  }

  /** Acting for a user shows that it is verified, and whether the key alone is enough. */
  function noteActing(call: RecordedCall, index: number) {
    if (!isSuccess(call) || !FOR_USER.test(call.operation ?? '')) return
    const token = bearerOf(call)
    const id = call.request.body?.userId ?? queryOf(call, 'userId')
    const user = token ? people.find(facts.tokens.get(token) ?? '') : people.findId(String(id))
    if (user && token === undefined) user.keyAccess.push({ index, has: true })
    if (user && /createTransaction/i.test(call.operation ?? '')) user.verifiedAt.push(index)
  }

  function isCalled(email: string, id: unknown): boolean {
    return entries.some(
      (entry) =>
        entry.kind === 'call' &&
        (emailOf(entry)?.toLowerCase() === email.toLowerCase() || entry.target.includes(`/${id}`)),
    )
  }

  function noteWebhook(body: Json, index: number) {
    const payload = body?.payload ?? body
    const { email, status } = payload ?? {}
    if (typeof email !== 'string' || typeof status !== 'string') return
    const id = payload.transactionId ?? payload.txId
    if (typeof id === 'string') {
      // A synthetic event is about a transaction that nobody made.
      if (facts.transactions.has(id)) seeTransaction(id, payload, index, 'webhook', email)
      return
    }
    // Nor is a synthetic one about somebody who calls.
    const known =
      people.find(email) ?? (isCalled(email, payload.userId) && people.see(email, index))
    if (known) note(known, { status }, index, 'webhook')
  }
}

const keyOf = ({ request }: RecordedCall) => request.headers['x-api-key'] ?? ''

/** A key that was let in at least once; some services answer a wrong one with 403. */
function findKeys(calls: readonly RecordedCall[]): Facts['keys'] {
  const keys: Facts['keys'] = new Map()
  for (const call of calls) {
    const { operation, request, response } = call
    const key = keyOf(call)
    if (!key || response === null || response.status === 401 || response.status === 403) continue
    const isAlone = request.headers.authorization === undefined && FOR_USER.test(operation ?? '')
    const actsWithoutToken =
      (isAlone && isSuccess(call)) || (keys.get(key)?.actsWithoutToken ?? false)
    keys.set(key, { actsWithoutToken })
  }
  return keys
}

/** A service that rejects no address may send a code, or not: a success then shows no user. */
function hidesUsers(calls: readonly RecordedCall[]): boolean {
  const sent = calls.filter(({ operation }) => /endLoginCode$/.test(operation ?? ''))
  const isVerified = calls.some((call) => loginOf(call).token !== undefined)
  const isRejected = ({ response }: RecordedCall) =>
    (response?.status ?? 500) < 500 && (response?.status ?? 0) >= 400
  return isVerified && !sent.some(isRejected)
}

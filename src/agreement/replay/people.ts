import { USER_STATUSES, type UserStatus } from '../../world/state.ts'
import type { RecordedCall, RecordingEntry } from '../recording.ts'
import { bearerOf, dataOf, emailOf, isSuccess, loginOf, userIdOf } from './call-parts.ts'

/** A status that somebody or something was seen to have. */
export interface Sighting {
  /** Position of the entry in the recording. */
  index: number
  status: string
  /** `call` where the call itself decided about it. */
  source: 'call' | 'read' | 'webhook'
  /** Of a transaction: the hash that it had by then. */
  paymentId?: string
}

export interface UserFacts {
  email: string
  id?: string
  /** Whether a call of the recording registered it. */
  isCreated: boolean
  /** Where it was first seen, unless it was created. */
  seenAt?: number
  statuses: Sighting[]
  /** Calls that only a verified user can make. */
  verifiedAt: number[]
  /** Calls that were refused because the user is not verified. */
  unverifiedAt: number[]
  keyAccess: { index: number; has: boolean }[]
  /** What the first read of the requirements reported. */
  outstanding?: string[]
}

/** The users of a recording, by e-mail address or id. */
export function createPeople(entries: readonly RecordingEntry[]) {
  const all: UserFacts[] = []
  const emails = linkIds(entries)
  const spellings = findSpellings(entries)
  return {
    all,
    get,
    find,
    findId: (id: string) => all.find((known) => known.id === id),
    see,
    seeId: (id: string, index: number) =>
      seeAs(emails.get(id) ?? `person-of-${id}@example.com`, id, index),
  }

  function find(email: string) {
    return all.find((user) => user.email.toLowerCase() === email.toLowerCase())
  }

  function get(email: string): UserFacts {
    const known = find(email)
    if (known) return known
    const id = [...emails].find(([, own]) => own.toLowerCase() === email.toLowerCase())?.[0]
    const user: UserFacts = {
      email: spellings.get(email.toLowerCase()) ?? email,
      isCreated: false,
      statuses: [],
      verifiedAt: [],
      unverifiedAt: [],
      keyAccess: [],
      ...(id !== undefined && { id }),
    }
    all.push(user)
    return user
  }

  /** Notes that a user is there, which has to be from before where nothing registered it. */
  function see(email: string | undefined, index: number) {
    return email === undefined ? undefined : seeAs(email, undefined, index)
  }

  function seeAs(email: string, id: string | undefined, index: number): UserFacts {
    const user = get(email)
    if (id !== undefined) user.id = id
    if (!user.isCreated) user.seenAt ??= index
    return user
  }
}

/** Addresses as the service writes them: a client may write one in another case. */
function findSpellings(entries: readonly RecordingEntry[]): Map<string, string> {
  const spellings = new Map<string, string>()
  for (const entry of entries) {
    const body = entry.kind === 'webhook' ? entry.request.body : undefined
    const email = body?.payload?.email ?? body?.email
    if (typeof email === 'string') spellings.set(email.toLowerCase(), email)
  }
  return spellings
}

/** Which address belongs to which id, from wherever both are seen together. */
function linkIds(entries: readonly RecordingEntry[]): Map<string, string> {
  const emails = new Map<string, string>()
  const tokens = new Map<string, string>()
  const [ids, addresses] = [new Set<string>(), new Set<string>()]
  const link = (id: unknown, email: unknown) => {
    if (typeof id === 'string' && typeof email === 'string') emails.set(id, email)
  }
  for (const entry of entries) {
    if (entry.kind === 'webhook') {
      const payload = entry.request.body?.payload
      link(payload?.userId, payload?.email)
    } else noteCall(entry)
  }
  linkLast()
  return emails

  function noteCall(call: RecordedCall) {
    const id = userIdOf(call)
    const isThere = call.response !== null && call.response.status !== 404
    if (id !== undefined && isThere && !call.target.includes('?email')) ids.add(id)
    if (/endLoginCode$/.test(call.operation ?? '') && isThere) addresses.add(emailOf(call) ?? '')
    if (!isSuccess(call)) return
    const data = dataOf(call)
    const email = emailOf(call)
    const { token } = loginOf(call)
    if (token !== undefined) tokens.set(token, email ?? '')
    if (call.operation === 'createUser') link(data?.id, email)
    if (call.operation === 'findUsers') link(data?.[0]?.id, email)
    if (call.operation === 'v1FindUser') link(data?.userId, email)
    if (id !== undefined) link(id, tokens.get(bearerOf(call) ?? ''))
  }

  /** One who has only an id and one who has only an address are the same, if nobody else is left. */
  function linkLast() {
    const known = new Set([...emails.values()].map((email) => email.toLowerCase()))
    const [id, ...others] = [...ids].filter((found) => !emails.has(found))
    const left = [...addresses].filter((email) => !known.has(email.toLowerCase()))
    const [email, ...rest] = new Set(left.map((found) => found.toLowerCase()))
    if (others.length + rest.length === 0) link(id, email)
  }
}

/** The status of a user before the recording: a webhook shows what it was not. */
export function findStartStatus({ statuses, verifiedAt }: UserFacts): UserStatus {
  const [first, second] = statuses
  const acted = verifiedAt[0]
  if (acted !== undefined && acted <= (first?.index ?? acted)) return 'verified'
  if (first === undefined) return 'initial'
  if (first.source === 'read') {
    return USER_STATUSES.find((known) => known === first.status) ?? 'initial'
  }
  if (first.status !== 'verified') return 'verified'
  // An import that changed nothing was of somebody who was verified.
  const isChange = first.source === 'webhook' || second?.source === 'webhook'
  return isChange ? 'in-review' : 'verified'
}

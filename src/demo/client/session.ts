import type { Json } from '../../client/http.ts'
import { control, prefix, readControl } from './api.ts'
import { newId } from './device.ts'
import type { Received } from './holdings.ts'
import { change, startOver, state, type WireGroup } from './store.ts'

/** How often a window looks for what other windows of its session did. */
const LOOK_MS = 700
const TRIES_MAX = 5
/** Groups of rows that a session keeps; a window that follows it has the older ones. */
const CAUSES_KEPT = 30
const KEY = `demo-wallet ${prefix}`

const windowId = newId()
let id = ''
/** Version of the session's record that this window has seen. */
let version = 0
/** The window that acted last. It alone acts on webhooks, or two windows would ask for two codes. */
let owner = windowId
let isLooking = false

export const isOwner = (): boolean => owner === windowId
export const sessionId = (): string => id

const sessionKey = () => `session.${id}`
const customerKey = () => `customer.${encodeURIComponent(state.email)}`
const pathOf = (key: string) => `/demo/records/${encodeURIComponent(key)}`
const read = (key: string, after = 0) => readControl(`${pathOf(key)}?after=${after}`)
const write = (key: string, value: object) => control('PUT', pathOf(key), { ...value })

/** Opens the session of this window or, if it has none, the last one in this browser. */
export async function resumeSession(): Promise<boolean> {
  const shared = new URLSearchParams(location.search).get('session')
  id = shared ?? recall()
  if (!/^[\w-]{8,40}$/.test(id)) return false
  version = 0
  if (!(await followUntil(shared === null ? 1 : TRIES_MAX))) return false
  remember()
  return true
}

/** The window that restored a world may not have written the session again yet. */
async function followUntil(triesMax: number): Promise<boolean> {
  for (let tries = 1; tries <= triesMax; tries++) {
    if (await follow()) return true
    if (tries < triesMax) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return false
}

/** Begins with an e-mail address that no other session of this world has. */
export async function newSession(users: number): Promise<void> {
  // Nobody signed in with this one yet.
  if (id !== '' && state.userId === '' && state.screen === 'welcome' && state.email !== '') {
    return startOver(state.email)
  }
  // The session stays the same, so that phones follow.
  if (id === '') id = newId()
  owner = windowId
  const free = await takeNumber(users + 1)
  startOver(free > 1 ? `ana${free}@example.com` : 'ana@example.com')
  remember()
}

/** Each start writes the same record, so its version is a number that no other start has. */
async function takeNumber(least: number): Promise<number> {
  const before = (await read('starts')).value ?? { least }
  const { version: starts } = await write('starts', before)
  return Math.max(before.least + starts - 1, least)
}

/** A page framed by another site may have no storage. */
function eachStore(use: (store: Storage) => unknown): string {
  try {
    return String(use(sessionStorage) || use(localStorage) || '')
  } catch {
    return ''
  }
}

const remember = () => eachStore((store) => store.setItem(KEY, id))
const recall = () => eachStore((store) => store.getItem(KEY))

/** Makes this window the one that acts. */
export async function claim(): Promise<void> {
  if (isOwner() || id === '') return
  await follow()
  owner = windowId
  await save()
}

/** Writes everything again after the world was restored. */
export async function rewriteSession(): Promise<void> {
  owner = windowId
  const { name, received, orders } = state
  await write(customerKey(), { name, received, orders })
  await save()
}

export async function save(): Promise<void> {
  if (id === '' || !isOwner()) return
  const { causes: _, ...wallet } = state.kept()
  const causes = state.causes.slice(-CAUSES_KEPT)
  const written = await write(sessionKey(), { by: windowId, wallet, causes })
  version = written.version
}

/** Takes over what other windows of the session did; true if there was anything. */
export async function follow(): Promise<boolean> {
  if (id === '' || isLooking) return false
  isLooking = true
  try {
    const { version: last, value } = await read(sessionKey(), version)
    if (!value || value.by === windowId || last <= version) return false
    version = last
    owner = value.by
    const isSame = value.wallet.email === state.email
    change({ ...value.wallet, causes: isSame ? withNew(value.causes) : value.causes })
    return true
  } finally {
    isLooking = false
  }
}

function withNew(causes: readonly WireGroup[]): WireGroup[] {
  const known = new Set(state.causes.map((cause) => cause.id))
  return [...state.causes, ...causes.filter((cause) => !known.has(cause.id))]
}

export function followOthers(): void {
  setInterval(() => {
    if (!document.hidden && !state.isBusy && !state.isGone) void follow().catch(() => null)
  }, LOOK_MS)
}

interface Noted {
  name?: string
  received?: Received
  order?: Json
}

/** Keeps something about the customer who is logged in. */
export async function note({ name, received, order }: Noted): Promise<void> {
  const before = await readCustomer()
  const orders = order
    ? { ...before.orders, [order.id]: { ...before.orders[order.id], ...order } }
    : before.orders
  await write(customerKey(), {
    name: name ?? before.name,
    received: received ? [...before.received, received] : before.received,
    orders,
  })
}

/** Reads what the wallet's server knows of the customer, who has no name if they never registered here. */
export async function readCustomer(): Promise<Pick<typeof state, 'name' | 'received' | 'orders'>> {
  const { name = '', received = [], orders = {} } = (await read(customerKey())).value ?? {}
  return { name, received, orders }
}

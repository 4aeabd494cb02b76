import type { Json } from '../../client/http.ts'
import { catchName, control, prefix, readControl } from './api.ts'
import { newId } from './device.ts'
import { change, startOver, state, type WireGroup } from './store.ts'

/**
 * What the wallet's server keeps: its sessions and its customers. It keeps them in receivers of the
 * world, so that a reset forgets them with the users, and every window of a session sees the same.
 */
const LOOK_MS = 700
const USERS = `${catchName}-users`
const KEY = `demo-wallet ${prefix}`
/** Parts of the page alone: they are not the session's. */
const OWN = ['causes']

const windowId = newId()
let id = ''
let cursor = '0'
/** The window that acted last: it alone acts on webhooks, or two would ask for two codes. */
let owner = windowId
let lastGroup = 0
let isLooking = false

export const isOwner = (): boolean => owner === windowId
export const sessionId = (): string => id

const ownBox = () => `${catchName}.${id}`
const post = (box: string, body: object) => control('POST', `/catch/${box}`, { ...body })

async function readBox(box: string, after = '0'): Promise<{ rows: Json[]; cursor: string }> {
  const { requests, cursor: next } = await readControl(`/catch/${box}/requests?after=${after}`)
  return { rows: requests.map(({ body }: Json) => JSON.parse(body)), cursor: next }
}

/** Opens the session of this window, or the one that the world had last; false if there is none. */
export async function resumeSession(): Promise<boolean> {
  id = new URLSearchParams(location.search).get('session') ?? recall()
  if (!/^[\w-]{8,40}$/.test(id)) return false
  cursor = '0'
  if (!(await follow())) return false
  remember()
  return true
}

/** A session of its own, with an address that no other session of this world has. */
export async function newSession(users: number): Promise<void> {
  // Nobody signed in with this one yet.
  if (id !== '' && state.userId === '' && state.screen === 'welcome' && state.email !== '') {
    return startOver(state.email)
  }
  id = newId()
  beginAnew()
  await post(USERS, { session: id, users })
  const starts = (await readBox(USERS)).rows.filter(({ session }) => session)
  const number = starts[0].users + starts.findIndex(({ session }) => session === id) + 1
  const free = Math.max(number, users + 1)
  startOver(free > 1 ? `ana${free}@example.com` : 'ana@example.com')
  remember()
}

function beginAnew() {
  cursor = '0'
  owner = windowId
  lastGroup = 0
}

/** A page of another site may be framed without any storage. */
function eachStore(use: (store: Storage) => unknown): string {
  try {
    return String(use(sessionStorage) || use(localStorage) || '')
  } catch {
    return ''
  }
}

const remember = () => eachStore((store) => store.setItem(KEY, id))
const recall = () => eachStore((store) => store.getItem(KEY))

/** Says before it acts that this window acts now. */
export async function claim(): Promise<void> {
  if (isOwner() || id === '') return
  owner = windowId
  await post(ownBox(), { by: windowId })
}

/** Says everything again, in a world that has just been restored. */
export async function rewriteSession(): Promise<void> {
  beginAnew()
  for (const received of state.received) await note({ received })
  if (state.name) await note({ name: state.name })
  for (const order of Object.values(state.orders)) await note({ order })
  await save()
}

export async function save(): Promise<void> {
  if (id === '' || !isOwner()) return
  const wallet = state.kept()
  for (const name of OWN) delete wallet[name]
  const causes = state.causes.filter((cause) => cause.id > lastGroup)
  lastGroup = state.causes.at(-1)?.id ?? lastGroup
  await post(ownBox(), { by: windowId, wallet, causes })
}

/** Takes over what other windows of the session did; true if there was anything. */
export async function follow(): Promise<boolean> {
  if (id === '' || isLooking) return false
  isLooking = true
  try {
    const page = await readBox(ownBox(), cursor)
    cursor = page.cursor
    const others = page.rows.filter(({ by }) => by !== windowId)
    owner = page.rows.at(-1)?.by ?? owner
    const last = others.findLast(({ wallet }) => wallet)
    if (!last) return false
    const causes = others.flatMap((row) => row.causes ?? [])
    // A window that acted since is ahead of what the others said before.
    change({ ...(!isOwner() && last.wallet), causes: [...state.causes, ...causes] })
    lastGroup = Math.max(lastGroup, ...causes.map((cause: WireGroup) => cause.id))
    return true
  } finally {
    isLooking = false
  }
}

export function followOthers(): void {
  setInterval(() => {
    if (!document.hidden && !state.isBusy && !state.isGone) void follow().catch(() => null)
  }, LOOK_MS)
}

/** Keeps something about the customer who is logged in. */
export const note = (about: object): Promise<Json> => post(USERS, { email: state.email, ...about })

/** Record of a customer at the wallet's server; somebody it never registered has no name. */
export async function readCustomer(): Promise<Pick<typeof state, 'name' | 'received' | 'orders'>> {
  const notes = (await readBox(USERS)).rows.filter(({ email }) => email === state.email)
  const orders: Record<string, Json> = {}
  for (const { order } of notes) if (order) orders[order.id] = { ...orders[order.id], ...order }
  const name = notes.findLast((one) => one.name)?.name ?? ''
  return { name, received: notes.flatMap(({ received = [] }) => received), orders }
}

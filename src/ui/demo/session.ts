import { ApiError } from '../lib/api.ts'
import { control } from './api.ts'
import { change, state, toSession } from './store.ts'
import { opened } from './world.ts'

const KEY = 'demo-wallet'
/** Groups of rows that a reload keeps. */
const CAUSES_KEPT = 30

/** Keeps the wallet for a reload of this window. */
export function keepSession(): void {
  const session = { ...toSession(), opened, causes: state.causes.slice(-CAUSES_KEPT) }
  useStorage((storage) => storage.setItem(KEY, JSON.stringify(session)))
}

export const forgetSession = () => useStorage((storage) => storage.removeItem(KEY))

/** Continues with the wallet of this window, if its world still has the customer. */
export async function resumeSession(): Promise<boolean> {
  const text = useStorage((storage) => storage.getItem(KEY))
  if (!text) return false
  const { opened: openedBefore, ...session } = JSON.parse(text)
  // The inspector of the demo's own world links to the demo, too.
  if (openedBefore !== opened && session.world.prefix !== opened) return false
  const fresh = toSession()
  change({ ...session, player: { ...session.player, isPaused: true, isAtWork: false } })
  if (await hasCustomer()) return true
  change(fresh)
  return false
}

/** True if the world still exists and has the wallet's customer, if that has registered. */
export async function hasCustomer(): Promise<boolean> {
  const { userId } = state
  try {
    await control('GET', userId === '' ? '/health' : `/users/${userId}`)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

/** Storage may be blocked, or full. */
function useStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}

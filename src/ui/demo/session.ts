import { control, prefix } from './api.ts'
import { change, keptState, state } from './store.ts'

const KEY = `demo-wallet ${prefix}`
/** Groups of rows that a reload keeps. */
const CAUSES_KEPT = 30

/** Keeps the wallet for a reload of this window. */
export function keepSession(): void {
  const kept = { ...keptState(), causes: state.causes.slice(-CAUSES_KEPT) }
  useStorage((storage) => storage.setItem(KEY, JSON.stringify(kept)))
}

export const forgetSession = () => useStorage((storage) => storage.removeItem(KEY))

/** Continues with the wallet of this window, if the world still has its customer. */
export async function resumeSession(): Promise<boolean> {
  const kept = useStorage((storage) => storage.getItem(KEY))
  if (!kept) return false
  const wallet = JSON.parse(kept)
  if (!(await isKnown(wallet))) return false
  change(wallet)
  return true
}

/** True if the world has a customer who has registered. */
export async function isKnown({ email, userId }: typeof state): Promise<boolean> {
  if (userId === '') return false
  const { total } = await control<'users.list'>('GET', `/users?email=${encodeURIComponent(email)}`)
  return total > 0
}

/** Storage may be blocked, or full. */
function useStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}

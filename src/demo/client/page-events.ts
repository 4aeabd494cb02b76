import { listen, state } from './store.ts'

/** Origins of pages that may frame the wallet, by `--allow-frame`. */
const allowed: readonly string[] = JSON.parse(document.body.dataset.frames ?? '[]')

/** Says to the page that frames the wallet what happened in it; never a token or a name. */
export function tellPage(): void {
  const origin = findFramer()
  if (origin === undefined) return
  const tell = (type: string, data: object = {}) =>
    window.parent.postMessage({ source: 'ramp-wallet', type, ...data }, origin)
  let verified = ''
  const statuses = new Map<string, string>()
  listen(() => {
    const { userId, userStatus, transactions } = state
    if (userStatus === 'verified' && userId !== verified) {
      verified = userId
      tell('verified', { userId })
    }
    for (const { id, status } of transactions) {
      if (statuses.get(id) === status) continue
      statuses.set(id, status)
      tell('transaction', { id, status })
    }
  })
  tell('ready')
}

function findFramer(): string | undefined {
  if (window.parent === window) return undefined
  const { ancestorOrigins } = location
  const origin = ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin)
  return allowed.find((one) => one === origin)
}

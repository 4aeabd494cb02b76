import type { Facts } from '../replay/facts.ts'
import type { Outside } from '../replay/plan.ts'
import { type Code, toPath, toText } from './source.ts'

export interface WrittenStep {
  title: string
  code: string
}

/** What happened outside as a step; nothing for what the clock does. */
export function writeOutside(
  outside: Outside,
  find: (value: unknown) => Code | undefined,
  facts: Facts,
): WrittenStep | undefined {
  if (outside.kind === 'move') return writeMove(outside.transaction, outside.status, find, facts)
  const { email } = outside
  const path = `/simulate/users/${encodeURIComponent(email)}`
  if (outside.kind === 'access') {
    const list = outside.has ? "['jwt', 'apiKey']" : "['jwt']"
    const title = outside.has
      ? `${email} grants access by the key alone`
      : `${email} takes the access by the key alone back`
    return { title, code: post(toText(`${path}/access`), `{ accessibleBy: ${list} }`) }
  }
  const body = `{ status: ${toText(outside.status)} }`
  const title = `A reviewer decides: ${email} is ${outside.status}`
  return { title, code: post(toText(`${path}/kyc`), body) }
}

function writeMove(
  id: string,
  status: string,
  find: (value: unknown) => Code | undefined,
  facts: Facts,
): WrittenStep | undefined {
  if (status === 'expired') return undefined
  const before = statusBefore(id, status, facts)
  // Settling shows both statuses.
  if (status === 'complete' && before?.startsWith('sending ')) return undefined
  const path = (move: string) =>
    toPath(['simulate', 'transactions', find(id) ?? encodeURIComponent(id), move])
  if (status === 'processing request money transfer') {
    return { title: 'The money arrives', code: post(path('funds-received')) }
  }
  if (status === 'complete' || status.startsWith('sending ')) {
    const isPending = before === 'pending request money transfer'
    const body = isPending ? '{ through: true }' : undefined
    return { title: 'The transaction is settled', code: post(path('settled'), body) }
  }
  if (/^cancell?ed$/.test(status)) {
    return { title: 'The user withdraws', code: post(path('cancelled')) }
  }
  const body = `{ status: ${toText(status)}, force: true }`
  return { title: `The status becomes ${status}`, code: post(path('status'), body) }
}

function statusBefore(id: string, status: string, facts: Facts): string | undefined {
  const statuses = facts.transactions.get(id)?.statuses ?? []
  const first = statuses.findIndex((sighting) => sighting.status === status)
  return statuses[first - 1]?.status
}

const post = (path: string, body?: string): string =>
  `await control.post(${path}${body === undefined ? '' : `, ${body}`})`

import type { Facts } from '../replay/facts.ts'
import { moveTo, type Outside } from '../replay/plan.ts'
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
  const move = moveTo(status)
  if (move === 'expired') return undefined
  const before = statusBefore(id, status, facts)
  // Settling shows both statuses.
  if (status === 'complete' && before?.startsWith('sending ')) return undefined
  const path = toPath([
    'simulate',
    'transactions',
    find(id) ?? encodeURIComponent(id),
    move ?? 'status',
  ])
  if (move === undefined) {
    const body = `{ status: ${toText(status)}, force: true }`
    return { title: `The status becomes ${status}`, code: post(path, body) }
  }
  const isPending = before === 'pending request money transfer'
  const body = move === 'settled' && isPending ? '{ through: true }' : undefined
  return { title: TITLES[move], code: post(path, body) }
}

const TITLES = {
  'funds-received': 'The money arrives',
  settled: 'The transaction is settled',
  cancelled: 'The user withdraws',
}

function statusBefore(id: string, status: string, facts: Facts): string | undefined {
  const statuses = facts.transactions.get(id)?.statuses ?? []
  const first = statuses.findIndex((sighting) => sighting.status === status)
  return statuses[first - 1]?.status
}

const post = (path: string, body?: string): string =>
  `await control.post(${path}${body === undefined ? '' : `, ${body}`})`

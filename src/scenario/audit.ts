import type { ControlClient } from '../client/control.ts'

interface AuditedTransaction {
  id: string
  status: string
  leftSideLabel: string
  leftSideValue: number
}

const COMPLETE = 'complete'

/** What a world holds after a story, which the integrator's own state must agree with. */
export interface Audit {
  transactions: readonly AuditedTransaction[]
}

export async function auditWorld({ call }: Pick<ControlClient, 'call'>): Promise<Audit> {
  const { items } = await call<{ items: AuditedTransaction[] }>('GET', '/transactions')
  const transactions = items.map(({ id, status, leftSideLabel, leftSideValue }) => {
    return { id, status, leftSideLabel, leftSideValue }
  })
  return { transactions }
}

/** Sums what was settled, by the currency that was paid. */
function sumSettled({ transactions }: Audit): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { status, leftSideLabel, leftSideValue } of transactions) {
    if (status !== COMPLETE) continue
    sums.set(leftSideLabel, (sums.get(leftSideLabel) ?? 0) + leftSideValue)
  }
  return sums
}

interface Audited {
  audit: Audit
  /** The integrator's state. */
  state: unknown
}

/** Says what of a run contradicts the undisturbed one: one intent, one transaction, which the client knows. */
export function findContradictions(run: Audited, undisturbed: Audited): string[] {
  const [count, usual] = [run.audit.transactions.length, undisturbed.audit.transactions.length]
  const doubled =
    count > usual ? [`your backend orders again: ${count} transactions instead of ${usual}`] : []
  const paid = findPaidTwice(run.audit, undisturbed.audit)
  return [...doubled, ...paid, ...findUnknown(run, undisturbed)]
}

function findPaidTwice(audit: Audit, undisturbed: Audit): string[] {
  const usual = sumSettled(undisturbed)
  return [...sumSettled(audit)].flatMap(([label, sum]) => {
    const expected = usual.get(label) ?? 0
    return sum > expected ? [`${sum} ${label} is settled instead of ${expected}`] : []
  })
}

/** Transactions that the client does not know, or of which it knows another status. */
function findUnknown({ audit, state }: Audited, undisturbed: Audited): string[] {
  if (!showsOrders(undisturbed)) return []
  const isStatusShown = undisturbed.audit.transactions.every(({ id, status }) =>
    JSON.stringify(findPart(undisturbed.state, id)).includes(status),
  )
  return audit.transactions.flatMap(({ id, status }) => {
    const part = findPart(state, id)
    if (part === undefined)
      return [`transaction ${id} (${status}) is orphaned: your state has no trace of it`]
    if (!isStatusShown || JSON.stringify(part).includes(status)) return []
    return [
      `your state has transaction ${id} as ${JSON.stringify(part)}, the provider as ${status}`,
    ]
  })
}

/** Recognises a state that names each transaction, so that one that is missing means something. */
const showsOrders = ({ audit, state }: Audited): boolean =>
  audit.transactions.length > 0 &&
  audit.transactions.every(({ id }) => findPart(state, id) !== undefined)

/** The smallest part of a state that is about an id. */
function findPart(state: unknown, id: string): unknown {
  if (typeof state === 'string') return state.includes(id) ? state : undefined
  if (state === null || typeof state !== 'object') return undefined
  for (const [name, part] of Object.entries(state)) {
    if (name === id) return part
    if (part === id) return state
    const found = findPart(part, id)
    if (found !== undefined)
      return typeof found === 'string' && !Array.isArray(state) ? state : found
  }
  return undefined
}

import type { ControlClient } from '../client/control.ts'
import { createLevers } from '../client/levers.ts'

interface AuditedTransaction {
  id: string
  status: string
  leftSideLabel: string
  leftSideValue: number
}

/** Transactions and logins that a story made, with which the integrator's own state must agree. */
export interface Audit {
  transactions: readonly AuditedTransaction[]
  /** How many login codes were exchanged. */
  logins: number
}

/** Audits after the steps of a story, where a step has ended, and after all of it. */
export interface StoryAudit {
  steps: readonly { title: string; audit: Audit }[]
  end: Audit
}

/** Reads the transactions and logins that were added since `before`. */
export async function auditWorld(
  control: Pick<ControlClient, 'call'>,
  before: Audit = { transactions: [], logins: 0 },
): Promise<Audit> {
  const levers = createLevers(control)
  const known = new Set(before.transactions.map(({ id }) => id))
  const all = await levers.transactions.list()
  const transactions = all.flatMap(({ id, status, leftSideLabel, leftSideValue }) =>
    known.has(id) ? [] : [{ id, status, leftSideLabel, leftSideValue }],
  )
  const logins = await levers.requests.list({ operation: 'verifyLoginCode', refused: false })
  return { transactions, logins: logins.length - before.logins }
}

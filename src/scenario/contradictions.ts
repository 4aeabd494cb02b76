import type { Audit, StoryAudit } from './audit.ts'
import type { OwnCall } from './calls.ts'
import type { Disturbance } from './disturbance.ts'
import { compareStates, formatValue } from './expect.ts'

/** A run whose world was audited. */
export interface AuditedRun {
  audit: StoryAudit
  /** The integrator's state. */
  state: unknown
}

const COMPLETE = 'complete'
const LOGIN = /\/auth\/login-codes/

/** Lists the contradictions of a run: one intent must make one transaction, which the client knows. */
export function findContradictions(
  run: AuditedRun & { calls: readonly OwnCall[]; disturbances: readonly Disturbance[] },
  undisturbed: AuditedRun,
): string[] {
  const mayLogIn = run.disturbances.some((each) => givesReasonToLogIn(each, run.calls))
  const findExcess = (audit: Audit, usual: Audit) => [
    ...findDoubled(audit, usual),
    ...(mayLogIn ? [] : findLogins(audit, usual)),
    ...findPaidTwice(audit, usual),
  ]
  const atEnd = findExcess(run.audit.end, undisturbed.audit.end)
  // A later step that fails may hide what an earlier one did twice.
  const [atStep = []] = run.audit.steps
    .map(({ title, audit }, at) => {
      const step = undisturbed.audit.steps[at]
      const excess = step === undefined ? [] : findExcess(audit, toEnded(step.audit, undisturbed))
      return excess.map((each) => `${each} after the step “${title}”`)
    })
    .filter(({ length }) => length > 0)
  return [...(atEnd.length > 0 ? atEnd : atStep), ...findDisagreements(run, undisturbed)]
}

/** What was made by a step, as it ended; scenarios of earlier versions have it as the step left it. */
function toEnded({ transactions, logins }: Audit, { audit: { end } }: AuditedRun): Audit {
  const ended = new Map(end.transactions.map((each) => [each.id, each]))
  return { transactions: transactions.map((each) => ended.get(each.id) ?? each), logins }
}

/** A client whose login failed or whose token has expired must log in once more. */
function givesReasonToLogIn(disturbance: Disturbance, calls: readonly OwnCall[]): boolean {
  if (disturbance.kind !== 'call') return false
  if (movesClock(disturbance) || disturbance.how === 'token expired') return true
  return LOGIN.test(disturbance.call ?? calls[disturbance.at]?.path ?? '')
}

const movesClock = (each: Disturbance) =>
  each.kind === 'call' && (each.how === 'clock jumped' || each.how === 'quote expired')

function findDoubled({ transactions }: Audit, usual: Audit): string[] {
  const [count, usually] = [transactions.length, usual.transactions.length]
  if (count <= usually) return []
  const reason = usually === 1 ? 'for one step' : `instead of ${usually}`
  return [`your backend orders again: ${count} transactions ${reason}`]
}

const findLogins = ({ logins }: Audit, usual: Audit): string[] =>
  logins > usual.logins
    ? [`your backend logs in again: ${logins} logins instead of ${usual.logins}`]
    : []

function findPaidTwice(audit: Audit, undisturbed: Audit): string[] {
  const usual = sumSettled(undisturbed)
  return [...sumSettled(audit)].flatMap(([label, sum]) => {
    const expected = usual.get(label) ?? 0
    return sum > expected ? [`${sum} ${label} is settled instead of ${expected}`] : []
  })
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

/** Lists transactions that the client does not know, or has with another status. */
function findDisagreements(
  run: AuditedRun & { disturbances: readonly Disturbance[] },
  undisturbed: AuditedRun,
): string[] {
  if (showsTransactions(undisturbed)) return findUnknown(run, undisturbed)
  const isSame = summarise(run.audit.end) === summarise(undisturbed.audit.end)
  // Where the clock was moved, a state that shows times may differ.
  if (!isSame || run.disturbances.some(movesClock)) return []
  const [first] = compareStates(run.state, undisturbed.state)
  if (first === undefined) return []
  const { path, actual, expected } = first
  return [
    `your state ends with \`${path || 'state'}\` as ${formatValue(actual)} instead of ${formatValue(expected)}, though the provider has the same transactions`,
  ]
}

const summarise = ({ transactions }: Audit): string =>
  transactions
    .map(
      ({ status, leftSideLabel, leftSideValue }) => `${status} ${leftSideValue} ${leftSideLabel}`,
    )
    .sort()
    .join()

/** Recognises a state that names each transaction, so that one that is missing means something. */
export const showsTransactions = ({ audit, state }: AuditedRun): boolean =>
  audit.end.transactions.length > 0 &&
  audit.end.transactions.every(({ id }) => findPart(state, id) !== undefined)

function findUnknown({ audit, state }: AuditedRun, undisturbed: AuditedRun): string[] {
  const isStatusShown = undisturbed.audit.end.transactions.every(({ id, status }) =>
    JSON.stringify(findPart(undisturbed.state, id)).includes(status),
  )
  return audit.end.transactions.flatMap(({ id, status }) => {
    const part = findPart(state, id)
    if (part === undefined)
      return [`transaction ${id} (${status}) is orphaned: your state has no trace of it`]
    if (!isStatusShown || JSON.stringify(part).includes(status)) return []
    return [
      `your state has transaction ${id} as ${JSON.stringify(part)}, the provider as ${status}`,
    ]
  })
}

/** Finds the smallest part of a state that mentions an id. */
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

import { findByEmail, type Situation, transactionOf } from './access.ts'

const PENDING = 'pending request money transfer'
const FINAL = ['complete', 'cancelled', 'expired']

type Expect = (situation: Situation) => number | undefined

/** A move of a transaction: not found, possible, or an illegal transition. */
const moving =
  (
    isAllowed: (transaction: { status: string; side: string }, situation: Situation) => boolean,
  ): Expect =>
  (situation) => {
    const transaction = transactionOf(situation)
    if (!transaction) return 404
    return isAllowed(transaction, situation) ? 200 : 409
  }

/** Under a setting, funds that arrive after the expiry are taken, too. */
function takesFunds({ status }: { status: string }, { settings }: Situation): boolean {
  const isLate = status === 'expired' && settings['transactions.final'] === 'late-funds'
  return status === PENDING || isLate
}

/** A change of a user, by e-mail address. */
const ofUser =
  (isAccepted: (body: Record<string, unknown>) => boolean): Expect =>
  ({ before, step }) => {
    const body = step.body as Record<string, unknown>
    const isFound = findByEmail(before.users, step.ref ?? '') !== undefined
    if ('maximumCad' in body && !isAccepted(body)) return 400
    if (!isFound) return 404
    return isAccepted(body) ? 200 : 400
  }

export const CONTROL: Record<string, Expect> = {
  simulateFundsReceived(situation) {
    const { paymentId } = situation.step.body as { paymentId?: string }
    const expected = moving(takesFunds)(situation)
    const isBuy = transactionOf(situation)?.side === 'buy'
    return expected === 200 && isBuy && paymentId !== undefined ? 400 : expected
  },
  simulateExpired: moving(({ status }) => status === PENDING),
  simulateBankRefused: moving(({ status, side }) => status === PENDING && side === 'buy'),
  simulateCancelled: moving(
    ({ status }, { settings }) =>
      status === PENDING ||
      (settings['transactions.cancellable'] === 'active' && !FINAL.includes(status)),
  ),
  simulateSettled: moving((transaction, situation) => {
    const { status } = transaction
    const { through } = situation.step.body as { through?: boolean }
    if (takesFunds(transaction, situation)) return through === true
    return !FINAL.includes(status)
  }),
  simulateStatus: moving(() => true),
  simulateKyc: ofUser(() => true),
  simulateAccess: ofUser(({ accessibleBy }) => (accessibleBy as string[]).includes('jwt')),
  simulateAccount: ofUser(({ maximumCad = 0 }) => maximumCad === null || Number(maximumCad) >= 0),
  advanceClock({ step, before }) {
    const { toNext, to } = step.body as { toNext?: true; to?: string }
    if (toNext) return before.tasks.length > 0 ? 200 : 409
    return to === undefined || Date.parse(to) > before.now ? 200 : 400
  },
  putRates: ({ step }) => (JSON.stringify(step.body).includes('{"cad":0}') ? 400 : 200),
  patchSettings: ({ step }) => (/no\.such|:-1/.test(JSON.stringify(step.body)) ? 400 : 200),
  reset: () => 200,
  takeSnapshot: () => 200,
  restoreSnapshot: () => 200,
  importState: ({ step }) => (step.broken ? 400 : 200),
}

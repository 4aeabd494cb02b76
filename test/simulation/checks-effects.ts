import { isDeepStrictEqual } from 'node:util'
import type { Transaction, User } from '../../src/world/state.ts'
import { findByEmail } from './access.ts'
import { toAmount } from './prices.ts'
import type { Check, Scene } from './scene.ts'

/** What a call orders is what happens. */
export const effects: Check = (scene) => {
  const { step, answer } = scene
  if (answer.status >= 300) return []
  const expected = EFFECTS[step.action]?.(scene) ?? {}
  return Object.entries(expected)
    .filter(([, [actual, expected]]) => !isDeepStrictEqual(actual, expected))
    .map(([what, [actual, expected]]) => {
      return `${step.action} left ${what} ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`
    })
}

/** By what it is: what is there, and what should be. */
type Effects = Record<string, [actual: unknown, expected: unknown]>

const EFFECTS: Record<string, (scene: Scene) => Effects> = {
  createTransaction(scene) {
    const { after, step, answer } = scene
    const body = bodyOf(scene)
    const made = after.transactions.find(({ id }) => id === answer.data.id)
    const integrator = after.integrators.find(({ apiKey }) => apiKey === step.key)
    return {
      user: [made?.userId, step.token?.userId ?? step.ref],
      integrator: [made?.integrator, integrator?.name],
      labels: [
        [made?.leftSideLabel, made?.rightSideLabel],
        [body.leftSideLabel, body.rightSideLabel],
      ],
      amount: [made?.leftSide, made && toAmount(Number(body.leftSideValue), made, scene.settings)],
      wallet: [made?.wallet, body.wallet],
      quote: [made?.quoteId, body.quoteId],
      session: [made?.externalSessionId, body.externalSessionId ?? null],
    }
  },
  createUser(scene) {
    const { email, ...profile } = bodyOf(scene)
    const made = findByEmail(scene.after.users, String(email))
    const integrator = scene.after.integrators.find(({ apiKey }) => apiKey === scene.step.key)
    return {
      email: [made?.email, email],
      status: [made?.status, scene.settings['users.initialStatus']],
      links: [made?.integrators, [integrator?.name]],
      profile: [made?.profile, profile],
    }
  },
  updateUser(scene) {
    const { profile } = userOf(scene) ?? {}
    const sent = bodyOf(scene)
    return { profile: [profile, { ...profile, ...sent }] }
  },
  importKyc: (scene) => ({
    status: [userOf(scene)?.status, 'verified'],
    link: [isLinked(scene, userOf(scene)), true],
  }),
  verifyLoginCode(scene) {
    const user = findByEmail(scene.after.users, String(bodyOf(scene).email))
    return { link: [isLinked(scene, user), true] }
  },
  simulateKyc(scene) {
    const { status, after } = bodyOf(scene)
    return after === undefined ? { status: [userOf(scene)?.status, status] } : {}
  },
  simulateAccess(scene) {
    const accessibleBy = bodyOf(scene).accessibleBy as string[]
    return { access: [userOf(scene)?.keyAccess, accessibleBy.includes('apiKey')] }
  },
  simulateAccount(scene) {
    const user = userOf(scene)
    return { account: [user, { ...user, ...bodyOf(scene) }] }
  },
  cancelTransaction: (scene) => status(scene, 'cancelled'),
  simulateFundsReceived(scene) {
    const { paymentId = transactionOf(scene)?.paymentId } = bodyOf(scene)
    const hash: Effects[string] = [transactionOf(scene)?.paymentId, paymentId]
    return { ...status(scene, 'processing request money transfer'), hash }
  },
  simulateExpired: (scene) => status(scene, 'expired'),
  simulateCancelled: (scene) => status(scene, 'cancelled'),
  simulateSettled(scene) {
    const { paymentId = transactionOf(scene)?.paymentId } = bodyOf(scene)
    return { ...status(scene, 'complete'), hash: [transactionOf(scene)?.paymentId, paymentId] }
  },
  simulateStatus(scene) {
    const ordered = bodyOf(scene).status
    const isCancelled = ordered === scene.settings['transactions.cancelledStatus']
    return status(scene, isCancelled ? 'cancelled' : ordered)
  },
  simulateBankRefused(scene) {
    const cancels = scene.settings['transactions.bankRefused'] === 'cancelled'
    return status(scene, cancels ? 'cancelled' : 'pending request money transfer')
  },
  advanceClock(scene) {
    const { to, toNext } = bodyOf(scene)
    const { before, after } = scene
    if (to !== undefined) return { now: [after.now, Date.parse(String(to))] }
    if (toNext === undefined) return { now: [after.now > before.now, true] }
    return { now: [after.now, Math.max(before.tasks[0]?.at ?? 0, before.now)] }
  },
  putRates: (scene) => ({
    rates: [scene.after.rates, { ...scene.before.rates, ...bodyOf(scene) }],
  }),
  putWebhookConfiguration({ after, step }) {
    const integrator = after.integrators.find(({ apiKey }) => apiKey === step.key)
    return { url: [integrator?.webhook?.url, (step.body as { url: string }).url] }
  },
  deleteWebhookConfiguration({ after, step }) {
    const integrator = after.integrators.find(({ apiKey }) => apiKey === step.key)
    return { url: [integrator?.webhook, null] }
  },
}

const status = (scene: Scene, expected: unknown): Effects => ({
  status: [transactionOf(scene)?.status, expected],
})

function isLinked({ step, after }: Scene, user: User | undefined) {
  const integrator = after.integrators.find(({ apiKey }) => apiKey === step.key)
  return integrator && user?.integrators.includes(integrator.name)
}

const bodyOf = ({ step }: Scene) => step.body as Record<string, unknown>

const transactionOf = ({ after, step }: Scene): Transaction | undefined =>
  after.transactions.find(({ id }) => id === step.ref)

const userOf = ({ after, step }: Scene): User | undefined =>
  after.users.find(({ id }) => id === step.ref) ?? findByEmail(after.users, step.ref ?? '')

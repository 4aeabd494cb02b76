import {
  type Authenticated,
  actsAlone,
  canFind,
  expectSubject,
  findByEmail,
  ownUser,
  type Situation,
  transactionOf,
} from './access.ts'
import { loginOf } from './memory.ts'
import { CONTROL } from './oracle-control.ts'
import { expectTransaction } from './oracle-trading.ts'
import { toAmount } from './prices.ts'

/** The status that the contract and our settings give a step, worked out from the state before it. */
export function expectStatus(situation: Situation): number | undefined {
  const { step } = situation
  const control = CONTROL[step.action]
  if (control) return typeof step.body === 'string' ? 400 : control(situation)
  const authenticated = admit(situation)
  if (typeof authenticated === 'number') return authenticated
  return V2[step.action]?.(situation, authenticated)
}

function admit(situation: Situation): Authenticated | number {
  const { step, before, memory } = situation
  const integrator = before.integrators.find(({ apiKey }) => apiKey === step.key)
  if (!integrator) return 401
  const { token } = step
  if (!token) return { integrator, user: null }
  const isKnown = memory.tokens.some(({ text }) => text === token.text)
  const user = before.users.find(({ id }) => id === token.userId)
  const isFound = canFind(situation, user, integrator)
  const isValid = token.expiresAt > before.now && token.integrator === integrator.name
  const isRevoked =
    situation.settings['tokens.afterStatusChange'] === 'revoke' && memory.revoked.has(token.text)
  return isKnown && user && isFound && isValid && !isRevoked ? { integrator, user } : 401
}

type Expect = (situation: Situation, authenticated: Authenticated) => number | undefined

const V2: Record<string, Expect> = {
  createUser({ step, before }) {
    if (step.broken || typeof step.body === 'string') return 400
    return findByEmail(before.users, emailOf(step)) ? 409 : 200
  },
  updateUser(situation, authenticated) {
    const refused = expectOnboarding(situation, authenticated)
    return refused ?? (situation.step.broken || changesIdentity(situation) ? 400 : 200)
  },
  createKycLink: (situation, authenticated) => expectOnboarding(situation, authenticated) ?? 200,
  findUsers: () => 200,
  getRequirements: (situation, authenticated) => (ownUser(situation, authenticated) ? 200 : 404),
  importKyc(situation, authenticated) {
    if (!ownUser(situation, authenticated)) return 404
    return situation.step.broken ? 400 : 200
  },
  sendLoginCode(situation, { integrator }) {
    const { step, before, settings } = situation
    const user = findByEmail(before.users, emailOf(step))
    if (!user || !canFind(situation, user, integrator)) {
      return settings['status.unknown-user']
    }
    return settings['login.eligible'] === 'verified' && user.status !== 'verified' ? 403 : 200
  },
  verifyLoginCode(situation, { integrator }) {
    const { step, before, settings, codes } = situation
    if (step.broken) return 400
    const user = findByEmail(before.users, emailOf(step))
    if (!user || !canFind(situation, user, integrator)) {
      return settings['status.unknown-user'] === 200 ? 401 : 404
    }
    if (settings['login.eligible'] === 'verified' && user.status !== 'verified') return 403
    const sent = before.loginCodes.find(
      (code) => code.userId === user.id && code.integrator === integrator.name,
    )
    const known = codes.get(loginOf(situation))
    if (!sent || !known || known.isUsed || known.expiresAt <= before.now) return 401
    const isOpen = known.attempts < settings['login.code.attempts']
    return isOpen && sent.code === codeOf(step) ? 200 : 401
  },
  getLimits: (situation, authenticated) => (expectSubject(situation, authenticated) ? 401 : 200),
  createQuote({ step, settings }) {
    const query = new URLSearchParams(step.path.split('?')[1])
    const side = query.get('leftSideLabel') === 'CAD' ? 'buy' : 'sell'
    const amount = toAmount(Number(query.get('leftSideValue')), { side }, settings)
    return step.broken || amount === undefined ? 400 : 200
  },
  createTransaction: expectTransaction,
  listTransactions(situation, authenticated) {
    return expectSubject(situation, authenticated) ?? (situation.step.broken ? 400 : 200)
  },
  getTransaction: (situation, authenticated) => expectOwner(situation, authenticated) ?? 200,
  cancelTransaction(situation, authenticated) {
    const refused = expectOwner(situation, authenticated)
    if (refused) return refused
    const { status } = transactionOf(situation) ?? { status: '' }
    const isPending = status === 'pending request money transfer'
    const isFinal = ['complete', 'cancelled', 'expired'].includes(status)
    const isActive = situation.settings['transactions.cancellable'] === 'active' && !isFinal
    return isPending || isActive ? 200 : 400
  },
  putWebhookConfiguration: ({ step }) => (step.broken ? 400 : 200),
  getWebhookConfiguration: (_, { integrator }) => (integrator.webhook ? 200 : 404),
  deleteWebhookConfiguration: (_, { integrator }) => (integrator.webhook ? 204 : 404),
  testWebhookConfiguration: (_, { integrator }) => (integrator.webhook ? 200 : 404),
  rotateSigningSecret: (_, { integrator }) => (integrator.signingSecret === null ? 404 : 200),
}

/** A setting keeps the name and birth date of a verified user. */
function changesIdentity({ step, before, settings }: Situation): boolean {
  if (settings['status.verified-field'] === 200) return false
  const user = before.users.find(({ id }) => id === step.ref)
  const sent = step.body as Record<string, unknown>
  return (
    user?.status === 'verified' &&
    (['firstName', 'lastName', 'dob'] as const).some(
      (field) => field in sent && sent[field] !== user.profile[field],
    )
  )
}

/** A user who cannot log in yet finishes onboarding with the key alone. */
function expectOnboarding(
  situation: Situation,
  { integrator, user }: Authenticated,
): number | undefined {
  if (user) return user.id === situation.step.ref ? undefined : 403
  const named = ownUser(situation, { integrator, user })
  if (!named) return 404
  return named.status !== 'verified' || actsAlone(named, integrator) ? undefined : 401
}

function expectOwner(
  situation: Situation,
  { integrator, user }: Authenticated,
): number | undefined {
  if (!user && !integrator.actsWithoutToken) return 401
  const transaction = transactionOf(situation)
  if (transaction?.integrator !== integrator.name) return 404
  if (user) return transaction.userId === user.id ? undefined : 404
  const owner = situation.before.users.find(({ id }) => id === transaction.userId)
  return owner && actsAlone(owner, integrator) ? undefined : 401
}

const emailOf = ({ body }: Situation['step']) => String((body as { email: unknown }).email)
const codeOf = ({ body }: Situation['step']) => String((body as { code: unknown }).code)

import type { LoginCode } from '../../src/world/session.ts'
import { advanceTo } from './steps-control.ts'
import { createFor } from './steps-trading.ts'
import { logIn, sendTo, verify, wrongCode } from './steps-users.ts'
import { type Make, someCaller, type View } from './view.ts'

/** Uses things that expire just before, at and just after that instant. */
const AROUND = [-1, 0, 1] as const

/** A quote in its last millisecond, or past it. */
export const useOldQuote: Make = (view) => {
  const { dice, state } = view
  const caller = someCaller(view)
  const quote = state.quotes.findLast(
    ({ integrator, expiresAt }) =>
      integrator === caller?.integrator.name && expiresAt > state.now + 1,
  )
  if (!caller || !quote) return undefined
  view.plan((later) => createFor(later, caller, quote))
  return advanceTo(quote.expiresAt + dice.pick(AROUND))
}

/** A token in its last millisecond, or past it. */
export const useOldToken: Make = (view) => {
  const { dice, state, memory } = view
  const token = memory.tokens.findLast(({ expiresAt }) => expiresAt > state.now + 1)
  const integrator = state.integrators.find(({ name }) => name === token?.integrator)
  if (!token || !integrator) return undefined
  const { apiKey: key } = integrator
  view.plan(() => ({
    action: 'listTransactions',
    method: 'GET',
    path: '/v2/transactions',
    key,
    token,
    ref: token.userId,
  }))
  return advanceTo(token.expiresAt + dice.pick(AROUND))
}

/** A login code as late as it may be used, or too late. */
export const useOldCode: Make = (view) => {
  const { dice, state } = view
  const sent = state.loginCodes.findLast(({ expiresAt }) => expiresAt > state.now + 1)
  if (!sent) return undefined
  view.plan((later) => verifyAgain(later, sent, (code) => code))
  return advanceTo(sent.expiresAt + dice.pick(AROUND))
}

/** Wrong codes up to the last attempt and past it, then the right one, then that once more. */
export const guessCode: Make = (view) => {
  const { dice, plan, settings } = view
  const caller = someCaller(view)
  if (!caller) return undefined
  const sent = { userId: caller.user.id, integrator: caller.integrator.name }
  const guesses = Math.max(settings['login.code.attempts'] + dice.pick(AROUND), 0)
  for (let i = 0; i < guesses; i++) plan((later) => verifyAgain(later, sent, wrongCode))
  for (let i = 0; i < 2; i++) plan((later) => verifyAgain(later, sent, (code) => code))
  return sendTo(caller.user.email, caller.integrator.apiKey)
}

type Sent = Pick<LoginCode, 'userId' | 'integrator'>

function verifyAgain({ state }: View, sent: Sent, toCode: (code: string) => string) {
  const { code } = state.loginCodes.find((known) => isSame(known, sent)) ?? { code: undefined }
  const user = state.users.find(({ id }) => id === sent.userId)
  const integrator = state.integrators.find(({ name }) => name === sent.integrator)
  if (code === undefined || !user || !integrator) return undefined
  return verify(user.email, toCode(code), integrator.apiKey)
}

const isSame = (a: Sent, b: Sent) => a.userId === b.userId && a.integrator === b.integrator

/** Time runs out between a login and what it was for. */
export const dawdle: Make = (view) => {
  const caller = someCaller(view)
  if (!caller) return undefined
  view.plan(useOldToken)
  return logIn(view, caller)
}

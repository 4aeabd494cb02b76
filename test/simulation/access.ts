import type { Integrator, User } from '../../src/world/state.ts'
import type { Scene } from './scene.ts'

/** Whom a call was authenticated as. */
export interface Authenticated {
  integrator: Integrator
  /** The user of the token; null without one. */
  user: User | null
}

export type Situation = Pick<Scene, 'step' | 'before' | 'settings' | 'memory' | 'codes'>

/** Without a token only an approved integrator acts, for a user who granted it. */
export function expectSubject(
  situation: Situation,
  { integrator, user }: Authenticated,
): number | undefined {
  if (user) return undefined
  const { step } = situation
  if (!integrator.actsWithoutToken || step.action === 'getLimits') return 401
  const named = ownUser(situation, { integrator, user })
  if (!named) return 404
  return actsAlone(named, integrator) ? undefined : 401
}

export const actsAlone = (user: User, { actsWithoutToken }: Integrator) =>
  user.keyAccess && actsWithoutToken

export const transactionOf = ({ before, step }: Situation) =>
  before.transactions.find(({ id }) => id === step.ref)

export function ownUser(
  { before, step }: Situation,
  { integrator }: Authenticated,
): User | undefined {
  const user = before.users.find(({ id }) => id === step.ref)
  return user?.integrators.includes(integrator.name) ? user : undefined
}

export const findByEmail = (users: readonly User[], email: string) =>
  users.find((user) => user.email.toLowerCase() === email.toLowerCase())

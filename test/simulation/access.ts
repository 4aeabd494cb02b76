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

/** The user whom a step is about, if this integrator can find it. */
export function ownUser(situation: Situation, { integrator }: Authenticated): User | undefined {
  const { before, step } = situation
  const user = before.users.find(({ id }) => id === step.ref)
  return canFind(situation, user, integrator) ? user : undefined
}

/** Users belong to the platform, unless the setting says otherwise. */
export function canFind(
  { settings }: Pick<Situation, 'settings'>,
  user: User | undefined,
  { name }: Integrator,
): boolean {
  if (user === undefined) return false
  return settings['users.visibility'] === 'platform' || user.integrators.includes(name)
}

export const findByEmail = (users: readonly User[], email: string) =>
  users.find((user) => user.email.toLowerCase() === email.toLowerCase())

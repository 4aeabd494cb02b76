import type { Integrator, User } from '../../src/world/state.ts'
import type { Scene } from './scene.ts'

/** What a call knows of its caller, once it got past the door. */
export interface Admitted {
  integrator: Integrator
  /** The user of the token; null without one. */
  user: User | null
}

export type Asked = Pick<Scene, 'step' | 'before' | 'settings' | 'memory' | 'codes'>

/** Without a token only an approved integrator acts, for a user who granted it. */
export function expectSubject(asked: Asked, { integrator, user }: Admitted): number | undefined {
  if (user) return undefined
  const { step } = asked
  if (!integrator.actsWithoutToken || step.action === 'getLimits') return 401
  const named = ownUser(asked, { integrator, user })
  if (!named) return 404
  return actsAlone(named, integrator) ? undefined : 401
}

export const actsAlone = (user: User, { actsWithoutToken }: Integrator) =>
  user.keyAccess && actsWithoutToken

export const transactionOf = ({ before, step }: Asked) =>
  before.transactions.find(({ id }) => id === step.ref)

export function ownUser({ before, step }: Asked, { integrator }: Admitted): User | undefined {
  const user = before.users.find(({ id }) => id === step.ref)
  return user?.integrators.includes(integrator.name) ? user : undefined
}

export const findByEmail = (users: readonly User[], email: string) =>
  users.find((user) => user.email.toLowerCase() === email.toLowerCase())

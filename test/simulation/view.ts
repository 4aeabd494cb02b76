import type { Settings } from '../../src/world/settings/index.ts'
import type { Integrator, State, Transaction, User } from '../../src/world/state.ts'
import type { Dice } from './dice.ts'
import type { Memory } from './memory.ts'
import type { Step, Token } from './scene.ts'

/** What a step is chosen from: the state of the world, and chance. */
export interface View {
  dice: Dice
  state: State
  settings: Settings
  memory: Memory
  /** Puts a step after this one, chosen from what the world is by then. */
  plan(make: Make): void
}

/** Makes a step, or none where the world has nothing for it. */
export type Make = (view: View) => Step | undefined

export const EMAILS = [
  'alice@example.com',
  'bob@example.com',
  'carol@example.com',
  'dave@example.com',
  'é漢🙂@example.com',
] as const

/** Most of a life is about one user, so that limits are reached. */
export function someUser({ dice, state }: View): User | undefined {
  const [favourite] = state.users
  return dice.chance(0.65) ? favourite : dice.find(state.users)
}

export interface Caller {
  user: User
  integrator: Integrator
  token: Token | undefined
}

/** A user of an integrator with a token that works, mostly. */
export function someCaller(view: View): Caller | undefined {
  const { dice, state, memory } = view
  const user = someUser(view)
  const name = dice.find(user?.integrators ?? [])
  const linked = state.integrators.find((known) => known.name === name)
  const integrator = dice.chance(0.1) ? dice.find(state.integrators) : linked
  if (!user || !integrator) return undefined
  if (dice.chance(0.03)) return { user, integrator, token: dice.find(memory.tokens) }
  if (dice.chance(0.03)) return { user, integrator, token: dice.find(memory.strangeTokens) }
  if (dice.chance(0.03)) return { user, integrator, token: undefined }
  return { user, integrator, token: validToken(view, user, integrator) }
}

export function validToken({ memory, state }: View, user: User, { name }: Integrator) {
  return memory.tokens.findLast(
    (token) => token.userId === user.id && token.integrator === name && token.expiresAt > state.now,
  )
}

/** The key of the caller, seldom a wrong one or none. */
export function keyOf({ dice }: View, integrator: Integrator): string | undefined {
  if (dice.chance(0.99)) return integrator.apiKey
  return dice.pick(['wrong-key', undefined])
}

/** A transaction, more often one that can still move. */
export function someTransaction({ dice, state }: View): Transaction | undefined {
  const recent = state.transactions.slice(-12)
  const active = recent.filter(({ closedAt }) => closedAt === null)
  return dice.chance(0.75) ? (dice.find(active) ?? dice.find(recent)) : dice.find(recent)
}

export const NOWHERE = '00000000-0000-4000-8000-000000000000'

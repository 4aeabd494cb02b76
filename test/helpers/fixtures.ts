import type { FixtureTransaction, FixtureUser } from '../../src/fixture/format.ts'
import { loadFixture } from '../../src/fixture/load.ts'
import { fixtureToState } from '../../src/fixture/state.ts'
import { DomainError } from '../../src/world/domain-error.ts'
import { parseSettings } from '../../src/world/settings/index.ts'
import type { State } from '../../src/world/state.ts'
import { World } from '../../src/world/world.ts'

export const NOW = Date.parse('2026-07-01T12:00:00Z')
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const PENDING = 'pending request money transfer'
export const PROCESSING = 'processing request money transfer'

export const INTEGRATORS = [
  { name: 'main', apiKey: 'key-1' },
  { name: 'other', apiKey: 'key-2' },
]
export const ALICE: FixtureUser = { email: 'alice@example.com', status: 'verified' }
export const BUY: FixtureTransaction = {
  user: 'alice@example.com',
  leftSideLabel: 'CAD',
  leftSideValue: 100,
  rightSideLabel: 'USDC-ETH',
}
export const SELL: FixtureTransaction = { ...BUY, leftSideLabel: 'USDC-ETH', rightSideLabel: 'CAD' }

export type Options = Partial<Parameters<typeof fixtureToState>[1]>

export function open(source: string | object, options: Options = {}): World {
  return new World(stateOf(source, options))
}

export function stateOf(source: string | object, options: Options = {}): State {
  const settings = parseSettings(options.settings ?? {})
  const start = { seed: 'test', now: NOW, mode: 'frozen', ...options, settings } as const
  return fixtureToState(loadFixture(source), start)
}

export const trading = (...transactions: object[]) => ({
  integrators: INTEGRATORS,
  users: [ALICE],
  transactions: transactions.map((given) => ({ ...BUY, ...given })),
})

export function problemsOf(source: string | object, options: Options = {}): string[] {
  try {
    stateOf(source, options)
  } catch (error) {
    if (error instanceof DomainError) return error.problems.map(({ message }) => message)
    throw error
  }
  return []
}

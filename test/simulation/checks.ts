import { outcome, readings, reads, refusals, replacing, shape } from './checks-answers.ts'
import { effects } from './checks-effects.ts'
import { identities, journals, payloads, time, told } from './checks-events.ts'
import { money, prices } from './checks-money.ts'
import { aim, limits, moves, whole } from './checks-transactions.ts'
import { deliveries } from './checks-webhooks.ts'
import {
  firing,
  indexes,
  keeping,
  reload,
  tallies,
  tasks,
  userTransactions,
} from './checks-world.ts'
import type { Check, Scene } from './scene.ts'

/** Of the answer, and of what the step promised: looked at after each step. */
const ALWAYS = {
  outcome,
  refusals,
  reads,
  shape,
  readings,
  replacing,
  effects,
  firing,
  tasks,
  deliveries,
  keeping,
}

type Part = keyof Scene['after']

/** Of the state: looked at when one of the parts they read has changed. */
const WHEN_CHANGED: Readonly<Record<string, { check: Check; parts: readonly Part[] }>> = {
  whole: { check: whole, parts: ['transactions'] },
  money: { check: money, parts: ['quotes', 'transactions'] },
  prices: { check: prices, parts: ['quotes', 'transactions'] },
  limits: { check: limits, parts: ['transactions'] },
  moves: { check: moves, parts: ['transactions'] },
  aim: { check: aim, parts: ['transactions', 'users'] },
  told: { check: told, parts: ['transactions', 'users', 'events'] },
  payloads: { check: payloads, parts: ['events'] },
  identities: { check: identities, parts: ['transactions', 'users', 'events', 'messages'] },
  time: { check: time, parts: ['now', 'transactions', 'users', 'events', 'messages'] },
  indexes: { check: indexes, parts: ['transactions', 'users', 'integrators', 'quotes', 'tasks'] },
  userTransactions: { check: userTransactions, parts: ['now', 'settings', 'transactions'] },
  tallies: { check: tallies, parts: ['transactions', 'users'] },
}

/** Looked at now and then: they read everything once more. */
const DEAR = { journals, reload }

export const CHECKS: Readonly<Record<string, Check>> = {
  ...ALWAYS,
  ...Object.fromEntries(Object.entries(WHEN_CHANGED).map(([name, { check }]) => [name, check])),
  ...DEAR,
}

/** Everything that is wrong with a scene, each with the name of the check. */
export function findViolations(scene: Scene, { isDear }: { isDear: boolean }): string[] {
  const { before, after } = scene
  const found: string[] = []
  const look = (name: string, check: Check) => {
    for (const what of check(scene)) found.push(`${name}: ${what}`)
  }
  for (const [name, check] of Object.entries(ALWAYS)) look(name, check)
  for (const [name, { check, parts }] of Object.entries(WHEN_CHANGED)) {
    if (isDear || parts.some((part) => before[part] !== after[part])) look(name, check)
  }
  if (isDear) for (const [name, check] of Object.entries(DEAR)) look(name, check)
  return found
}

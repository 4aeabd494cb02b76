import { outcome, readings, reads, rejections, replacing, shape } from './checks-answers.ts'
import { effects } from './checks-effects.ts'
import { announced, identities, journals, payloads, time } from './checks-events.ts'
import { money, prices } from './checks-money.ts'
import { aim, limits, moves, whole } from './checks-transactions.ts'
import { deliveries } from './checks-webhooks.ts'
import {
  counts,
  firing,
  indexes,
  keeping,
  reload,
  tasks,
  userTransactions,
} from './checks-world.ts'
import type { Check, Scene } from './scene.ts'

/** Of the answer, and of what the step promised: looked at after each step. */
const ALWAYS = {
  outcome,
  rejections,
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
  announced: { check: announced, parts: ['transactions', 'users', 'events'] },
  payloads: { check: payloads, parts: ['events'] },
  identities: { check: identities, parts: ['transactions', 'users', 'events', 'messages'] },
  time: { check: time, parts: ['now', 'transactions', 'users', 'events', 'messages'] },
  indexes: { check: indexes, parts: ['transactions', 'users', 'integrators', 'quotes', 'tasks'] },
  userTransactions: { check: userTransactions, parts: ['now', 'settings', 'transactions'] },
  counts: { check: counts, parts: ['transactions', 'users'] },
}

/** Looked at now and then: they read everything once more. */
const COSTLY = { journals, reload }

export const CHECKS: Readonly<Record<string, Check>> = {
  ...ALWAYS,
  ...Object.fromEntries(Object.entries(WHEN_CHANGED).map(([name, { check }]) => [name, check])),
  ...COSTLY,
}

/** Everything that is wrong with a scene, each with the name of the check. */
export function findViolations(scene: Scene, { isCostly }: { isCostly: boolean }): string[] {
  const { before, after } = scene
  const found: string[] = []
  const look = (name: string, check: Check) => {
    for (const what of check(scene)) found.push(`${name}: ${what}`)
  }
  for (const [name, check] of Object.entries(ALWAYS)) look(name, check)
  for (const [name, { check, parts }] of Object.entries(WHEN_CHANGED)) {
    if (isCostly || parts.some((part) => before[part] !== after[part])) look(name, check)
  }
  if (isCostly) for (const [name, check] of Object.entries(COSTLY)) look(name, check)
  return found
}

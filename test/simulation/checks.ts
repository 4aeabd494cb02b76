import * as z from 'zod'
import { v2Operations } from '../../src/http/v2/index.ts'
import { announced, identities, journals, payloads, time } from './checks-events.ts'
import { aim, limits, money, moves, whole } from './checks-transactions.ts'
import { firing, indexes, keeping, reload, tasks } from './checks-world.ts'
import { type Check, isUnchanged, type Scene } from './scene.ts'

/** Nothing fails; what was broken on purpose, or sent with a token that has expired, is refused. */
const outcome: Check = ({ step, response, before }) => {
  if (response.status >= 500) return [`the sandbox failed: ${response.text}`]
  if (response.status >= 400) return []
  if (step.broken) return [`${step.broken} was accepted`]
  return step.token && step.token.expiresAt <= before.now ? ['an expired token was accepted'] : []
}

/** A refused call changes nothing; only a wrong login code counts as an attempt. */
const rejections: Check = (scene) => {
  const { step, response, before, after } = scene
  if (response.status < 400 || isUnchanged(scene)) return []
  if (step.action === 'verifyLoginCode' && response.status === 401) {
    const forgiven = { ...after, loginCodes: before.loginCodes }
    if (JSON.stringify(forgiven) === JSON.stringify(before)) return []
  }
  return [`${step.action} was refused with ${response.status} but changed the state`]
}

const READS = new Set([
  'findUsers',
  'getRequirements',
  'getLimits',
  'getTransaction',
  'listTransactions',
  'takeSnapshot',
  'importState',
])

/** Reading changes nothing, nor does importing what was exported. */
const reads: Check = (scene) => {
  const { action } = scene.step
  return READS.has(action) && !isUnchanged(scene) ? [`${action} changed the state`] : []
}

const Refused = z.strictObject({
  success: z.literal(false),
  errors: z.array(z.strictObject({ field: z.string().min(1), message: z.string().min(1) })).min(1),
})
const Problem = z.looseObject({ status: z.int(), code: z.string(), title: z.string().min(1) })
const shapes = new Map(
  v2Operations.map(({ id, response }) => [
    id,
    response && z.strictObject({ success: z.literal(true), data: response() }),
  ]),
)

/** Responses have the shape that their operation declares, errors the envelope of their dialect. */
const shape: Check = ({ step, response }) => {
  const failure = step.path.startsWith('/v2/') ? Refused : Problem
  const expected = response.status >= 400 ? failure : shapes.get(step.action)
  const parsed = expected?.safeParse(response.body)
  if (!parsed || parsed.success) return []
  return [
    `${step.action} has a response of another shape: ${parsed.error.message}\n${response.text}`,
  ]
}

/** A reset leaves no rows, and the clock where it is asked to. */
const replacing: Check = ({ step, response, before, after }) => {
  if (step.action !== 'reset' || response.status >= 400) return []
  const { keep = [] } = step.body as { keep?: string[] }
  const wrong: string[] = []
  if (after.transactions.length > 0 || after.events.length > 0) wrong.push('a reset left rows')
  if (keep.includes('clock') && after.now !== before.now) wrong.push('a reset moved the clock')
  return wrong
}

/** Of the response, and of what the step promised: looked at after each step. */
const ALWAYS = { outcome, rejections, reads, shape, replacing, firing, keeping }

type Part = keyof Scene['after']

/** Of the state: looked at when one of the parts they read has changed. */
const WHEN_CHANGED: Readonly<Record<string, { check: Check; parts: readonly Part[] }>> = {
  whole: { check: whole, parts: ['transactions'] },
  money: { check: money, parts: ['quotes', 'transactions'] },
  limits: { check: limits, parts: ['transactions'] },
  moves: { check: moves, parts: ['transactions'] },
  aim: { check: aim, parts: ['transactions', 'users'] },
  tasks: { check: tasks, parts: ['transactions', 'tasks'] },
  announced: { check: announced, parts: ['transactions', 'users', 'events'] },
  payloads: { check: payloads, parts: ['events'] },
  identities: { check: identities, parts: ['transactions', 'users', 'events', 'messages'] },
  time: { check: time, parts: ['now', 'transactions', 'users', 'events', 'messages'] },
  indexes: { check: indexes, parts: ['transactions', 'users', 'integrators', 'quotes', 'tasks'] },
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
  return Object.entries(CHECKS).flatMap(([name, check]) => {
    const parts = WHEN_CHANGED[name]?.parts
    const isDue = parts ? parts.some((part) => before[part] !== after[part]) : name in ALWAYS
    return isDue || isCostly ? check(scene).map((what) => `${name}: ${what}`) : []
  })
}

import * as z from 'zod'
import { v2Operations } from '../../src/http/v2/index.ts'
import type { Transaction } from '../../src/world/state.ts'
import { expectStatus } from './oracle.ts'
import { type Check, isUnchanged, REPLACING, type Scene } from './scene.ts'

/** The status is the one that the contract and our settings give. */
export const outcome: Check = (scene) => {
  const { answer } = scene
  if (answer.status >= 500) return [`the sandbox failed: ${answer.text}`]
  const expected = expectStatus(scene)
  if (expected === undefined || expected === answer.status) return []
  return [`the status is ${answer.status}, expected ${expected}: ${answer.text}`]
}

/** A refused call changes nothing; only a wrong login code counts as an attempt. */
export const rejections: Check = (scene) => {
  const { step, answer, before, after } = scene
  if (answer.status < 400 || isUnchanged(scene)) return []
  if (step.action === 'verifyLoginCode' && answer.status === 401) {
    const forgiven = { ...after, loginCodes: forgiveAttempt(before.loginCodes, after.loginCodes) }
    if (JSON.stringify(forgiven) === JSON.stringify(before)) return []
  }
  return [`${step.action} was refused with ${answer.status} but changed the state`]
}

type Codes = Scene['after']['loginCodes']

function forgiveAttempt(before: Codes, after: Codes): Codes {
  const tried = after.findIndex((code, i) => code.attempts === (before[i]?.attempts ?? 0) + 1)
  return after.map((code, i) => (i === tried ? { ...code, attempts: code.attempts - 1 } : code))
}

const READS = new Set([
  'findUsers',
  'getRequirements',
  'getLimits',
  'getTransaction',
  'listTransactions',
  'getWebhookConfiguration',
  'testWebhookConfiguration',
  'takeSnapshot',
  'importState',
])

/** Reading changes nothing, nor does importing what was exported. */
export const reads: Check = (scene) => {
  const { action } = scene.step
  return READS.has(action) && !isUnchanged(scene) ? [`${action} changed the state`] : []
}

const Refused = z.strictObject({
  success: z.literal(false),
  errors: z.array(z.strictObject({ field: z.string().min(1), message: z.string().min(1) })).min(1),
})
const Problem = z.looseObject({ status: z.int(), code: z.string(), title: z.string().min(1) })
const shapes = new Map(
  v2Operations.map(({ id, answer }) => [
    id,
    answer && z.strictObject({ success: z.literal(true), data: answer() }),
  ]),
)

/** Answers have the shape that their operation declares, errors the envelope of their dialect. */
export const shape: Check = ({ step, answer }) => {
  const isV2 = step.path.startsWith('/v2/')
  const failure = isV2 ? Refused : Problem
  const expected = answer.status >= 400 ? failure : shapes.get(step.action)
  const parsed = expected?.safeParse(answer.body)
  if (!parsed || parsed.success) return []
  return [`${step.action} answered in another shape: ${parsed.error.message}\n${answer.text}`]
}

/** One transaction, a page of them and the limits say what the state says. */
export const readings: Check = (scene) => {
  const { step, answer } = scene
  if (answer.status !== 200) return []
  const expected = READINGS[step.action]?.(scene)
  if (expected === undefined || JSON.stringify(expected) === JSON.stringify(answer.data)) return []
  return [`${step.action} answered ${answer.text}, expected ${JSON.stringify(expected)}`]
}

const READINGS: Record<string, (scene: Scene) => unknown> = {
  getTransaction(scene) {
    const transaction = scene.after.transactions.find(({ id }) => id === scene.step.ref)
    return transaction && show(transaction, scene)
  },
  listTransactions(scene) {
    const { after, step, settings } = scene
    const query = new URL(step.path, 'http://sandbox').searchParams
    const limit = Number(query.get('limit') ?? settings['transactions.list.limit'])
    const offset = Number(query.get('offset') ?? 0)
    const name = after.integrators.find(({ apiKey }) => apiKey === step.key)?.name
    const userId = step.token?.userId ?? step.ref
    const own = after.transactions
      .filter((row) => row.userId === userId && row.integrator === name)
      .reverse()
    const items = own.slice(offset, offset + limit).map((row) => show(row, scene))
    return { items, total: own.length, limit, offset }
  },
  getLimits({ after, settings, step }) {
    const user = after.users.find(({ id }) => id === (step.token?.userId ?? step.ref))
    const maximum = user?.maximumCad ?? settings['limits.maximum']
    const minimum = Math.min(settings['limits.selfServeMinimum'], maximum)
    const inCoins = (cad: number, rate: number, round: (value: number) => number) =>
      round((cad * 100 * 1e6) / Math.round(rate * 1e6)) / 100
    const coins = Object.entries(after.rates).map(([coin, { cad }]) => [
      coin,
      { minimum: inCoins(minimum, cad, Math.ceil), maximum: inCoins(maximum, cad, Math.floor) },
    ])
    return { leftSideCurrency: { CAD: { minimum, maximum }, ...Object.fromEntries(coins) } }
  },
}

function show(transaction: Transaction, { settings }: Scene) {
  const { id, status } = transaction
  return {
    id,
    date: new Date(transaction.createdAt).toISOString(),
    coin: transaction.coin,
    leftSideLabel: transaction.leftSideLabel,
    leftSideValue: transaction.leftSide / 1e6,
    rightSideLabel: transaction.rightSideLabel,
    rightSideValue: transaction.rightSide / 1e6,
    status: status === 'cancelled' ? settings['transactions.cancelledStatus'] : status,
    wallet: transaction.wallet,
    paymentType: transaction.paymentType,
    paymentId: transaction.paymentId,
    rmtId: transaction.rmtId,
  }
}

/** A world that replaced another keeps its promises about what it starts from. */
export const replacing: Check = ({ step, answer, before, after }) => {
  if (!REPLACING.has(step.action) || answer.status >= 400 || step.action !== 'reset') return []
  const { keep = [] } = step.body as { keep?: string[] }
  const wrong: string[] = []
  if (after.transactions.length > 0 || after.events.length > 0) wrong.push('a reset left rows')
  if (keep.includes('clock') && after.now !== before.now) wrong.push('a reset moved the clock')
  return wrong
}

import { type Settings, toSettings } from '../../src/world/settings/index.ts'
import type { State, Transaction } from '../../src/world/state.ts'
import { PENDING, PROCESSING } from '../../src/world/transaction-status.ts'
import { findByEmail } from './access.ts'
import { REPLACING, type Scene, type Token } from './scene.ts'

export interface ExpectedTask {
  at: number
  kind: string
  ref: string
}

/** What follows from the steps alone, and must show in the world. */
export interface Memory {
  /** Tasks that must be scheduled, no more and no fewer. */
  tasks: ExpectedTask[]
  /** Changes of status that a test forced: `<transaction> <position in its history>`. */
  forced: Set<string>
  /** How many entries of a history have no event, because a fixture or the creation made them. */
  withoutEvent: Map<string, number>
  tokens: Token[]
  /** The login code that each user was sent last, by user and integrator. */
  codes: Map<string, Code>
  /** Memories by the name of the snapshot taken with them. */
  snapshots: Map<string, Memory>
}

export interface Code {
  expiresAt: number
  attempts: number
  isUsed: boolean
}

export function startMemory(state: State, kept?: Memory): Memory {
  const { transactions, users, tasks } = state
  return {
    tasks: tasks.map(({ at, kind, ref }) => ({ at, kind, ref })),
    forced: new Set(),
    withoutEvent: new Map(
      [...transactions, ...users].map(({ id, history }) => [id, history.length]),
    ),
    tokens: kept?.tokens ?? [],
    codes: new Map(),
    snapshots: kept?.snapshots ?? new Map(),
  }
}

type Happening = Pick<Scene, 'step' | 'answer' | 'before' | 'after' | 'settings'>

/** Takes in one step; refused ones teach nothing. */
export function remember(memory: Memory, scene: Happening): Memory {
  const { step, answer, after, before, settings } = scene
  if (step.action === 'verifyLoginCode') noteCode(memory, scene)
  if (answer.status >= 400) return memory
  const name = step.ref ?? ''
  if (step.action === 'takeSnapshot') memory.snapshots.set(name, copyOf(memory))
  if (step.action === 'restoreSnapshot') {
    const { tokens, snapshots } = memory
    const restored = snapshots.get(name)
    return restored ? { ...copyOf(restored), tokens, snapshots } : startMemory(after, memory)
  }
  if (REPLACING.has(step.action)) return startMemory(after, memory)
  if (step.action === 'verifyLoginCode') memory.tokens.push(toToken(scene))
  if (step.action === 'sendLoginCode') {
    const expiresAt = before.now + settings['login.code.ttl']
    memory.codes.set(loginOf(scene), { expiresAt, attempts: 0, isUsed: false })
  }
  const lengths = new Map(before.transactions.map(({ id, history }) => [id, history.length]))
  for (const user of after.users) {
    if (!memory.withoutEvent.has(user.id)) memory.withoutEvent.set(user.id, 1)
  }
  for (const transaction of after.transactions) {
    const { id, history } = transaction
    const known = lengths.get(id) ?? 0
    if (history.length === known) continue
    expectTasks(memory, id, dueOf(transaction, settings))
    if (step.action === 'simulateStatus') memory.forced.add(`${id} ${history.length - 1}`)
  }
  if (step.action === 'advanceClock') forgetKyc(memory, after.now)
  if (step.action === 'simulateKyc' && typeof answer.data.due === 'string') {
    const ref = String(answer.data.userId)
    memory.tasks.push({ at: Date.parse(answer.data.due), kind: 'change-kyc-status', ref })
  }
  return memory
}

/** A pending transaction has an expiry scheduled; automatic settlement schedules the money as well. */
function dueOf(
  { id, side, createdAt, status, history }: Transaction,
  settings: Settings,
): ExpectedTask[] {
  const since = history.at(-1)?.at ?? createdAt
  const isAuto = settings['transactions.settlement'] === 'auto'
  if (status === PENDING) {
    const windowMs = settings[side === 'buy' ? 'transactions.buyWindow' : 'transactions.sellWindow']
    const at = Math.max(createdAt + windowMs + settings['transactions.expiryLag'], since)
    const expiry = { at, kind: 'expire-transaction', ref: id }
    const arrival = since + settings['transactions.fundsAfter']
    return isAuto ? [expiry, { at: arrival, kind: 'receive-funds', ref: id }] : [expiry]
  }
  if (status !== PROCESSING || !isAuto) return []
  const at = since + settings['transactions.settleAfter']
  return [{ at, kind: 'settle-transaction', ref: id }]
}

function expectTasks(memory: Memory, ref: string, tasks: ExpectedTask[]) {
  memory.tasks = [...memory.tasks.filter((task) => task.ref !== ref), ...tasks]
}

/** An answer of 200 uses the code up, a 401 for one that was alive counts as an attempt. */
function noteCode(memory: Memory, scene: Happening) {
  const code = memory.codes.get(loginOf(scene))
  const { answer, before } = scene
  if (!code || ![200, 401].includes(answer.status)) return
  if (answer.status === 200) code.isUsed = true
  else if (!code.isUsed && code.expiresAt > before.now) code.attempts++
}

/** Who logs in at whom. */
export function loginOf({ step, before }: Pick<Scene, 'step' | 'before'>): string {
  const { email } = step.body as { email: string }
  return `${findByEmail(before.users, email)?.id} ${step.key}`
}

function forgetKyc(memory: Memory, now: number) {
  memory.tasks = memory.tasks.filter(({ kind, at }) => kind !== 'change-kyc-status' || at > now)
}

function toToken({ step, answer, after, settings }: Happening): Token {
  const { email } = step.body as { email: string }
  const user = findByEmail(after.users, email)
  const integrator = after.integrators.find(({ apiKey }) => apiKey === step.key)
  return {
    text: String(answer.data.accessToken),
    userId: user?.id ?? '',
    integrator: integrator?.name ?? '',
    expiresAt: Math.floor((after.now + settings['login.token.ttl']) / 1000) * 1000,
  }
}

const copyOf = ({ tasks, forced, withoutEvent, tokens, snapshots, codes }: Memory): Memory => ({
  tasks: tasks.map((task) => ({ ...task })),
  forced: new Set(forced),
  withoutEvent: new Map(withoutEvent),
  codes: new Map([...codes].map(([login, code]) => [login, { ...code }])),
  tokens,
  snapshots,
})

const known = new WeakMap<State['settings'], Settings>()

/** Worked out once for each change of the settings. */
export function settingsOf({ settings: changed }: State): Settings {
  const settings = known.get(changed) ?? toSettings(changed)
  known.set(changed, settings)
  return settings
}

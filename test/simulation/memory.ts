import { type Settings, toSettings } from '../../src/world/settings/index.ts'
import type { State, Transaction, User } from '../../src/world/state.ts'
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
  /**
   * How many entries of a history have no event, because a fixture or the creation made them; of a
   * user, by integrator, also what was before the link.
   */
  withoutEvent: Map<string, number>
  /** Those that this life of the world has issued. */
  tokens: Token[]
  /** Tokens of before a reset or a restored snapshot, by which the world can be tempted. */
  strangeTokens: Token[]
  /** Texts of tokens whose user lost the verification since. */
  revoked: Set<string>
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
    withoutEvent: new Map([
      ...transactions.map(({ id, history }): [string, number] => [id, history.length]),
      ...users.flatMap((user) => user.integrators.map((name) => link(user, name, user.history))),
    ]),
    tokens: [],
    strangeTokens: [...(kept?.strangeTokens ?? []), ...(kept?.tokens ?? [])],
    revoked: new Set(),
    codes: new Map(),
    snapshots: kept?.snapshots ?? new Map(),
  }
}

const link = ({ id }: User, integrator: string, history: readonly unknown[]): [string, number] => [
  `${id} ${integrator}`,
  history.length,
]

type Happening = Pick<Scene, 'step' | 'answer' | 'before' | 'after' | 'settings'>

/** Takes in one step; refused ones teach nothing. */
export function remember(memory: Memory, scene: Happening): Memory {
  const { step, answer, after, before, settings } = scene
  if (step.action === 'verifyLoginCode') noteCode(memory, scene)
  if (answer.status >= 400) return memory
  const name = step.ref ?? ''
  if (step.action === 'takeSnapshot') memory.snapshots.set(name, copyOf(memory))
  if (step.action === 'restoreSnapshot') {
    const { snapshots } = memory
    const restored = snapshots.get(name)
    if (restored === undefined) return startMemory(after, memory)
    const strangeTokens = [...memory.strangeTokens, ...memory.tokens]
    return { ...copyOf(restored), strangeTokens, snapshots }
  }
  if (REPLACING.has(step.action)) return startMemory(after, memory)
  if (step.action === 'verifyLoginCode') {
    const token = toToken(scene)
    memory.tokens.push(token)
    memory.revoked.delete(token.text)
  }
  if (step.action === 'sendLoginCode' && findByEmail(before.users, emailOf(step))) {
    const expiresAt = before.now + settings['login.code.ttl']
    memory.codes.set(loginOf(scene), { expiresAt, attempts: 0, isUsed: false })
  }
  const lengths = new Map(before.transactions.map(({ id, history }) => [id, history.length]))
  noteUsers(memory, scene)
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

/** New users, new links of users, and users who lost their verification. */
function noteUsers(memory: Memory, { before, after, settings }: Happening) {
  const known = new Map(before.users.map((user) => [user.id, user]))
  for (const user of after.users) {
    const earlier = known.get(user.id)
    const isSent = settings['users.create.event'] === 'sent'
    const unheard = earlier?.history ?? (isSent ? [] : user.history)
    for (const name of user.integrators) {
      if (!earlier?.integrators.includes(name))
        memory.withoutEvent.set(...link(user, name, unheard))
    }
    const left = user.history.slice((earlier?.history.length ?? 1) - 1).slice(0, -1)
    if (!left.some(({ status }) => status === 'verified')) continue
    for (const { userId, text } of memory.tokens) if (userId === user.id) memory.revoked.add(text)
  }
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

const emailOf = ({ body }: Happening['step']) => String((body as { email: unknown }).email)

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
    expiresAt: after.now + settings['login.token.ttl'],
  }
}

const copyOf = ({
  tasks,
  forced,
  withoutEvent,
  tokens,
  strangeTokens,
  revoked,
  snapshots,
  codes,
}: Memory): Memory => ({
  tasks: tasks.map((task) => ({ ...task })),
  forced: new Set(forced),
  withoutEvent: new Map(withoutEvent),
  codes: new Map([...codes].map(([login, code]) => [login, { ...code }])),
  tokens: [...tokens],
  strangeTokens,
  revoked: new Set(revoked),
  snapshots,
})

const known = new WeakMap<State['settings'], Settings>()

/** Worked out once for each change of the settings. */
export function settingsOf({ settings: changed }: State): Settings {
  const settings = known.get(changed) ?? toSettings(changed)
  known.set(changed, settings)
  return settings
}

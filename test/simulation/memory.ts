import { type Settings, toSettings } from '../../src/world/settings/index.ts'
import type { State, User } from '../../src/world/state.ts'
import { REPLACING, type Scene, type Token } from './scene.ts'

/** What follows from the steps alone, and must show in the world. */
export interface Memory {
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
  /** Memories by the name of the snapshot taken with them. */
  snapshots: Map<string, Memory>
}

export function startMemory({ transactions, users }: State, kept?: Memory): Memory {
  return {
    forced: new Set(),
    withoutEvent: new Map([
      ...transactions.map(({ id, history }): [string, number] => [id, history.length]),
      ...users.flatMap((user) => user.integrators.map((name) => link(user, name, user.history))),
    ]),
    tokens: [],
    strangeTokens: [...(kept?.strangeTokens ?? []), ...(kept?.tokens ?? [])],
    snapshots: kept?.snapshots ?? new Map(),
  }
}

const link = ({ id }: User, integrator: string, history: readonly unknown[]): [string, number] => [
  `${id} ${integrator}`,
  history.length,
]

type Happening = Pick<Scene, 'step' | 'response' | 'before' | 'after' | 'settings'>

/** Takes in one step; refused ones teach nothing. */
export function remember(memory: Memory, scene: Happening): Memory {
  const { step, response, after, before } = scene
  if (response.status >= 400) return memory
  const { snapshots } = memory
  if (step.action === 'takeSnapshot') snapshots.set(step.ref ?? '', copyOf(memory))
  if (step.action === 'restoreSnapshot') {
    const restored = snapshots.get(step.ref ?? '')
    if (restored === undefined) return startMemory(after, memory)
    const strangeTokens = [...memory.strangeTokens, ...memory.tokens]
    return { ...copyOf(restored), strangeTokens, snapshots }
  }
  if (REPLACING.has(step.action)) return startMemory(after, memory)
  if (step.action === 'verifyLoginCode') memory.tokens.push(toToken(scene))
  if (step.action === 'simulateStatus') {
    const { history = [] } = after.transactions.find(({ id }) => id === step.ref) ?? {}
    const known = before.transactions.find(({ id }) => id === step.ref)?.history.length
    if (history.length !== known) memory.forced.add(`${step.ref} ${history.length - 1}`)
  }
  noteLinks(memory, scene)
  return memory
}

/** New users, and new links of users. */
function noteLinks(memory: Memory, { before, after, settings }: Happening) {
  const known = new Map(before.users.map((user) => [user.id, user]))
  const isSent = settings['users.create.event'] === 'sent'
  for (const user of after.users) {
    const earlier = known.get(user.id)
    const unheard = earlier?.history ?? (isSent ? [] : user.history)
    for (const name of user.integrators) {
      if (!earlier?.integrators.includes(name))
        memory.withoutEvent.set(...link(user, name, unheard))
    }
  }
}

export const findByEmail = (users: readonly User[], email: string) =>
  users.find((user) => user.email.toLowerCase() === email.toLowerCase())

function toToken({ step, response, after, settings }: Happening): Token {
  const { email } = step.body as { email: string }
  const integrator = after.integrators.find(({ apiKey }) => apiKey === step.key)
  return {
    text: String(response.data.accessToken),
    userId: findByEmail(after.users, email)?.id ?? '',
    integrator: integrator?.name ?? '',
    expiresAt: after.now + settings['login.token.ttl'],
  }
}

const copyOf = (memory: Memory): Memory => ({
  ...memory,
  forced: new Set(memory.forced),
  withoutEvent: new Map(memory.withoutEvent),
  tokens: [...memory.tokens],
})

const known = new WeakMap<State['settings'], Settings>()

/** Worked out once for each change of the settings. */
export function settingsOf({ settings: changed }: State): Settings {
  const settings = known.get(changed) ?? toSettings(changed)
  known.set(changed, settings)
  return settings
}

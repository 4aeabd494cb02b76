import type { Settings } from '../../src/world/settings/index.ts'
import type { State } from '../../src/world/state.ts'
import type { World } from '../../src/world/world.ts'
import type { Memory } from './memory.ts'
import type { Recording } from './recording.ts'

/** One call of a life. `action` is the id of its operation. */
export interface Step {
  action: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  key?: string | undefined
  token?: Token | undefined
  /** Sent as JSON; a text is sent as it is. */
  body?: unknown
  /** What was broken on purpose, so that the call must be refused with 400. */
  broken?: string | undefined
  /** Who or what it is about: a user, a transaction or a snapshot. */
  ref?: string | undefined
}

type Rest = Omit<Step, 'action' | 'method' | 'path'>

/** A step from the id of its operation, and its route such as `GET /v2/users`. */
export function toStep(action: string, route: `${Step['method']} /${string}`, rest?: Rest): Step {
  const [method, path = ''] = route.split(' ') as [Step['method'], string?]
  return { action, method, path, ...rest }
}

/** An access token and what the sandbox promised with it. */
export interface Token {
  text: string
  userId: string
  integrator: string
  expiresAt: number
}

export interface StepResponse {
  status: number
  text: string
  /** The parsed response: the envelope in v2, the bare response in the control API. */
  body: unknown
  /** What the call is about, out of its envelope. */
  data: Record<string, unknown>
  /** The rule that refused it, as the request journal says it. */
  code: string | undefined
}

/** One step with the world before and after it. */
export interface Scene {
  step: Step
  response: StepResponse
  before: State
  after: State
  /** The JSON text of each part of the two states; both are one object when nothing changed. */
  texts: { before: Recording['texts']; after: Recording['texts'] }
  /** As it was when the call was made. */
  settings: Settings
  /** The world itself, for its indexes. */
  world: World
  /** What the checker knows from the steps alone. */
  memory: Memory
  /** What a restart would find, in lives that are kept. */
  kept: State | undefined
}

/** Says what is wrong with a scene: nothing, for a sandbox that keeps its word. */
export type Check = (scene: Scene) => string[]

export const isUnchanged = ({ texts }: Scene): boolean => texts.before === texts.after

/** Steps that put another world in place of the one before. */
export const REPLACING: ReadonlySet<string> = new Set(['reset', 'restoreSnapshot'])

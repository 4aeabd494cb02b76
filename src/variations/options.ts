import type { Scenario } from '../scenario/types.ts'

/** Address and credentials with which a receiver finds the API of its world. */
export interface WorldAccess {
  url: string
  apiKey: string
  signingSecret: string
}

export interface ExploreOptions {
  /** Makes the receiver forget everything. */
  reset(place: WorldAccess): unknown
  /** State of the receiver after the story, as JSON or text. */
  state(place: WorldAccess): unknown
  /** Makes the receiver fetch what it missed; `place.url` is the base URL of this run's world. */
  reconcile?: ((place: WorldAccess) => unknown) | undefined
  /** Default: where webhooks of the first integrator go. */
  webhookUrl?: string | undefined
  /** Also changes what happens to the calls that your own code makes to `place.url` during the story. */
  calls?: boolean | undefined
  /** Fields of the state that differ each time: a name anywhere, or a path such as `orders.*.at`. */
  ignore?: readonly string[] | undefined
  /** Run only variations of this kind, or whose description contains this text. */
  only?: string | undefined
}

/** A scenario's name, the path of its file, the scenario itself, or a function that continues from the sandbox's current state. */
export type ExploredStory = string | Scenario | Scenario['play']

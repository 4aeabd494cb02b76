type Json = ReturnType<typeof JSON.parse>

/** `broken` is a scenario that does not work as a script: it threw, hung, or could not be read. */
export type PlayOutcome = 'passed' | 'failed' | 'broken'

/** The result of one scenario: the transcript that `play --json` prints. */
export interface Played {
  name: string
  title: string
  outcome: PlayOutcome
  problem: PlayProblem | null
  steps: PlayedStep[]
}

export interface PlayProblem {
  /** The step in which it happened; null when it was before the first. */
  step: string | null
  message: string
  /** One line for each field that differs. */
  differences: string[]
  /** `buy-completes.js:12`, or the file alone where no line is known. */
  at: string
}

export interface PlayedStep {
  title: string
  calls: PlayedCall[]
  /** Webhooks that left during the step. */
  deliveries: PlayedDelivery[]
}

export interface PlayedCall {
  request: { method: string; path: string; headers: Record<string, string>; body: Json }
  /** Null while there is none. */
  response: { status: number; headers: Record<string, string>; body: Json } | null
}

export interface PlayedDelivery {
  id: string
  generation: string
  hook: string | null
  url: string | null
  outcome: string
  reason: string | null
  error: string | null
  request: { headers: Record<string, string>; body: Json }
  response: { status: number } | null
}

export interface ScenarioSummary {
  name: string
  title: string
  description: string
}

/** What the thread of a scenario reports while it plays. */
export type PlayEvent =
  /** The world is ready; its webhooks are signed with this secret. */
  | { kind: 'ready'; secret: string }
  /** A step began; `passed` for the step before follows once its webhooks are known. */
  | { kind: 'began'; title: string; at: string }
  /** Everything about a step that passed. */
  | { kind: 'passed'; step: PlayedStep }
  | { kind: 'ended'; played: Played }

/** What the thread of a scenario needs to know. */
export interface PlayRequest {
  name: string
  /** Absolute path of the scenario. */
  file: string
  /** Base URL of its world. */
  url: string
  webhookUrl: string | null
  controlToken: string | null
}

/** The scenarios, for a sandbox that plays them itself. */
export interface Plays {
  list(): Promise<ScenarioSummary[]>
  /** Begins to play in a fresh world, which is deleted once it `ended`. */
  begin(request: NamedPlayRequest): Promise<{ ended: Promise<Played> }>
}

export interface NamedPlayRequest {
  /** Of a scenario that comes with the sandbox. */
  name: string
  /** Where this process listens. */
  origin: string
  webhookUrl: string | null
  controlToken: string | null
  /** Called for each step as it begins and passes. */
  onEvent?: ((event: PlayEvent) => void) | undefined
}

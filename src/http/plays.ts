/** What JSON can say. */
export type Json = ReturnType<typeof JSON.parse>

/** `broken` is a scenario that does not work as a script: it threw, hung, or could not be read. */
export type PlayOutcome = 'passed' | 'failed' | 'broken'

/** What became of one scenario: the transcript that `play --json` prints. */
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

/** What the thread of a scenario says while it plays. */
export type Cue =
  /** The world is there, and its webhooks are signed with this. */
  | { kind: 'ready'; secret: string }
  /** A step began; whether the one before has passed is told once its webhooks are known. */
  | { kind: 'began'; title: string; at: string }
  /** Everything about a step that passed. */
  | { kind: 'passed'; step: PlayedStep }
  | { kind: 'ended'; played: Played }

/** What the thread of a scenario needs to know. */
export interface Casting {
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
  begin(request: PlayRequest): Promise<{ ended: Promise<Played> }>
}

export interface PlayRequest {
  /** Of a scenario that comes with the sandbox. */
  name: string
  /** Where this process listens. */
  origin: string
  webhookUrl: string | null
  controlToken: string | null
  /** Hears of each step as it begins and passes. */
  onCue?: ((cue: Cue) => void) | undefined
}

import * as z from 'zod'
import { named, record } from './schema.ts'

export const PlayedDelivery = () =>
  record({
    id: z.string().describe('Id of the delivery.'),
    event: z.string().describe('Type of the event, or name of the legacy webhook.'),
    status: z.string().describe('Status that the event reports.'),
    url: z
      .string()
      .nullable()
      .describe('URL that it was, or would have been, sent to; null if none was configured.'),
    outcome: z.string().describe('How it ended.'),
    error: z.string().nullable().describe('Why there was no response; null if there was one.'),
    response: record({ status: z.int().describe('Status code of the response.') }).nullable(),
  })
export type PlayedDelivery = z.output<ReturnType<typeof PlayedDelivery>>

export const PlayProblem = () =>
  record({
    step: z.string().nullable().describe('The step in which it happened; null before the first.'),
    message: z.string(),
    differences: z.array(z.string()).describe('One line for each field that differs.'),
    at: z.string().describe('`buy-completes.js:12`, or the file alone where no line is known.'),
  })
export type PlayProblem = z.output<ReturnType<typeof PlayProblem>>

export const PlayedStep = () =>
  record({
    title: z.string().describe('What happens, in a line.'),
    deliveries: z.array(PlayedDelivery()).describe('Webhooks that were sent during the step.'),
  })
export type PlayedStep = z.output<ReturnType<typeof PlayedStep>>

/** The result of one scenario, as `play --json` prints it. */
export const Played = () =>
  record({
    name: z.string().describe('Name of the scenario.'),
    title: z.string().describe('What happens, in a line.'),
    outcome: z
      .enum(['passed', 'failed', 'broken'])
      .describe('`broken` is a script that does not work: it threw, hung, or could not be read.'),
    problem: PlayProblem().nullable().describe('What went wrong first; null when it passed.'),
    steps: z.array(PlayedStep()).describe('The steps, in the order in which they were played.'),
  })
export type Played = z.output<ReturnType<typeof Played>>

export const PlayedHere = () =>
  Played().extend({
    world: z.string().nullable().describe('The world it was played in; null if that was deleted.'),
  })
export type PlayedHere = z.output<ReturnType<typeof PlayedHere>>

export const ScenarioSummary = () =>
  named('ScenarioSummary', {
    name: z.string().describe('Name of the scenario, for `play`.'),
    title: z.string().describe('What happens, in a line.'),
    description: z.string().describe('What it shows.'),
    steps: z
      .array(z.string())
      .describe('Titles of its steps, if they are written out in its source.'),
  })
export type ScenarioSummary = z.output<ReturnType<typeof ScenarioSummary>>

export type PlayEvent =
  /** The world is ready; its webhooks are signed with this secret. */
  | { kind: 'ready'; secret: string }
  /** A step began; `passed` for the step before follows once its webhooks are known. */
  | { kind: 'began'; title: string; at: string }
  /** A step passed, with its deliveries. */
  | { kind: 'passed'; step: PlayedStep }
  | { kind: 'ended'; played: Played }

export interface PlayRequest {
  name: string
  file: string
  url: string
  webhookUrl: string | null
  controlToken: string | null
}

export interface Plays {
  list(): Promise<ScenarioSummary[]>
  /** Starts playing in a fresh world, which is deleted after `ended` unless it is kept. */
  begin(request: NamedPlayRequest): Promise<{ ended: Promise<PlayedHere> }>
}

export interface NamedPlayRequest {
  /** Name of a scenario that comes with the sandbox. */
  name: string
  /** Base URL at which this process listens. */
  origin: string
  webhookUrl: string | null
  controlToken: string | null
  /** Keeps the world for inspection until a few others have been kept. */
  keepWorld: boolean
  /** Called for each step as it begins and passes. */
  onEvent?: ((event: PlayEvent) => void) | undefined
}

import type { ControlClient } from '../client/control.ts'
import type { PlayEvent, Played, PlayProblem, PlayRequest } from '../control-api/plays.ts'
import { Mismatch } from './expect.ts'
import { BrokenScenario, locate } from './load.ts'
import { createStage, setUp } from './stage.ts'
import type { Steps } from './steps.ts'
import { type Scenario, SETTING_UP } from './types.ts'

interface PerformOptions {
  request: PlayRequest
  /** Client whose calls are no part of a step. */
  control: ControlClient
  steps: Steps
  emit(event: PlayEvent): void
}

export type End = Pick<Played, 'outcome' | 'problem'>

/** Plays a scenario that was loaded; throws what it fails with. */
export async function perform(
  scenario: Scenario,
  { request, control, steps, emit }: PerformOptions,
): Promise<End> {
  const { webhookUrl } = request
  const send: Steps['send'] = (call) => steps.send(call)
  const set = await setUp(scenario, { send, unrecorded: control, request })
  emit({ kind: 'ready', secret: set.webhooks.secret })
  const stage = { send, step: (title: string) => steps.begin(title), ...set }
  await scenario.play(createStage(stage))
  await steps.finish()
  if (await isUntouched(control, steps))
    return toBroken('It made no calls, so nothing was checked.')
  // An integrator who named an endpoint wants to know whether it acknowledged everything.
  const differences = webhookUrl === null ? [] : steps.findUnacknowledged(webhookUrl)
  if (differences.length === 0) return { outcome: 'passed', problem: null }
  const message = `${webhookUrl} did not acknowledge every webhook.`
  return { outcome: 'failed', problem: { step: null, message, differences, at: '' } }
}

const toBroken = (message: string): End => ({
  outcome: 'broken',
  problem: { step: null, message, differences: [], at: '' },
})

/** Calls of each scenario that set its world up. */
const SETUP_CALLS = 2

/** True if nobody called the world: neither the scenario nor a program that it started. */
async function isUntouched(control: ControlClient, { calls }: Steps): Promise<boolean> {
  if (calls > SETUP_CALLS) return false
  const { counts } = await control.call<{ counts: { requests: number } }>('GET', '/info')
  return counts.requests < SETUP_CALLS
}

/** Why a play was ended before its scenario was: it took too long, or an error escaped from it. */
export class PlayEnded extends Error {}

/** The end of a play that has failed with an error. */
export function toEnd(error: unknown, steps: Steps, file: string): End {
  const { step, at } = steps.present()
  const isMismatch = error instanceof Mismatch
  const problem: PlayProblem = {
    step: error instanceof BrokenScenario ? null : step,
    message: describe(error),
    differences: isMismatch ? [...error.differences] : [],
    at: placeOf(error, { at, file }),
  }
  // A world that cannot be set up is a mistake in the scenario.
  const isFailure = isMismatch && step !== SETTING_UP
  return { outcome: isFailure ? 'failed' : 'broken', problem }
}

function placeOf(error: unknown, { at, file }: { at: string; file: string }): string {
  if (error instanceof BrokenScenario) return error.at
  if (error instanceof PlayEnded) return locate(error.cause, file, at)
  return locate(error, file, at)
}

function describe(error: unknown): string {
  const isSaid = [Mismatch, BrokenScenario, PlayEnded].some((kind) => error instanceof kind)
  if (error instanceof Error)
    return isSaid ? error.message : `It threw ${error.name}: ${error.message}`
  return `It threw ${error}`
}

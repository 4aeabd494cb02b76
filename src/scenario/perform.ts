import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type ControlClient, createControl } from '../client/control.ts'
import type { Fetch, HttpClient } from '../client/http.ts'
import type { PlayEvent, Played, PlayProblem, PlayRequest } from '../control-api/plays.ts'
import { Mismatch, StillDisturbed } from './expect.ts'
import { BrokenScenario, locate } from './load.ts'
import { createMask } from './mask.ts'
import { createStage, setUp } from './stage.ts'
import { Transcript } from './transcript.ts'
import { type Scenario, SETTING_UP } from './types.ts'

export interface PerformOptions {
  request: PlayRequest
  /** Client of the world. */
  http: Pick<HttpClient, 'url' | 'send'>
  fetch: Fetch
  emit?: (event: PlayEvent) => void
}

/** Plays a scenario in this thread, in a world of its own. */
export async function perform(scenario: Scenario, options: PerformOptions): Promise<Played> {
  const { request, http, fetch, emit = () => undefined } = options
  const { name, file, url, webhookUrl } = request
  const unrecorded = createControl({ url, send: (call) => http.send(call) })
  const mask = createMask(url)
  const transcript = new Transcript(http, { mask, unrecorded, emit, file, webhookUrl })
  const end = await play().catch(toEnd)
  if (end.problem) await transcript.collect().catch(() => undefined)
  return { name, title: scenario.title, ...end, steps: transcript.steps }

  async function play(): Promise<End> {
    const send: typeof http.send = (call) => transcript.send(call)
    const set = await setUp(scenario, { send, unrecorded, request })
    emit({ kind: 'ready', secret: set.webhooks.secret })
    const stage = { send, step: (title: string) => transcript.begin(title), ...set }
    const { disturbed } = scenario
    if (disturbed === undefined) {
      await scenario.play(createStage(stage))
    } else {
      // Few scenarios are disturbed, and the rest need none of this.
      const { playAlone } = await import('./play-alone.ts')
      await playAlone(scenario, stage, { disturbed, url, fetch, webhookUrl })
    }
    await transcript.finish()
    if (await isUntouched(unrecorded, transcript)) return { outcome: 'broken', problem: UNTOUCHED }
    // An integrator who named an endpoint wants to know whether it acknowledged everything.
    const differences = webhookUrl === null ? [] : transcript.findUnacknowledged(webhookUrl)
    if (differences.length === 0) return { outcome: 'passed', problem: null }
    const message = `${webhookUrl} did not acknowledge every webhook.`
    return { outcome: 'failed', problem: { step: null, message, differences, at: '' } }
  }

  function toEnd(error: unknown): End {
    const { step, at } = transcript.present()
    const isMismatch = error instanceof Mismatch
    const problem: PlayProblem = {
      step,
      message: describe(error),
      differences: isMismatch ? [...error.differences] : [],
      at: placeOf(error, at),
    }
    // A world that cannot be set up is a mistake in the scenario.
    const isFailure = isMismatch && step !== SETTING_UP
    return { outcome: isFailure ? 'failed' : 'broken', problem }
  }

  function placeOf(error: unknown, at: string): string {
    if (error instanceof BrokenScenario) return error.at
    return error instanceof StillDisturbed ? findDisturbance(file) : locate(error, file, at)
  }
}

/** Calls of each scenario that set its world up. */
const SETUP_CALLS = 2

/** True if nobody called the world: neither the scenario nor a program that it started. */
async function isUntouched(unrecorded: ControlClient, { steps }: Transcript): Promise<boolean> {
  if (steps.flatMap(({ calls }) => calls).length > SETUP_CALLS) return false
  const { counts } = await unrecorded.call<{ counts: { requests: number } }>('GET', '/info')
  return counts.requests < SETUP_CALLS
}

const UNTOUCHED: PlayProblem = {
  step: null,
  message: 'It made no call, so nothing was looked at.',
  differences: [],
  at: '',
}

/** The line of a scenario that says what is disturbed. */
function findDisturbance(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  return `${basename(file)}:${lines.findIndex((line) => /^ {4}"disturbances":/.test(line)) + 1}`
}

type End = Pick<Played, 'outcome' | 'problem'>

function describe(error: unknown): string {
  if (error instanceof Mismatch || error instanceof BrokenScenario) return error.message
  return error instanceof Error ? `It threw ${error.name}: ${error.message}` : `It threw ${error}`
}

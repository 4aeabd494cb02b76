import { createControl } from '../client/control.ts'
import { createHttpClient } from '../client/http.ts'
import type { Fetch } from '../client/transport.ts'
import type { PlayEvent, Played, PlayProblem, PlayRequest } from '../http/plays.ts'
import { createCollector } from './collect.ts'
import { playAlone } from './disturbed.ts'
import { Mismatch } from './expect.ts'
import { BrokenScenario } from './load.ts'
import { locate } from './locate.ts'
import { createMask } from './mask.ts'
import { createProgress, type Progress } from './progress.ts'
import { createRecorder } from './recorder.ts'
import { setUp } from './set-up.ts'
import { createStage } from './stage.ts'
import { type Scenario, SETTING_UP } from './types.ts'

export interface PerformOptions {
  request: PlayRequest
  fetch: Fetch
  emit?: (event: PlayEvent) => void
}

/** Plays a scenario in this thread, in a world of its own. */
export async function perform(scenario: Scenario, options: PerformOptions): Promise<Played> {
  const { request, fetch, emit = () => undefined } = options
  const { name, file, url, webhookUrl, controlToken } = request
  const mask = createMask(url)
  const http = createHttpClient({
    url,
    controlToken,
    fetch: (target, init) => fetch(new Request(target, { ...init, redirect: 'manual' })),
  })
  const unrecorded = createControl(http)
  const recorder = createRecorder(http, mask)
  const { steps } = recorder
  const collector = createCollector(unrecorded, mask)
  const progress = createProgress({ recorder, collector, emit, file })
  const end = await play().catch((error) => toEnd(error, progress, file))
  if (end.problem) await collector.collect(progress.step).catch(() => undefined)
  return { name, title: scenario.title, ...end, steps }

  async function play(): Promise<End> {
    const { send, begin } = progress
    const set = await setUp(scenario, { send, unrecorded, request })
    emit({ kind: 'ready', secret: set.webhooks.secret })
    const stage = createStage({ send, step: begin, ...set })
    const { disturbed } = scenario
    if (disturbed === undefined) await scenario.play(stage)
    else await playAlone(scenario, stage, { ...set, disturbed, url, fetch, webhookUrl })
    await progress.finish()
    // An integrator who named an endpoint wants to know whether it acknowledged everything.
    return webhookUrl === null
      ? PASSED
      : judge(webhookUrl, collector.findUnacknowledged(webhookUrl))
  }
}

type End = Pick<Played, 'outcome' | 'problem'>

const PASSED: End = { outcome: 'passed', problem: null }

function judge(url: string, differences: string[]): End {
  if (differences.length === 0) return PASSED
  const message = `${url} did not acknowledge every webhook.`
  return { outcome: 'failed', problem: { step: null, message, differences, at: '' } }
}

function toEnd(error: unknown, { step, at }: Progress, file: string): End {
  const isMismatch = error instanceof Mismatch
  const problem: PlayProblem = {
    step: step.title,
    message: describe(error),
    differences: isMismatch ? [...error.differences] : [],
    at: error instanceof BrokenScenario ? error.at : locate(error, file, at),
  }
  // A world that cannot be set up is a mistake in the scenario.
  const isFailure = isMismatch && step.title !== SETTING_UP
  return { outcome: isFailure ? 'failed' : 'broken', problem }
}

function describe(error: unknown): string {
  if (error instanceof Mismatch || error instanceof BrokenScenario) return error.message
  return error instanceof Error ? `It threw ${error.name}: ${error.message}` : `It threw ${error}`
}

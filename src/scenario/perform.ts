import { basename } from 'node:path'
import { type ControlClient, createControl } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import {
  createHttpClient,
  type Fetch,
  type HttpClient,
  type HttpRequest,
  type Json,
  parseJson,
  pathOf,
} from '../client/http.ts'
import type {
  PlayEvent,
  Played,
  PlayedCall,
  PlayedDelivery,
  PlayedStep,
  PlayProblem,
  PlayRequest,
} from '../levers/plays.ts'
import { playAlone } from './disturbed.ts'
import { Mismatch } from './expect.ts'
import { BrokenScenario, locate } from './load.ts'
import { createMask } from './mask.ts'
import { createStage, setUp } from './stage.ts'
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
  const http = createHttpClient({
    url,
    controlToken,
    fetch: (target, init) => fetch(new Request(target, { ...init, redirect: 'manual' })),
  })
  const unrecorded = createControl(http)
  const transcript = createTranscript(http, { mask: createMask(url), unrecorded, emit, file })
  const end = await play().catch(toEnd)
  if (end.problem) await transcript.collect().catch(() => undefined)
  return { name, title: scenario.title, ...end, steps: transcript.steps }

  async function play(): Promise<End> {
    const { send, begin } = transcript
    const set = await setUp(scenario, { send, unrecorded, request })
    emit({ kind: 'ready', secret: set.webhooks.secret })
    const stage = createStage({ send, step: begin, ...set })
    const { disturbed } = scenario
    if (disturbed === undefined) await scenario.play(stage)
    else await playAlone(scenario, stage, { ...set, disturbed, url, fetch, webhookUrl })
    await transcript.finish()
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
      at: error instanceof BrokenScenario ? error.at : locate(error, file, at),
    }
    // A world that cannot be set up is a mistake in the scenario.
    const isFailure = isMismatch && step !== SETTING_UP
    return { outcome: isFailure ? 'failed' : 'broken', problem }
  }
}

type End = Pick<Played, 'outcome' | 'problem'>

function describe(error: unknown): string {
  if (error instanceof Mismatch || error instanceof BrokenScenario) return error.message
  return error instanceof Error ? `It threw ${error.name}: ${error.message}` : `It threw ${error}`
}

type Mask = ReturnType<typeof createMask>

interface TranscriptOptions {
  mask: Mask
  /** Its calls are no part of the transcript. */
  unrecorded: ControlClient
  emit(event: PlayEvent): void
  /** The scenario, whose lines are named beside the steps. */
  file: string
}

/** The steps of a scenario, with the calls that it makes and the webhooks that are sent. */
function createTranscript(
  { send: sendUnrecorded }: HttpClient,
  { mask, unrecorded: { call }, emit, file }: TranscriptOptions,
) {
  const steps: PlayedStep[] = []
  let cursor: string | undefined
  /** Source line of the step, as `buy-completes.js:12`. */
  let at = basename(file)
  let passed = Promise.resolve()
  let step = open(SETTING_UP)
  return {
    ...{ steps, begin, send, findUnacknowledged },
    present: () => ({ step: step.title, at }),
    collect: () => collect(step),
    async finish() {
      await passed
      await pass(step)
    },
  }

  function open(title: string): PlayedStep {
    const opened = { title, calls: [], deliveries: [] }
    steps.push(opened)
    emit({ kind: 'began', title, at })
    return opened
  }

  function begin(title: string) {
    const before = step
    at = locate(new Error(), file)
    passed = passed.then(() => pass(before))
    step = open(title)
  }

  async function pass(done: PlayedStep) {
    await collect(done)
    emit({ kind: 'passed', step: done })
  }

  async function send(request: HttpRequest) {
    // Each delivery belongs to one step, so those of the step before are read first.
    await passed
    const { method, headers = {}, body = null } = request
    const sent: PlayedCall['request'] = { method, path: pathOf(request), headers, body }
    // Calls stand in the order in which they were made, not in that of their responses.
    const recorded: PlayedCall = { request: mask(sent), response: null }
    step.calls.push(recorded)
    const response = await sendUnrecorded(request)
    recorded.response = mask(response)
    return response
  }

  /** Waits until nothing is in flight, and adds what was sent since the last time to a step. */
  async function collect(done: PlayedStep): Promise<void> {
    await call('POST', '/webhooks/drain')
    for (;;) {
      const page = await readPage()
      cursor = page.cursor
      if (page.deliveries.length === 0) return
      done.deliveries.push(...page.deliveries.map((row: Json) => toPlayed(row, mask)))
    }
  }

  /** The cursor is no longer valid once the scenario has reset its world; then every row is new. */
  async function readPage(): Promise<Json> {
    try {
      return await call('GET', '/webhooks/deliveries', { query: { after: cursor } })
    } catch (error) {
      if (cursor === undefined || !(error instanceof SandboxError)) throw error
      cursor = undefined
      return readPage()
    }
  }

  /** Webhooks that a receiver did not acknowledge, one line each. */
  function findUnacknowledged(url: string): string[] {
    return steps
      .flatMap(({ deliveries }) => deliveries)
      .filter((delivery) => delivery.url === url && delivery.outcome !== 'delivered')
      .map(({ request, hook, outcome, response, error }) => {
        const actual = response ? `responded with ${response.status}` : (error ?? 'not sent')
        return `${hook ?? request.body?.type} ${request.body?.id ?? ''}: ${outcome}, ${actual}`
      })
  }
}

function toPlayed(row: Json, mask: Mask): PlayedDelivery {
  const { id, generation, hook, url, outcome, reason, error, request, response } = row
  return mask({
    ...{ id, generation, hook, outcome, reason, url, error },
    request: { headers: request.headers, body: parseJson(request.body) },
    response: response && { status: response.status },
  })
}

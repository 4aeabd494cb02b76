import { basename, dirname } from 'node:path'
import { findCatchUrl } from '../client/catcher.ts'
import type { ControlClient } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import { readFixture } from '../client/fixture-file.ts'
import type { Json } from '../client/http.ts'
import type { PlayRequest } from '../http/plays.ts'
import { BrokenScenario } from './load.ts'
import type { CallRecorder } from './recorder.ts'
import { createControlApi, createStageApi } from './stage.ts'
import type { Scenario } from './types.ts'

const DEFAULT_FIXTURE = 'verified-user'
const DEFAULT_CLOCK = '2026-07-01T12:00:00Z'
/** What a sandbox starts with, so that every sandbox plays with the same ids. */
const SEED = 'ramp-sandbox'

export interface SetUpOptions {
  send: CallRecorder['send']
  /** Its calls are in no transcript. */
  unrecorded: ControlClient
  request: PlayRequest
}

/** Makes the world that the scenario asks for, and configures where its webhooks go. */
export async function setUp(scenario: Scenario, { send, unrecorded, request }: SetUpOptions) {
  const { file, webhookUrl } = request
  const { fixture = DEFAULT_FIXTURE, clock = DEFAULT_CLOCK } = scenario
  const control = createControlApi(send)
  await control.post('/reset', { fixture: findFixture(fixture, file), seed: SEED, clock })
  // Not recorded: the rest of this answer grows with every release.
  const { integrators } = await unrecorded.call<Json>('GET', '/info')
  const apiKey: string = integrators[0]?.apiKey ?? ''
  const url = webhookUrl ?? (await findCatchUrl(unrecorded, request.url))
  const api = createStageApi(send, apiKey)
  const { data } = await api.put('/v2/webhook-configurations', { url })
  const secret: string = data.signingSecret ?? ''
  return { apiKey, webhooks: { url, secret } }
}

/** A path is relative to the scenario, and read here, as the sandbox may run elsewhere. */
function findFixture(fixture: string | object, file: string): string | object {
  try {
    return readFixture(fixture, dirname(file))
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    throw new BrokenScenario(error.message, basename(file))
  }
}

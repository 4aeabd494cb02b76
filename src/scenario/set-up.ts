import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Casting } from '../http/plays.ts'
import { BrokenScenario } from './load.ts'
import type { Recorder } from './recorder.ts'
import { createApi, createControlApi } from './stage.ts'
import type { Scenario } from './types.ts'

const DEFAULT_FIXTURE = 'verified-user'
const DEFAULT_CLOCK = '2026-07-01T12:00:00Z'
/** What a sandbox starts with, so that every sandbox plays with the same ids. */
const SEED = 'ramp-sandbox'

export interface SetUpOptions {
  send: Recorder['send']
  sendUnseen: Recorder['sendUnseen']
  casting: Casting
}

/** Makes the world as the scenario wants it, and says where its webhooks go. */
export async function setUp(scenario: Scenario, { send, sendUnseen, casting }: SetUpOptions) {
  const { file, webhookUrl } = casting
  const { fixture = DEFAULT_FIXTURE, clock = DEFAULT_CLOCK } = scenario
  const control = createControlApi(send)
  await control.post('/reset', { fixture: readFixture(fixture, file), seed: SEED, clock })
  // The rest of what this tells grows with every release.
  const { integrators } = await createControlApi(sendUnseen).get('/info')
  const apiKey: string = integrators[0]?.apiKey ?? ''
  const url = webhookUrl ?? catchUrl(casting.url)
  const { data } = await createApi(send, { 'x-api-key': apiKey }).put(
    '/v2/webhook-configurations',
    { url },
  )
  const secret: string = data.signingSecret ?? ''
  return { apiKey, webhooks: { url, secret } }
}

/** The sandbox itself, by the one name that it surely knows itself by. */
function catchUrl(base: string): string {
  const { port, pathname } = new URL(base)
  return `http://127.0.0.1:${port || 80}${pathname}/_sandbox/catch/integrator`
}

/** A path is meant from where the scenario lies; the sandbox may run elsewhere. */
function readFixture(fixture: string | object, file: string): string | object {
  if (typeof fixture === 'object' || !/\.json$|[\\/]/.test(fixture)) return fixture
  try {
    return JSON.parse(readFileSync(resolve(dirname(file), fixture), 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BrokenScenario(`Its fixture ${fixture} cannot be read: ${why}.`, basename(file))
  }
}

import { basename, dirname } from 'node:path'
import { type Api, createApi, logIn } from '../client/api.ts'
import { type ControlClient, createControl, readAll } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import { readFixture } from '../client/fixture-file.ts'
import type { HttpClient, Json } from '../client/http.ts'
import type { WebhookSettingsList } from '../control-api/wire.ts'
import { expect, Mismatch } from './expect.ts'
import { BrokenScenario } from './load.ts'
import type { ControlApi, Scenario, SentWebhook, Stage } from './types.ts'

const DEFAULT_FIXTURE = 'verified-user'
const DEFAULT_CLOCK = '2026-07-01T12:00:00Z'
/** Seed that a sandbox starts with, so that every sandbox plays with the same ids. */
const SEED = 'ramp-sandbox'

export interface SetUpOptions {
  send: HttpClient['send']
  /** Its calls are no part of a step. */
  unrecorded: ControlClient
  /** Absolute path of the scenario, base URL of its world, and where webhooks go if not to a catch. */
  request: { file: string; url: string; webhookUrl: string | null }
}

/** Makes the world that the scenario asks for, and configures where its webhooks go. */
export async function setUp(scenario: Scenario, { send, unrecorded, request }: SetUpOptions) {
  const { file, webhookUrl } = request
  const { fixture = DEFAULT_FIXTURE, clock = DEFAULT_CLOCK } = scenario
  const body = { fixture: findFixture(fixture, file), seed: SEED, clock }
  await createStageCall(send)('POST', '/reset', { body })
  // Not recorded: the rest of this response grows with every release.
  const { integrators } = await unrecorded.call<Json>('GET', '/info')
  const apiKey: string = integrators[0]?.apiKey ?? ''
  const url = webhookUrl ?? (await findCatchUrl(unrecorded, request.url))
  const { data } = await createStageApi(send, apiKey).put('/v2/webhook-configurations', { url })
  const secret: string = data.signingSecret ?? ''
  return { apiKey, webhooks: { url, secret } }
}

/** Reads a fixture, whose path is relative to the scenario; the sandbox may run elsewhere. */
function findFixture(fixture: string | object, file: string): string | object {
  try {
    return readFixture(fixture, dirname(file))
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    throw new BrokenScenario(error.message, basename(file))
  }
}

export interface StageOptions {
  send: HttpClient['send']
  apiKey: string
  webhooks: { url: string; secret: string }
  step(title: string): void
}

/** Tools that a scenario is given to act with. */
export function createStage({ send, apiKey, webhooks, step }: StageOptions): Stage {
  const api = createStageApi(send, apiKey)
  const call = createStageCall(send)
  const control = createControlApi(call)
  const readCode = async (email: string) => {
    const { messages } = await control.get('/inbox', { email, kind: 'login-code' })
    return messages.at(-1)?.code
  }
  return {
    step,
    expect,
    api,
    control,
    login: (email, by = api) => logIn(by, email, () => readCode(email)),
    webhooks: {
      ...webhooks,
      async about(ref) {
        // Without an id every webhook of the world would seem to be about it.
        if (!ref) throw new TypeError(`webhooks.about needs an id, not ${ref}.`)
        await control.post('/webhooks/drain')
        const list = { field: 'deliveries', query: { ref } }
        return (await readAll<Json>(call, '/webhooks/deliveries', list)).map(toSentWebhook)
      },
    },
  }
}

/** The API with the key of an integrator; what it rejects fails the step. */
function createStageApi(send: HttpClient['send'], apiKey: string): Api {
  return createApi({
    send,
    headers: { 'x-api-key': apiKey },
    toError: (call, { status, body }) =>
      new Mismatch(`${call} did not succeed.`, [
        `expected a success, got ${status} ${JSON.stringify(body)}`,
      ]),
  })
}

/** Calls of the control API; what it rejects fails the step. */
function createStageCall(send: HttpClient['send']): ControlClient['call'] {
  const control = createControl({ url: '', send })
  return async (method, path, rest) => {
    try {
      return await control.call(method, path, rest)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      const { status, code, message } = error
      throw new Mismatch(`${method} /_sandbox${path} was rejected.`, [
        `expected a success, got ${status} (${code}): ${message}`,
      ])
    }
  }
}

function createControlApi(call: ControlClient['call']): ControlApi {
  return {
    get: (path, query) => call('GET', path, { query }),
    post: (path, body) => call('POST', path, { body }),
    put: (path, body) => call('PUT', path, { body }),
    patch: (path, body) => call('PATCH', path, { body }),
    delete: (path) => call('DELETE', path),
  }
}

function toSentWebhook({ generation, hook, outcome, request }: Json): SentWebhook {
  const { headers, body: text } = request
  return { generation, hook, outcome, headers, text, body: JSON.parse(text) }
}

/** URL of the receiver of a scenario, at the address by which the sandbox reaches itself. */
async function findCatchUrl({ call }: Pick<ControlClient, 'call'>, base: string): Promise<string> {
  const { receiverUrl } = await call<WebhookSettingsList>('GET', '/webhooks/settings')
  if (receiverUrl !== null) return `${receiverUrl}/integrator`
  const { port, pathname } = new URL(base)
  return `http://127.0.0.1:${port || 80}${pathname.replace(/\/$/, '')}/_sandbox/catch/integrator`
}

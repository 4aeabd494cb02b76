import { type Api, createApi, logIn } from '../client/api.ts'
import { createControl } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import type { Json } from '../client/http.ts'
import { expect, Mismatch } from './expect.ts'
import type { CallRecorder } from './recorder.ts'
import type { ControlApi, SentWebhook, Stage, StageWebhooks } from './types.ts'

export interface StageOptions {
  send: CallRecorder['send']
  apiKey: string
  webhooks: { url: string; secret: string }
  step(title: string): void
}

/** What a scenario is given to act with. */
export function createStage({ send, apiKey, webhooks, step }: StageOptions): Stage {
  const api = createStageApi(send, apiKey)
  const control = createControlApi(send)
  return {
    step,
    expect,
    api,
    control,
    login: (email) => logIn(api, email, () => readCode(control, email)),
    webhooks: createWebhooks(control, webhooks),
  }
}

/** The API with the key of an integrator; what it rejects fails the step. */
export function createStageApi(send: CallRecorder['send'], apiKey: string): Api {
  return createApi({
    send,
    headers: { 'x-api-key': apiKey },
    toError: (call, { status, body }) =>
      new Mismatch(`${call} did not succeed.`, [
        `expected a success, got ${status} ${JSON.stringify(body)}`,
      ]),
  })
}

export function createControlApi(send: CallRecorder['send']): ControlApi {
  const control = createControl({ url: '', send })
  const call: typeof control.call = async (method, path, rest) => {
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
  return {
    get: (path, query) => call('GET', path, { query }),
    post: (path, body) => call('POST', path, { body }),
    put: (path, body) => call('PUT', path, { body }),
    patch: (path, body) => call('PATCH', path, { body }),
    delete: (path) => call('DELETE', path),
  }
}

async function readCode(control: ControlApi, email: string): Promise<string> {
  const { messages } = await control.get('/inbox', { email, kind: 'login-code' })
  return messages.at(-1)?.code
}

function createWebhooks(
  control: ControlApi,
  { url, secret }: { url: string; secret: string },
): StageWebhooks {
  return {
    url,
    secret,
    async about(ref) {
      await control.post('/webhooks/drain')
      const { deliveries } = await control.get('/webhooks/deliveries', { ref })
      return deliveries.map(toSentWebhook)
    },
  }
}

function toSentWebhook({ generation, hook, outcome, request }: Json): SentWebhook {
  const { headers, body: text } = request
  return { generation, hook, outcome, headers, text, body: JSON.parse(text) }
}

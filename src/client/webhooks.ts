import type {
  CatchResponse,
  CaughtRequest,
  SignatureExplanation,
  WebhookSettings,
} from '../control-api/wire.ts'
import { assertObject } from './assert-options.ts'
import type { ControlClient } from './control.ts'
import { type ControlApi, createControlApi } from './control-api.ts'
import { SandboxError } from './error.ts'
import { JournalReader, type WaitOptions } from './journal-reader.ts'

/** A webhook as its receiver got it. */
export interface ReceivedWebhook {
  /** A `Headers` object, or a plain one such as Node's `request.headers`. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** Body as received, before anything parsed it. */
  body: string | Uint8Array
  /** Secret that the receiver verifies with. */
  secret: string
  /** Signature that the receiver computed. The explanation then names the mistake behind it. */
  computed?: string
  /** When it was received, in ISO 8601. Default: now. */
  receivedAt?: string
}

/** Sets the webhook URL of an integrator, which then has a signing secret. */
type SetUrl = (
  url: string,
  options?: Parameters<ControlApi['webhooks']['set']>[1],
) => Promise<WebhookSettings & { signingSecret: string }>

export interface Webhooks extends Omit<ControlApi['webhooks'], 'explain' | 'set'> {
  set: SetUrl & ControlApi['webhooks']['set']
  /** Says why a receiver rejects a webhook: the secret, the body or the timestamp. */
  explain(webhook: ReceivedWebhook): Promise<SignatureExplanation>
  /** A receiver inside the sandbox; made on first use. */
  catch(name: string): Catcher
}

/** A receiver inside the sandbox to point webhooks at. It needs a sandbox that listens. */
export interface Catcher {
  /** URL to configure for webhooks. */
  readonly url: string
  /** Requests that it received, oldest first. */
  requests(): Promise<CaughtRequest[]>
  /** Returns the oldest request that no earlier `next` returned, as soon as there is one. */
  next(options?: WaitOptions): Promise<CaughtRequest>
  /** Sets the response from now on. */
  respond(response: CatchResponse): Promise<void>
}

export function createWebhooks(control: ControlClient, hasSocket: boolean): Webhooks {
  const { webhooks, catches } = createControlApi(control)
  return {
    ...webhooks,
    set: webhooks.set as Webhooks['set'],
    async explain(webhook) {
      assertObject('webhooks.explain', webhook)
      const { headers, body, ...rest } = webhook
      return webhooks.explain({
        headers: headers instanceof Headers ? Object.fromEntries(headers) : (headers as Plain),
        // What is missing or of another type is refused by the sandbox, which names it.
        ...(ArrayBuffer.isView(body)
          ? { body: Buffer.from(body).toString('base64'), bodyEncoding: 'base64' }
          : { body }),
        ...rest,
      })
    },
    catch(name) {
      if (hasSocket) return createCatcher(catches, { name, url: control.url })
      throw new SandboxError('Nothing can post to a sandbox made with { listen: false }.', {
        code: 'no-socket',
      })
    },
  }
}

/** Headers without undefined values, which JSON leaves out. */
type Plain = Record<string, string | string[]>

function createCatcher(
  { requests, respond }: ControlApi['catches'],
  { name, url }: { name: string; url: string },
): Catcher {
  const reader = new JournalReader<CaughtRequest>({
    noun: 'request',
    async read(_, { signal: __, ...page }) {
      const response = await requests(name, page)
      return { ...response, rows: response.requests }
    },
  })
  return {
    url: `${url}/_sandbox/catch/${encodeURIComponent(name)}`,
    requests: () => reader.list({}),
    next: (options) => reader.next({}, options),
    async respond(response) {
      await respond(name, response)
    },
  }
}

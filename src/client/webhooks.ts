import type { SignatureExplanation } from '../http/control/wire.ts'
import { type Catcher, createCatcher } from './catcher.ts'
import type { ControlClient } from './control.ts'
import { SandboxError } from './error.ts'
import { createLevers, type Levers } from './levers.ts'

/** A webhook as a receiver has it. */
export interface ReceivedWebhook {
  /** A `Headers` object, or a plain one such as Node's `request.headers`. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** As received, before anything parsed it. */
  body: string | Uint8Array
  /** What the receiver verifies with. */
  secret: string
}

export interface Webhooks extends Omit<Levers['webhooks'], 'explain'> {
  /** Says why a receiver rejects a webhook: the secret, the body or the timestamp. */
  explain(webhook: ReceivedWebhook): Promise<SignatureExplanation>
  /** A receiver inside the sandbox; made on first use. */
  catch(name: string): Catcher
}

export function createWebhooks(control: ControlClient, hasSocket: boolean): Webhooks {
  return {
    ...createLevers(control).webhooks,
    explain: ({ headers, body, secret }) =>
      control.call('POST', '/webhooks/explain', {
        body: { headers: toRecord(headers), ...toText(body), secret },
      }),
    catch(name) {
      if (hasSocket) return createCatcher(control, name)
      throw new SandboxError('Nothing can post to a sandbox made with { listen: false }.', {
        code: 'no-socket',
      })
    },
  }
}

function toRecord(headers: ReceivedWebhook['headers']) {
  return headers instanceof Headers ? Object.fromEntries(headers) : headers
}

function toText(body: string | Uint8Array) {
  return typeof body === 'string'
    ? { body }
    : { body: Buffer.from(body).toString('base64'), bodyEncoding: 'base64' }
}

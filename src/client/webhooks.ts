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
  const { webhooks, catches } = createLevers(control)
  return {
    ...webhooks,
    explain: ({ headers, body, secret }) =>
      webhooks.explain({
        headers: headers instanceof Headers ? Object.fromEntries(headers) : (headers as Plain),
        ...(typeof body === 'string'
          ? { body }
          : { body: Buffer.from(body).toString('base64'), bodyEncoding: 'base64' }),
        secret,
      }),
    catch(name) {
      if (hasSocket) return createCatcher(catches, { name, url: control.url })
      throw new SandboxError('Nothing can post to a sandbox made with { listen: false }.', {
        code: 'no-socket',
      })
    },
  }
}

/** Headers without those that are not there, which JSON leaves out. */
type Plain = Record<string, string | string[]>

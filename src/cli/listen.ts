import type { Sandbox } from '../client/client.ts'
import { SandboxError } from '../client/error.ts'
import type { DeliveryRecord, WebhookSettings } from '../control-api/wire.ts'
import { diagnoseAttempt } from '../webhooks/outcome-diagnosis.ts'
import { Poster } from '../webhooks/post.ts'
import { describeUnknownIntegrator } from '../world/orders.ts'
import { createCommand } from './command.ts'
import { formatEntry } from './log-format.ts'
import { endOnRequest, followFeed } from './logs.ts'
import { invalid, WEBHOOK_URL } from './option-values.ts'
import { fail, REMOTE_OPTIONS, toPlace, withSandbox } from './remote.ts'
import { describeTerminal, printText } from './terminal.ts'

/** Time limit for restoring the webhook URL at the end. */
const END_MAX_MS = 2_000
const POST_MAX_MS = 10_000

export const listen = createCommand({
  usage: 'listen --forward-to URL [options]',
  about:
    'point the webhooks of a running sandbox at your app, print each one with the response of your app,\n' +
    'and restore the previous webhook URL at the end (Ctrl-C)\n\n' +
    'add --relay if the sandbox cannot reach your app, for example from Docker or a shared host: this\n' +
    'command then fetches the webhooks and forwards them',
  options: {
    'forward-to': {
      ...WEBHOOK_URL,
      short: 'f',
      help: 'URL where your app receives webhooks, such as localhost:3000/hooks',
    },
    relay: { help: 'forward webhooks from here, if the sandbox cannot reach your app' },
    integrator: {
      value: 'NAME',
      help: 'integrator whose webhooks to forward; the first one by default',
    },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print a line of JSON for each webhook' },
  },
  exits: {
    0: 'stopped on request',
    1: 'the sandbox stopped, or the previous webhook URL could not be restored',
  },
  async act({ values }) {
    const { 'forward-to': app } = values
    if (app === undefined) {
      const hint = 'ramp-sandbox listen --forward-to localhost:3000/hooks'
      throw invalid('--forward-to', 'listen needs --forward-to URL.', hint)
    }
    await withSandbox(values, async (sandbox) => {
      // Opened first, so that no webhook is missed.
      const ending = endOnRequest()
      const { signal } = ending
      const wanted = { only: 'delivery,reset', as: 'listen', signal } as const
      const entries = await followFeed(toPlace(values), wanted)
      const target = await Target.open(sandbox, { ...values, app }).catch((error: unknown) => {
        ending.abort()
        throw error
      })
      const poster = new Poster({ allowHosts: [new URL(app).hostname] })
      const show = values.json ? showJson : showLine
      greet(target, values.json)
      let isGone = false
      try {
        for await (const { event, data } of entries) {
          if (event === 'reset') {
            await target.renew()
            greet(target, values.json, true)
            continue
          }
          const delivery = data as DeliveryRecord
          if (delivery.integrator !== target.integrator) continue
          const isOurs = values.relay && delivery.url === target.url
          show(isOurs ? await forward(poster, delivery, app) : delivery)
        }
        isGone = !signal.aborted
      } finally {
        poster.close('listen ended')
        if (!isGone) isGone = !(await putBack(target))
        ending.abort()
      }
      if (isGone) fail(`the connection to ${sandbox.url} was lost.`)
    })
  },
})

interface TargetOptions {
  app: string
  relay: boolean
  integrator: string | undefined
}

/** Destination of an integrator's webhooks until the command ends. */
class Target {
  readonly url: string
  readonly app: string
  readonly #webhooks: Sandbox['webhooks']
  #previous: WebhookSettings
  #secret: string | null = null

  private constructor(
    webhooks: Sandbox['webhooks'],
    { url, app, previous }: { url: string; app: string; previous: WebhookSettings },
  ) {
    this.#webhooks = webhooks
    this.url = url
    this.app = app
    this.#previous = previous
  }

  static async open({ webhooks }: Sandbox, options: TargetOptions): Promise<Target> {
    const { app, relay, integrator } = options
    const { receiverUrl } = await webhooks.settings()
    const previous = await findSettings(webhooks, integrator)
    const url = relay ? `${receiverUrl}/listen` : app
    const target = new Target(webhooks, { url, app, previous })
    try {
      await target.#apply()
    } catch (error) {
      if (relay || !(error instanceof SandboxError) || error.status !== 400) throw error
      throw invalid(
        '--forward-to',
        error.message.replace(/^url/, '--forward-to'),
        'Add --relay to forward webhooks from here.',
      )
    }
    return target
  }

  get integrator(): string {
    return this.#previous.integrator
  }

  get signingSecret(): string | null {
    return this.#secret
  }

  /** Sets it again in a world that was reset. */
  async renew(): Promise<void> {
    const found = await findSettings(this.#webhooks, this.integrator)
    if (found.url !== this.url) this.#previous = found
    await this.#apply()
  }

  /** Puts back what was configured, unless somebody has changed it since. */
  async restore(): Promise<void> {
    const { integrator } = this
    const { url } = await findSettings(this.#webhooks, integrator)
    if (url === this.url) await this.#webhooks.set(this.#previous.url, { integrator })
  }

  async #apply(): Promise<void> {
    const { integrator } = this
    this.#secret = (await this.#webhooks.set(this.url, { integrator })).signingSecret
  }
}

async function findSettings(
  webhooks: Sandbox['webhooks'],
  asked: string | undefined,
): Promise<WebhookSettings> {
  const { integrators } = await webhooks.settings()
  const names = integrators.map(({ integrator }) => integrator)
  const found = integrators[asked === undefined ? 0 : names.indexOf(asked)]
  if (found) return found
  throw invalid('--integrator', describeUnknownIntegrator(asked ?? '', names))
}

/** Returns false if the sandbox is gone, and its world with it. */
async function putBack(target: Target): Promise<boolean> {
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, END_MAX_MS, 'the sandbox does not respond').unref()
  })
  const restored = target.restore().then(
    () => undefined,
    (error: SandboxError) => (error.code === 'unreachable' ? null : error.message),
  )
  const problem = await Promise.race([restored, late])
  if (problem) fail(`webhooks for ${target.integrator} still go to ${target.url}: ${problem}`)
  return problem !== null
}

/** Posts the same bytes under the same signature, and reports the response of the app. */
async function forward(
  poster: Poster,
  delivery: DeliveryRecord,
  app: string,
): Promise<DeliveryRecord> {
  const { headers, body } = delivery.request
  const destination = poster.destinationOf(app)
  // These headers belong to the connection.
  const { Host: _, Connection: __, ...signed } = headers
  const sent = { headers: { Host: destination.host, ...signed }, bytes: Buffer.from(body) }
  const result = await poster.post(destination, { ...sent, timeoutMs: POST_MAX_MS })
  const forwarded = { ...delivery, url: app, ...result }
  return { ...forwarded, problem: diagnoseAttempt({ ...forwarded, body }) ?? null }
}

function greet({ integrator, app, signingSecret }: Target, json: boolean, isAgain = false) {
  if (json && isAgain) return
  if (json) return print({ event: 'listening', integrator, url: app, signingSecret })
  const where = `webhooks for ${integrator} go to ${app}`
  printText(isAgain ? `the world was reset or restored; ${where}` : where)
  if (!isAgain) printText(`signed with ${signingSecret}`)
}

const showJson = (delivery: DeliveryRecord) => print({ event: 'delivery', ...delivery })

function showLine(row: DeliveryRecord) {
  const entry = { world: 'default', at: Date.now(), subject: { kind: 'delivery' as const, row } }
  process.stdout.write(`${formatEntry(entry, describeTerminal(process.stdout))}\n`)
}

const print = (value: object) => void process.stdout.write(`${JSON.stringify(value)}\n`)

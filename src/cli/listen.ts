import type { Sandbox } from '../client/client.ts'
import type { SandboxError } from '../client/error.ts'
import type { DeliveryRecord, WebhookSettings } from '../control-api/wire.ts'
import { Poster } from '../webhooks/post.ts'
import { createCommand } from './command.ts'
import { formatEntry } from './log-format.ts'
import { followFeed } from './logs.ts'
import { invalid, WEBHOOK_URL } from './option-values.ts'
import { fail, REMOTE_OPTIONS, toPlace, withSandbox } from './remote.ts'
import { describeTerminal, printText } from './terminal.ts'

/** Time limit for restoring the webhook URL at the end. */
const END_MAX_MS = 2_000
const POST_MAX_MS = 10_000

export const listen = createCommand({
  usage: 'listen --forward-to URL [options]',
  about:
    'Sends the webhooks of a running sandbox to your app, shows each one as it happens, and puts back\n' +
    'what was configured when it ends.',
  options: {
    'forward-to': {
      ...WEBHOOK_URL,
      short: 'f',
      help: 'where your app receives them, such as localhost:3000/hooks',
    },
    integrator: { value: 'NAME', help: 'whose webhooks; the first integrator by default' },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print a line of JSON for each webhook' },
  },
  exits: {
    0: 'Stopped on request.',
    1: 'The sandbox went away, or did not put back what was configured.',
  },
  async act({ values }) {
    const { 'forward-to': url, json, integrator } = values
    if (url === undefined) {
      const hint = 'ramp-sandbox listen --forward-to localhost:3000/hooks'
      throw invalid('--forward-to', 'listen needs --forward-to URL.', hint)
    }
    await withSandbox(values, async (sandbox) => {
      // Opened first, so that no webhook is missed.
      const { entries, ending } = await followFeed(toPlace(values), 'delivery,reset')
      const redirect = await redirectWebhooks(sandbox.webhooks, url, integrator)
      const session = createSession(redirect, json)
      session.greet()
      let isGone = false
      try {
        for await (const { event, data } of entries) {
          if (event === 'reset') await redirect.renew().then(session.greetAgain)
          else await session.take(data as DeliveryRecord)
        }
        isGone = !ending.signal.aborted
      } finally {
        session.close()
        if (!isGone) isGone = !(await putBack(redirect))
        ending.abort()
      }
      if (isGone) fail(`the sandbox at ${sandbox.url} is gone.`)
    })
  },
})

/** Returns false if the sandbox is gone, and its world with it. */
async function putBack({ restore, integrator, app }: Redirect): Promise<boolean> {
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, END_MAX_MS, 'the sandbox does not respond').unref()
  })
  const restored = restore().then(
    () => undefined,
    (error: SandboxError) => (error.code === 'unreachable' ? null : error.message),
  )
  const problem = await Promise.race([restored, late])
  if (problem) fail(`webhooks of ${integrator} still go to ${app}: ${problem}`)
  return problem !== null
}

type Redirect = Awaited<ReturnType<typeof redirectWebhooks>>

/**
 * Points the webhooks of an integrator at the app until the command ends. If the sandbox cannot
 * reach the app, they only go into the feed.
 */
async function redirectWebhooks(webhooks: Sandbox['webhooks'], app: string, asked?: string) {
  const inFeed = `${(await webhooks.settings()).receiverUrl}/listen`
  let target = app
  let previous = await find()
  const { integrator } = previous
  const { signingSecret } = await apply()
  return {
    app,
    integrator,
    signingSecret,
    /**
     * Returns true if this command has to forward a delivery: it only reached the feed, or a
     * sandbox in a container found nothing at its own localhost.
     */
    isOurs({ url, generation, error }: DeliveryRecord): boolean {
      if (target === inFeed) return url === inFeed
      return generation === 'v2' && error?.includes('ECONNREFUSED') === true
    },
    async keepInFeed() {
      if (target === inFeed) return
      target = inFeed
      await apply()
    },
    /** Sets it again in a world that was reset. */
    async renew() {
      const found = await find()
      if (found.url !== target) previous = found
      await apply()
    },
    /** Puts back what was configured, unless somebody has changed it since. */
    async restore() {
      const { url } = await find()
      if (url === target) await webhooks.set(previous.url, { integrator })
    },
  }

  async function find(): Promise<WebhookSettings> {
    const { integrators } = await webhooks.settings()
    const names = integrators.map(({ integrator: name }) => name)
    const found = integrators[asked === undefined ? 0 : names.indexOf(asked)]
    if (found) return found
    const message = `There is no integrator ${asked}; this world has ${names.join(', ')}.`
    throw invalid('--integrator', message)
  }

  async function apply(): Promise<WebhookSettings> {
    try {
      return await webhooks.set(target, { integrator })
    } catch (error) {
      // A sandbox that others share sends nothing to its own machine.
      if (target === inFeed || (error as { status?: number }).status !== 400) throw error
      target = inFeed
      return await apply()
    }
  }
}

function createSession(redirect: Redirect, json: boolean) {
  const terminal = describeTerminal(process.stdout)
  const { integrator, app, signingSecret } = redirect
  const poster = new Poster({ allowHosts: [new URL(app).hostname] })
  return { greet, greetAgain, take, close: () => poster.close('listen ended') }

  function greet() {
    if (json) return print({ event: 'listening', integrator, url: app, signingSecret })
    printText(`webhooks of ${integrator} go to ${app}\nsigned with ${signingSecret}`)
  }

  function greetAgain() {
    if (!json) printText(`the world was reset or restored; webhooks of ${integrator} go to ${app}`)
  }

  async function take(delivery: DeliveryRecord) {
    if (delivery.integrator !== integrator) return
    if (!redirect.isOurs(delivery)) return show(delivery)
    const forwarded = await forward(delivery)
    if (forwarded.outcome !== 'refused') await redirect.keepInFeed()
    show(forwarded)
  }

  /** Posts the same bytes under the same signature. */
  async function forward(delivery: DeliveryRecord): Promise<DeliveryRecord> {
    const { headers, body } = delivery.request
    const destination = poster.destinationOf(app)
    // These headers belong to the connection.
    const { Host: _, Connection: __, ...signed } = headers
    const sent = { headers: { Host: destination.host, ...signed }, bytes: Buffer.from(body) }
    const result = await poster.post(destination, { ...sent, timeoutMs: POST_MAX_MS })
    return { ...delivery, url: app, ...result }
  }

  function show(delivery: DeliveryRecord) {
    if (json) return print({ event: 'delivery', ...delivery })
    const subject = { kind: 'delivery' as const, row: delivery }
    const entry = { world: 'default', at: Date.now(), subject }
    process.stdout.write(`${formatEntry(entry, terminal)}\n`)
  }
}

const print = (value: object) => void process.stdout.write(`${JSON.stringify(value)}\n`)

import type { DeliveryRecord } from '../../http/control/wire.ts'
import { isLoopbackHost } from '../../webhooks/address.ts'
import { createCommand, REMOTE_OPTIONS, toPlace } from '../command.ts'
import { formatEntry } from '../log/format.ts'
import { invalid, toWebhookUrl } from '../option-values.ts'
import { watchParent } from '../parent.ts'
import { describeTerminal, toPrintable } from '../terminal.ts'
import type { Connection } from './connection.ts'
import { canConnect, createForwarder } from './forward.ts'
import { type Redirect, redirectWebhooks, type Targets } from './redirect.ts'

/** Longest that putting back may take when it ends. */
const END_MAX_MS = 2_000
/** Deliveries that a key can send again. */
const RECENT_MAX = 9

export const listen = createCommand({
  usage: 'listen --forward-to URL [options]',
  about:
    'Sends the webhooks of a running sandbox to your app, shows each one as it happens, and puts back\n' +
    'what was configured when it ends. On a terminal, r sends the last one again, 2 to 9 an earlier one.',
  options: {
    'forward-to': {
      value: 'URL',
      short: 'f',
      help: 'where your app takes them, such as localhost:3000/hooks',
    },
    'v1-forward-to': { value: 'URL', help: 'where it takes the four webhooks of v1' },
    integrator: { value: 'NAME', help: 'whose webhooks; the first integrator by default' },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print a line of JSON for each webhook' },
  },
  exits: { 0: 'It was asked to end.', 1: 'The sandbox went away.' },
  async act({ values }) {
    const targets = toTargets(values)
    const { connect, toCommandError } = await import('./connection.ts')
    const ending = new AbortController()
    const end = () => ending.abort()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
    watchParent(end)
    try {
      const connection = connect(toPlace(values), ending.signal)
      const { integrator, json } = values
      process.exitCode = await listenTo(connection, { targets, integrator, json, ending })
    } catch (error) {
      throw toCommandError(error)
    } finally {
      end()
    }
  },
})

interface ListenValues {
  'forward-to': string | undefined
  'v1-forward-to': string | undefined
}

function toTargets({ 'forward-to': v2, 'v1-forward-to': v1 }: ListenValues): Targets {
  if (v2 === undefined && v1 === undefined) {
    const hint = 'ramp-sandbox listen --forward-to localhost:3000/hooks'
    const message = 'listen needs --forward-to URL, or --v1-forward-to URL.'
    throw invalid('--forward-to', message, hint)
  }
  return {
    v2: v2 && toWebhookUrl('--forward-to', v2),
    v1: v1 && toWebhookUrl('--v1-forward-to', v1),
  }
}

interface ListenOptions {
  targets: Targets
  integrator: string | undefined
  json: boolean
  ending: AbortController
}

/** Resolves with an exit code: 0 where it was asked to end, 1 where the sandbox went away. */
async function listenTo({ control, follow, url }: Connection, options: ListenOptions) {
  const { targets, integrator, json, ending } = options
  // Opened first, so that no webhook is missed.
  const stream = await follow('delivery,reset')
  const isDirect = isReachable(url, targets)
  const redirect = await redirectWebhooks({ control, integrator, targets, isDirect })
  const session = createSession({ control, redirect, targets, json })
  session.greet()
  const end = () => ending.abort()
  const digits = ['r', '2', '3', '4', '5', '6', '7', '8', '9']
  const keys = digits.map((key, at): [string, () => void] => [key, () => session.resend(at + 1)])
  const again = () => session.resend(1)
  const stopKeys = followKeys({ ...Object.fromEntries(keys), '1': again, q: end, '\u0003': end })
  let isGone = false
  try {
    for await (const { event, data } of stream) {
      if (event === 'reset') await redirect.renew().then(session.greetAgain)
      else await session.take(data as DeliveryRecord)
    }
    isGone = !ending.signal.aborted
  } finally {
    stopKeys()
    session.close()
    if (!isGone) await putBack(redirect)
  }
  if (isGone) process.stderr.write(`ramp-sandbox: the sandbox at ${url} is gone.\n`)
  return isGone ? 1 : 0
}

/** A sandbox on this machine reaches what is on this machine, unless it is in a container. */
function isReachable(url: string, { v2, v1 }: Targets): boolean {
  return [url, v2, v1].every((each) => each === undefined || isLoopbackHost(hostOf(each)))
}

const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '')

async function putBack(redirect: Redirect) {
  const late = new Promise((resolve) => setTimeout(resolve, END_MAX_MS).unref())
  await Promise.race([redirect.restore().catch(() => undefined), late])
}

interface SessionOptions {
  control: Connection['control']
  redirect: Redirect
  targets: Targets
  json: boolean
}

function createSession({ control, redirect, targets, json }: SessionOptions) {
  const terminal = describeTerminal(process.stdout)
  const forwarder = createForwarder([targets.v2, targets.v1])
  /** The newest deliveries, the last of them last. */
  let recent: string[] = []
  return { greet, greetAgain, take, resend, close: forwarder.close }

  function greet() {
    const { integrator, signingSecret } = redirect
    const { v2, v1 } = targets
    if (json) return print({ event: 'listening', integrator, url: v2, v1Url: v1, signingSecret })
    if (v2) say(`webhooks of ${integrator} go to ${v2}`)
    if (v1) say(`v1 webhooks of ${integrator} go to ${v1}`)
    say(`signed with ${signingSecret}`)
    if (process.stdin.isTTY)
      say('r sends the last one again, 2 to 9 the one so many back, Ctrl-C ends')
  }

  function greetAgain() {
    const { integrator } = redirect
    if (!json)
      say(`the world was reset; webhooks of ${integrator} go to ${targets.v2 ?? targets.v1}`)
  }

  async function take(delivery: DeliveryRecord) {
    if (delivery.integrator !== redirect.integrator) return
    recent = [...recent, delivery.id].slice(-RECENT_MAX)
    const target = delivery.generation === 'v1' ? targets.v1 : targets.v2
    const isUnreachable = redirect.isDirect && delivery.outcome === 'refused'
    if (isUnreachable && target && (await canConnect(target))) {
      // A sandbox in a container has another machine's localhost.
      await redirect.keepInFeed()
      return show(await forward(delivery, target))
    }
    const kept = delivery.generation === 'v1' ? redirect.v1Url : redirect.url
    const isKept = !redirect.isDirect && target !== undefined && delivery.url === kept
    show(isKept ? await forward(delivery, target) : delivery)
  }

  async function forward(delivery: DeliveryRecord, url: string): Promise<DeliveryRecord> {
    return { ...delivery, url, ...(await forwarder.forward(delivery, url)) }
  }

  function show(delivery: DeliveryRecord) {
    if (json) return print({ event: 'delivery', ...delivery })
    const entry = {
      world: 'default',
      at: Date.now(),
      subject: { kind: 'delivery' as const, row: delivery },
    }
    process.stdout.write(`${formatEntry(entry, terminal)}
`)
  }

  /** Sends one again, counted from the newest; it is shown when it comes by. */
  function resend(back: number) {
    const id = recent.at(-back)
    if (id === undefined) return say('no such webhook was sent yet')
    const path = `/webhooks/deliveries/${encodeURIComponent(id)}/resend`
    control('POST', path).catch((error: Error) => say(toPrintable(error.message)))
  }

  function say(text: string) {
    process.stdout.write(`${text}\n`)
  }
}

const print = (value: object) => void process.stdout.write(`${JSON.stringify(value)}\n`)

/** Acts on keys as they are pressed, where there is a keyboard. */
function followKeys(actions: Readonly<Record<string, () => void>>): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  stdin.setRawMode(true)
  stdin.on('data', (data) => {
    for (const key of String(data)) actions[key]?.()
  })
  return () => {
    stdin.setRawMode(false)
    stdin.pause()
  }
}

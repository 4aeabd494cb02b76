import { connect } from 'node:net'
import type { Sandbox } from '../client/client.ts'
import type { DeliveryRecord } from '../http/control/wire.ts'
import { createPoster } from '../webhooks/post.ts'
import { createCommand } from './command.ts'
import { formatEntry } from './log-format.ts'
import { endOnSignal, followFeed } from './logs.ts'
import { invalid, WEBHOOK_URL } from './option-values.ts'
import { watchParent } from './parent.ts'
import { type Redirect, redirectWebhooks, type Targets } from './redirect.ts'
import { fail, REMOTE_OPTIONS, toPlace, withSandbox } from './remote.ts'
import { describeTerminal, printText } from './terminal.ts'

/** Longest that putting back may take when it ends. */
const END_MAX_MS = 2_000
/** Deliveries that a key can send again. */
const RECENT_MAX = 9
const POST_MAX_MS = 10_000
const CONNECT_MAX_MS = 1_000

export const listen = createCommand({
  usage: 'listen --forward-to URL [options]',
  about:
    'Sends the webhooks of a running sandbox to your app, shows each one as it happens, and puts back\n' +
    'what was configured when it ends. On a terminal, r sends the last one again, 2 to 9 an earlier one.',
  options: {
    'forward-to': {
      ...WEBHOOK_URL,
      short: 'f',
      help: 'where your app takes them, such as localhost:3000/hooks',
    },
    'v1-forward-to': { ...WEBHOOK_URL, help: 'where it takes the four webhooks of v1' },
    integrator: { value: 'NAME', help: 'whose webhooks; the first integrator by default' },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print a line of JSON for each webhook' },
  },
  exits: { 0: 'It was asked to end.', 1: 'The sandbox went away.' },
  async act({ values }) {
    const { 'forward-to': v2, 'v1-forward-to': v1, json, integrator } = values
    if (v2 === undefined && v1 === undefined) {
      const hint = 'ramp-sandbox listen --forward-to localhost:3000/hooks'
      const message = 'listen needs --forward-to URL, or --v1-forward-to URL.'
      throw invalid('--forward-to', message, hint)
    }
    const targets = { v2, v1 }
    const ending = endOnSignal()
    watchParent(() => ending.abort())
    await withSandbox(values, async (sandbox) => {
      // Opened first, so that no webhook is missed.
      const stream = await followFeed(toPlace(values), 'delivery,reset', ending.signal)
      const redirect = await redirectWebhooks(sandbox.control, targets, integrator)
      const session = createSession(sandbox, { redirect, targets, json })
      session.greet()
      const stopKeys = followKeys(session.resend, () => ending.abort())
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
        ending.abort()
      }
      if (!isGone) return
      fail(`the sandbox at ${sandbox.url} is gone.`)
    })
  },
})

async function putBack(redirect: Redirect) {
  const late = new Promise((resolve) => setTimeout(resolve, END_MAX_MS).unref())
  await Promise.race([redirect.restore().catch(() => undefined), late])
}

interface SessionOptions {
  redirect: Redirect
  targets: Targets
  json: boolean
}

function createSession(sandbox: Sandbox, { redirect, targets, json }: SessionOptions) {
  const terminal = describeTerminal(process.stdout)
  const urls = [targets.v2, targets.v1].flatMap((url) => url ?? [])
  const poster = createPoster({ allowHosts: urls.map((url) => new URL(url).hostname) })
  const { integrator } = redirect
  /** The newest deliveries, the last of them last. */
  let recent: string[] = []
  return { greet, greetAgain, take, resend, close: poster.close }

  function greet() {
    const { signingSecret } = redirect
    const { v2, v1 } = targets
    if (json) return print({ event: 'listening', integrator, url: v2, v1Url: v1, signingSecret })
    if (v2) printText(`webhooks of ${integrator} go to ${v2}`)
    if (v1) printText(`v1 webhooks of ${integrator} go to ${v1}`)
    printText(`signed with ${signingSecret}`)
    if (process.stdin.isTTY)
      printText('r sends the last one again, 2 to 9 the one so many back, Ctrl-C ends')
  }

  function greetAgain() {
    if (!json)
      printText(`the world was reset or restored; webhooks of ${integrator} go to ${urls[0]}`)
  }

  async function take(delivery: DeliveryRecord) {
    if (delivery.integrator !== integrator) return
    recent = [...recent, delivery.id].slice(-RECENT_MAX)
    const { v2, v1 } = redirect.urls
    const [target, kept] = delivery.generation === 'v1' ? [targets.v1, v1] : [targets.v2, v2]
    const isRefused = redirect.isDirect && delivery.outcome === 'refused'
    // A sandbox in a container has another machine's localhost.
    const isElsewhere = isRefused && target !== undefined && (await canConnect(target))
    if (isElsewhere) await redirect.keepInFeed()
    else if (redirect.isDirect || delivery.url !== kept) return show(delivery)
    show(target === undefined ? delivery : await forward(delivery, target))
  }

  /** Posts the same bytes under the same signature. */
  async function forward(delivery: DeliveryRecord, url: string): Promise<DeliveryRecord> {
    const { headers, body } = delivery.request
    const destination = poster.destinationOf(url)
    // Those belong to the connection and not to the webhook.
    const { Host: _, Connection: __, ...signed } = headers
    const sent = { at: Date.now(), headers: { Host: destination.host, ...signed }, body }
    return { ...delivery, url, ...(await poster.post(destination, sent, POST_MAX_MS)) }
  }

  function show(delivery: DeliveryRecord) {
    if (json) return print({ event: 'delivery', ...delivery })
    const subject = { kind: 'delivery' as const, row: delivery }
    const entry = { world: 'default', at: Date.now(), subject }
    process.stdout.write(`${formatEntry(entry, terminal)}\n`)
  }

  /** Sends one again, counted from the newest; it is shown when it comes by. */
  function resend(back: number) {
    const id = recent.at(-back)
    if (id === undefined) return printText('no such webhook was sent yet')
    sandbox.webhooks.resend(id).catch((error: Error) => printText(error.message))
  }
}

const print = (value: object) => void process.stdout.write(`${JSON.stringify(value)}\n`)

function canConnect(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    timeout: CONNECT_MAX_MS,
  })
  return new Promise((resolve) => {
    const end = (isThere: boolean) => () => {
      socket.destroy()
      resolve(isThere)
    }
    socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false))
  })
}

/** Acts on keys as they are pressed, where there is a keyboard. */
function followKeys(resend: (back: number) => void, end: () => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  stdin.setRawMode(true)
  stdin.on('data', (data) => {
    for (const key of String(data)) {
      if (key === 'q' || key === '\u0003') end()
      else if (/[r1-9]/.test(key)) resend(key === 'r' ? 1 : Number(key))
    }
  })
  return () => {
    stdin.setRawMode(false)
    stdin.pause()
  }
}

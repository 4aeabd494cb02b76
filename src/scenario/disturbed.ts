import { isDeepStrictEqual } from 'node:util'
import { realTime } from '../real-time.ts'
import { compareStates, formatDifference, Mismatch } from './expect.ts'
import { toReceiver } from './receiver-commands.ts'
import { type Forged, isLoss, openRelay, type Relay, type RelayRun } from './relay.ts'
import type { Disturbed, Scenario, Stage } from './types.ts'

/** How long a state may still become what it should be: a receiver may work after it responded. */
export const SETTLE_MS = 500
const SETTLE_EVERY_MS = 20

export interface DisturbedRun extends RelayRun {
  stage: Stage
  play: Scenario['play']
  relay: Relay
  ignore?: readonly string[] | undefined
  /** How long the state may still change after the story. */
  settleMs?: number | undefined
  /** Undefined for a run that finds out. */
  expected?: unknown
}

export type StoryEnd = Awaited<ReturnType<typeof playDisturbed>>

/**
 * Plays a story once, in the world of its stage, whose webhooks go to the relay. `isHealed` says that
 * the state was as expected only after the receiver reconciled, although nothing was lost.
 */
export async function playDisturbed(run: DisturbedRun) {
  const { stage, play, relay, receiver, place, disturbances, ignore, expected } = run
  const { settleMs = SETTLE_MS } = run
  await receiver.reset(place)
  const relayed = relay.begin(run)
  for (const { at } of disturbances.filter((each) => each.kind === 'early')) {
    const then = { beforeResponse: true }
    await stage.control.post('/faults', { on: 'webhook', then, skip: at })
  }
  await play(withRelay(stage, relay.webhookUrl, relayed.moveClock))
  await stage.control.post('/webhooks/drain')
  const { forged, ...came } = await relayed.finish()
  const isLossy = disturbances.some(isLoss)
  if (isLossy) await receiver.reconcile?.(place)
  const state = await settle()
  const isRight = expected === undefined || isDeepStrictEqual(state, expected)
  const result = { ...came, state, forged: forged && strip(forged) }
  const asksLater = !isLossy && receiver.reconcile !== undefined
  // A run that went well needs no reconciliation, except the one that shows that it changes nothing.
  if (!asksLater || (isRight && disturbances.length > 0)) {
    return { ...result, isHealed: false, reconciled: state }
  }
  await receiver.reconcile?.(place)
  const reconciled = await read()
  return { ...result, isHealed: !isRight && isDeepStrictEqual(reconciled, expected), reconciled }

  async function read() {
    return withoutIgnored(await receiver.state(place), ignore)
  }

  function strip({ before, after }: Forged): Forged | undefined {
    const [was, is] = [withoutIgnored(before, ignore), withoutIgnored(after, ignore)]
    return isDeepStrictEqual(was, is) ? undefined : { before: was, after: is }
  }

  async function settle() {
    if (expected === undefined) await realTime.pause(settleMs)
    const until = performance.now() + settleMs
    for (;;) {
      const now = await read()
      const isOver = expected === undefined || isDeepStrictEqual(now, expected)
      if (isOver || performance.now() > until) return now
      await realTime.pause(SETTLE_EVERY_MS)
    }
  }
}

/** The story sees the relay as its receiver, and the relay hears when the clock moved. */
function withRelay(stage: Stage, url: string, moveClock: () => Promise<void>): Stage {
  const { control } = stage
  return {
    ...stage,
    webhooks: { ...stage.webhooks, url },
    control: {
      ...control,
      async post(path, body) {
        // Where the clock stands still, events would have one time, by which no receiver can order them.
        if (path.startsWith('/simulate/')) await control.post('/clock/advance', { by: 1 })
        const response = await control.post(path, body)
        if (path === '/clock/advance') await moveClock()
        return response
      },
    },
  }
}

export interface SceneOptions {
  /** Base URL of the world. */
  url: string
  apiKey: string
  fetch(request: Request): Response | Promise<Response>
  webhookUrl: string | null
}

/** Plays a scenario that is disturbed by itself, and fails it where the receiver ends otherwise. */
export async function playAlone(
  { play }: Scenario,
  stage: Stage,
  { disturbed, url, apiKey, fetch, webhookUrl }: SceneOptions & { disturbed: Disturbed },
): Promise<void> {
  const { disturbances, expected, ignore, killAfterMs = 1, port } = disturbed
  const relay = await openRelay({ port: port ?? 0, send: fetch })
  relay.lead(url)
  const receiver = toReceiver({ ...disturbed, webhookUrl: webhookUrl ?? disturbed.webhookUrl })
  try {
    await stage.api.put('/v2/webhook-configurations', { url: relay.webhookUrl })
    const place = { url: relay.url, apiKey, signingSecret: stage.webhooks.secret }
    const run = { stage, play, relay, receiver, place, disturbances, killAfterMs, ignore, expected }
    const { state, forged } = await playDisturbed({ ...run, pauseMs: SETTLE_MS })
    const differences = forged
      ? compareStates(forged.after, forged.before)
      : compareStates(state, expected)
    if (differences.length === 0) return
    const message = 'The receiver ends otherwise than undisturbed.'
    throw new Mismatch(message, differences.map(formatDifference))
  } finally {
    await receiver.process?.kill()
    await relay.close()
  }
}

/**
 * Leaves out what differs from run to run: a name is left out wherever it stands, and a path with dots
 * from the root on, where `*` is any name or place in a list.
 */
function withoutIgnored(state: unknown, ignore: readonly string[] = []): unknown {
  const names = ignore.filter((path) => !path.includes('.'))
  const paths = ignore.filter((path) => path.includes('.')).map((path) => path.split('.'))
  return strip(state, [])

  function strip(value: unknown, at: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((entry, i) => strip(entry, [...at, String(i)]))
    if (value === null || typeof value !== 'object') return value
    const kept = Object.entries(value).filter(([name]) => !isIgnored(name, [...at, name]))
    return Object.fromEntries(kept.map(([name, part]) => [name, strip(part, [...at, name])]))
  }

  function isIgnored(name: string, at: readonly string[]): boolean {
    const fits = (path: string[]) =>
      path.length === at.length && path.every((part, i) => part === '*' || part === at[i])
    return names.includes(name) || paths.some(fits)
  }
}

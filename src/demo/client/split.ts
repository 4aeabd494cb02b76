import type { Json } from '../../client/http.ts'
import { call } from '../../dashboard/client/calls.ts'
import { catchName, control, prefix, readControl } from './api.ts'
import { customerRecord } from './customer.ts'
import { skipHistory } from './follow.ts'
import { player } from './player.ts'
import { enqueue } from './queue.ts'
import { session } from './session.ts'
import { type ChoiceName, change, type Fork, state } from './store.ts'
import { goOn } from './what-if.ts'
import { t } from './words.ts'

/** Time after which a fork ends that no page uses any more. */
const TTL = '10m'
const READY_MAX_MS = 20_000

/** State that the page of a fork reports to the page that made it. */
export type Report = Pick<Fork, 'isBusy' | 'isReady' | 'wallet' | 'causes'>

/** Two phones from one moment: this world goes on, and in a fork of it something else happens. */
class Split {
  #whenReady: (() => void) | undefined
  /** Grows when a split ends, so that one which is still being opened stops there. */
  #generation = 0

  constructor() {
    window.addEventListener('fork-report', (event) => this.#take((event as CustomEvent).detail))
    window.addEventListener('pagehide', () => this.end())
  }

  /** Forks the moment, shows both phones, and lets each take its way. */
  async open(choice: ChoiceName): Promise<void> {
    change({ isAsking: false })
    const isPlaying = state.player !== null && !state.player.isPaused
    player.pause()
    await player.settle()
    this.end()
    const own = this.#generation
    const shown = this.#whenShown()
    await enqueue({ kind: 'outside', title: t('What if …?'), run: () => this.#fork(choice) })
    if (state.fork === null) return
    const isShown = await shown
    if (own !== this.#generation) return
    if (!isShown) return this.end()
    player.companion = this
    await player.sleep()
    if (own === this.#generation) await this.#begin(isPlaying)
  }

  /** Lets the right phone take its step. */
  step(): void {
    frame()?.contentWindow?.dispatchEvent(new CustomEvent('fork-step'))
  }

  /** Lets the right server read what it missed. */
  reconcile(): void {
    frame()?.contentWindow?.dispatchEvent(new CustomEvent('fork-reconcile'))
  }

  async keepRight(): Promise<void> {
    const { fork } = state
    if (!fork) return
    let isKept = false
    const run = async () => {
      await adopt(fork)
      isKept = true
    }
    await enqueue({ kind: 'outside', title: t('The right phone goes on'), run })
    if (!isKept) return
    this.end()
    player.leaveStory()
  }

  /** Ends the fork; the left phone goes on alone. */
  end(): void {
    const { fork } = state
    this.#generation++
    player.companion = null
    if (!fork) return
    change({ fork: null, phone: 'left' })
    const name = fork.prefix.split('/').at(-1)
    const path = `${fork.prefix}/_sandbox/worlds/${name}`
    const headers = { 'content-type': 'application/json' }
    // Also when the page is closing.
    void fetch(path, { method: 'DELETE', headers, keepalive: true }).catch(() => null)
  }

  async #begin(isPlaying: boolean): Promise<void> {
    if (state.player === null || player.isOver()) {
      this.step()
      await goOn()
    } else if (isPlaying) await player.resume()
  }

  #take(report: Report): void {
    if (!state.fork) return
    change({ fork: { ...state.fork, ...report } })
    if (report.isReady) this.#whenReady?.()
  }

  #whenShown(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#whenReady = () => resolve(true)
      setTimeout(() => resolve(false), READY_MAX_MS)
    })
  }

  /** Makes the fork, with all that the wallet needs there, before its phone is shown. */
  async #fork(choice: ChoiceName): Promise<void> {
    const { baseUrl } = await control('POST', '/worlds', { from: {}, ttl: TTL })
    const there = new URL(baseUrl).pathname
    await redirectWebhooks(there)
    await copyFaults(prefix, there)
    const { token, kycUrl } = await moveLinks(state, prefix, there)
    const [key, record] = session.record()
    const moved = { ...record, wallet: { ...(record as Json).wallet, token, kycUrl } }
    for (const [name, value] of [customerRecord(), [key, moved] as const]) {
      const path = `${there}/_sandbox/demo/records/${encodeURIComponent(name)}`
      await call({ method: 'PUT', path, body: value })
    }
    change({
      fork: {
        prefix: there,
        src: addressOf(there, choice),
        choice,
        isReady: false,
        isBusy: true,
        wallet: {},
        causes: [],
      },
    })
  }
}

export const split = new Split()

const frame = () => document.querySelector<HTMLIFrameElement>('iframe.fork')

const at = (base: string, method: string, path: string, body?: Json): Promise<Json> =>
  call({ method, path: `${base}/_sandbox${path}`, body })

/** Address of the right phone: the same brand and language, the same session, the same step. */
function addressOf(base: string, choice: ChoiceName): string {
  const { player } = state
  const query = new URLSearchParams(location.search)
  for (const name of ['present', 'story', 'step', 'whatif']) query.delete(name)
  query.set('view', 'fork')
  query.set('session', session.id)
  query.set('choice', choice)
  query.set('speed', String(state.speed))
  if (player) {
    query.set('story', player.story)
    query.set('at', String(player.at))
  }
  return `${base}/_sandbox/demo?${query}`
}

/** Points a fork's webhooks at its own receiver, so that no real server gets them. */
async function redirectWebhooks(base: string): Promise<void> {
  const { integrators } = await at(base, 'GET', '/webhooks/settings')
  const receiver = `${location.origin}${base}/_sandbox/catch/${catchName}`
  for (const { integrator, url, legacy } of integrators) {
    const hooks = Object.entries(legacy ?? {}) as [string, Json][]
    const moved = hooks.map(([hook, one]) => [hook, { ...one, url: one.url && receiver }])
    await at(base, 'PUT', '/webhooks/settings', {
      integrator,
      url: url && receiver,
      legacy: legacy && Object.fromEntries(moved),
    })
  }
}

/** Copies what is left of the faults of one world to another. */
async function copyFaults(from: string, to: string): Promise<void> {
  const { items } = await at(from, 'GET', '/faults')
  await at(to, 'DELETE', '/faults')
  for (const { on, match, then, times, skip, seen, hits } of items) {
    if (hits === times) continue
    const left = { times: times - hits, skip: Math.max(0, skip - seen) }
    await at(to, 'POST', '/faults', { on, match, then, ...left })
  }
}

/** Translates a wallet's access token and KYC link to another world with the same state. */
async function moveLinks({ userId, token, kycUrl }: Json, from: string, to: string) {
  const issued = token === '' ? undefined : at(to, 'POST', `/users/${userId}/token`, { token })
  return {
    // A login that is unknown there keeps its token.
    token: (await issued?.catch(() => undefined))?.accessToken ?? token,
    kycUrl: kycUrl.replace(`${from}/_sandbox/`, `${to}/_sandbox/`),
  }
}

/** Replaces this world by the fork's. Webhooks keep going where this world sent them. */
async function adopt({ prefix: there, wallet, causes }: Fork): Promise<void> {
  await at(there, 'POST', '/webhooks/drain', {})
  const { integrators } = await readControl('/webhooks/settings')
  const world = await at(there, 'GET', '/state')
  await replaceWorld(world)
  for (const { integrator, url, legacy } of integrators) {
    await control('PUT', '/webhooks/settings', { integrator, url, legacy })
  }
  await copyFaults(there, prefix)
  const links = await moveLinks(wallet, there, prefix)
  change({ ...structuredClone(wallet), causes: structuredClone(causes), ...links })
  await skipHistory()
  await session.rewrite()
}

async function replaceWorld(world: Json): Promise<void> {
  player.ignoreReset()
  try {
    await control('PUT', '/state', world)
  } catch (error) {
    // No reset follows.
    player.takeReset()
    throw error
  }
}

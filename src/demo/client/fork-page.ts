import { prefix } from './api.ts'
import { player } from './player.ts'
import { idle, outside } from './queue.ts'
import { session } from './session.ts'
import type { Report } from './split.ts'
import { change, listenByFrame, state } from './store.ts'
import { isStory } from './stories.ts'
import { CHOICES, goOn, isChoice, readMissed, recover, textOf } from './what-if.ts'
import { t } from './words.ts'

const TICK_MS = 50
const LOAD_MAX_MS = 5_000

/** The right phone of a split. It follows the left one until its choice can happen. */
class ForkPage {
  #isReady = false
  #hasBegun = false
  #hasRecovered = false
  #moving: Promise<unknown> = Promise.resolve()

  async start(): Promise<void> {
    const query = new URLSearchParams(location.search)
    const story = query.get('story')
    await session.claim()
    if (isStory(story)) await player.begin(story, Number(query.get('at')))
    if (state.player) change({ player: { ...state.player, isPaused: false } })
    await showSameFrame()
    this.#isReady = true
    listenByFrame(() => this.#report())
    window.addEventListener('fork-step', () => this.#queue(() => this.#step()))
    window.addEventListener('fork-reconcile', () => this.#queue(readMissed))
    document.addEventListener('keydown', passOn)
    this.#report()
  }

  #queue(move: () => Promise<void>): void {
    this.#moving = this.#moving.then(move).catch(() => null)
  }

  async #step(): Promise<void> {
    await player.settle()
    const name = new URLSearchParams(location.search).get('choice')
    if (!isChoice(name) || state.player?.isTouched) return
    const { isDue, happen, isInstead } = CHOICES[name]
    const isNow = !this.#hasBegun && isDue()
    if (isNow) {
      this.#hasBegun = true
      await outside(t(textOf(name)), happen)
      // She tries to pay, and her bank says that the request has expired.
      if (name === 'late' && state.transaction?.leftSideLabel === 'CAD') change({ screen: 'bank' })
    }
    if (this.#hasBegun && isInstead) return
    await this.#follow()
    if (name === 'down') await this.#recoverOnce()
  }

  /** Takes the step of the story, if its button is there, or what comes next by hand. */
  async #follow(): Promise<void> {
    if (state.player?.isStuck) return
    if (state.player === null || player.isOver()) await goOn()
    else await player.forward()
    await idle()
  }

  /** Waits until the server has missed something. */
  async #recoverOnce(): Promise<void> {
    const rows = state.causes.flatMap((cause) => cause.rows)
    const last = rows.findLast(({ kind }) => kind === 'webhook')
    if (!this.#hasBegun || this.#hasRecovered || !last?.isBad) return
    this.#hasRecovered = true
    await player.sleep()
    await recover()
  }

  #report(): void {
    const { causes, isBusy } = state
    const { causes: _, ...wallet } = state.kept()
    const detail: Report = { isReady: this.#isReady, isBusy, wallet, causes }
    window.parent.dispatchEvent(new CustomEvent('fork-report', { detail }))
  }
}

export const forkPage = new ForkPage()

/** Shows the framed page of the identity check or the bank as it is on the left phone. */
async function showSameFrame(): Promise<void> {
  const find = (page: Document) => page.querySelector<HTMLIFrameElement>('.phone iframe')
  const from = find(window.parent.document)?.contentDocument
  const frame = find(document)
  const until = performance.now() + LOAD_MAX_MS
  while (frame && !frame.contentDocument?.body?.dataset.ready && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
  const to = frame?.contentDocument
  if (!from || !to) return
  to.body.replaceChildren(...[...from.body.childNodes].map((node) => to.importNode(node, true)))
  const { prefix: base = '' } = window.parent.document.body.dataset
  for (const form of to.querySelectorAll<HTMLElement>('[data-decide]')) {
    const { decide = '' } = form.dataset
    form.dataset.decide = decide.replace(`${base}/_sandbox/`, `${prefix}/_sandbox/`)
  }
}

/** Passes the presenter's keys to the page around this one, after a touch has moved the focus here. */
function passOn(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey } = event
  if (target instanceof Element && target.closest('input, select, textarea')) return
  const same = new KeyboardEvent('keydown', { key, ctrlKey, metaKey, altKey })
  window.parent.document.dispatchEvent(same)
}

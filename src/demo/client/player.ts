import { control } from './api.ts'
import { followUp, skipHistory } from './follow.ts'
import { idle } from './queue.ts'
import { session } from './session.ts'
import { change, drawn, type StoryName, state } from './store.ts'
import { ACTS, NAMED, STORIES } from './stories.ts'
import { isFork } from './view.ts'

/** Time to read the caption before a step, and to see the result after it. */
const LEAD_MS = 1_100
const LOOK_MS = 2_200
const PRESS_MS = 420
const TICK_MS = 40
/** Longest wait for a button; short in a fork, whose phone may have taken another way. */
const WAIT_MAX_MS = isFork ? 8_000 : 20_000
export const SPEEDS = [0.5, 1, 2, 4] as const

state.speed = Number(new URLSearchParams(location.search).get('speed') ?? 1) || 1

class Stopped extends Error {}

export const stepsOf = (story: StoryName) => STORIES[story][1]
const movesClock = ([does]: readonly string[]) => does === 'sim-1h'
const snapshotOf = (at: number) => `demo-step-${at}`

/** A phone that goes along with the story. */
interface Companion {
  step(): void
  end(): void
}

/** Plays a story by pressing the buttons of the page, as a person would. */
class Player {
  companion: Companion | null = null
  /** Grows when a story begins, which ends the one before. */
  #generation = 0
  /** Generation that the loop in `resume` plays. */
  #driven = -1
  /** State of the phone after each step; a snapshot of the same number has the world. */
  #pages: ReturnType<typeof state.kept>[] = []
  #moving: Promise<unknown> = Promise.resolve()
  #resetsToIgnore = 0
  #isSkipping = false

  async play(story: StoryName): Promise<void> {
    await this.begin(story)
    await this.resume()
  }

  /** Shows the caption of a step without taking it; by default that of the start. */
  begin(story: StoryName, at = 0): Promise<unknown> {
    this.stop()
    const still = { isPaused: true, isAtWork: false, isTouched: false, isStuck: false, since: 0 }
    return this.#move(async () => change({ player: { story, at, ...still } }))
  }

  pause(): void {
    this.#change({ isPaused: true })
  }

  /** Pauses the story when a person touches the phone; presses by the story are not trusted events. */
  takeOver({ isTrusted }: Event): void {
    const { player } = state
    if (!isTrusted || !player || player.isPaused || state.isPresenting) return
    this.#change({ isPaused: true, isTouched: true })
  }

  /** Pauses the story, because the world has changed since its last step. */
  leaveStory(): void {
    this.#change({ isPaused: true, isTouched: true })
  }

  /** Continues; after a touch, from the state that the last whole step left. */
  async resume(): Promise<void> {
    if (state.player?.isTouched) await this.#move(() => this.#restore(state.player?.at ?? 0))
    this.#change({ isPaused: false, isTouched: false })
    const own = this.#generation
    if (this.#driven === own) return
    this.#driven = own
    while (own === this.#generation && this.#isGoingOn()) {
      await this.forward()
      await this.sleep()
    }
    if (this.#driven === own) this.#driven = -1
  }

  /** Ends the story, and goes back to its beginning if it moved the clock. */
  stop(): void {
    this.#generation++
    this.companion?.end()
    const { player } = state
    if (player && stepsOf(player.story).slice(0, player.at).some(movesClock)) {
      void this.#move(() => this.#restore(0))
    }
    change({ player: null })
  }

  /** Takes one step, and keeps the world and the phone as it left them. */
  forward(): Promise<unknown> {
    this.#change({ isAtWork: true })
    return this.#move(() => this.#step())
  }

  back(): Promise<unknown> {
    this.companion?.end()
    return this.#move(() => this.#restore((state.player?.at ?? 0) - 1))
  }

  /** Takes steps without pauses until so many are done. */
  async goTo(at: number): Promise<void> {
    this.#isSkipping = true
    while (state.player && state.player.at < at && !this.isOver()) await this.forward()
    this.#isSkipping = false
  }

  /** Waits until the current move is done. */
  async settle(): Promise<void> {
    await this.#moving
    await idle()
  }

  /** Waits as long as the speed of the story says. */
  sleep(ms: number = LOOK_MS): Promise<unknown> {
    const waitMs = this.#isSkipping ? 0 : ms / state.speed
    return new Promise((resolve) => setTimeout(resolve, waitMs))
  }

  isOver(): boolean {
    const { player } = state
    if (!player) return false
    const { at, story, isAtWork, isStuck } = player
    return isStuck || (at === stepsOf(story).length && !isAtWork)
  }

  togglePresenter(story: StoryName): void {
    const isPresenting = !state.isPresenting
    change({ isPresenting })
    if (isPresenting) void this.begin(story)
  }

  /** Ignores the next `reset` of the world, which this page causes itself. */
  ignoreReset(): void {
    this.#resetsToIgnore++
  }

  takeReset(): boolean {
    if (this.#resetsToIgnore === 0) return false
    this.#resetsToIgnore--
    return true
  }

  #change(part: Partial<NonNullable<typeof state.player>>): void {
    if (state.player) change({ player: { ...state.player, ...part } })
  }

  #isGoingOn(): boolean {
    const { player } = state
    return player !== null && !player.isPaused && !this.isOver()
  }

  async #step(): Promise<void> {
    const { player } = state
    const step = player && stepsOf(player.story)[player.at]
    if (!player || !step) return
    const own = this.#generation
    const { at } = player
    const [does, caption] = step
    if (at === 0) await this.#keepStep(0)
    const since = state.causes.at(-1)?.id ?? 0
    this.#change({ at: at + 1, since })
    if (!player.isPaused && !isFork) await this.sleep(LEAD_MS)
    this.companion?.step()
    await this.#act(does, own)
    await idle()
    if (!state.player?.isTouched) await this.#keepStep(at + 1)
    await drawn()
    showNamed(NAMED[caption])
    // A framed page that has the focus would get the presenter's keys.
    if (state.isPresenting || isFork) document.querySelector('iframe')?.blur()
  }

  async #keepStep(at: number): Promise<void> {
    if (isFork) return
    await control('POST', '/snapshots', { name: snapshotOf(at) })
    this.#pages[at] = structuredClone(state.kept())
    this.#pages.length = at + 1
  }

  async #restore(at: number): Promise<void> {
    // A step that was interrupted has no snapshot; the step before has.
    const last = Math.min(at, this.#pages.length - 1)
    const page = this.#pages[last]
    if (!page) return
    this.ignoreReset()
    await control('POST', `/snapshots/${snapshotOf(last)}/restore`)
    change(page)
    const since = state.causes.at(-1)?.id ?? 0
    this.#change({ at: last, since, isTouched: false, isStuck: false })
    await skipHistory()
    await session.rewrite()
    await followUp()
  }

  /** Runs moves one after another, each after everything that the last one led to. */
  #move(step: () => Promise<void>): Promise<unknown> {
    this.#moving = this.#moving
      .then(idle)
      .then(step)
      .catch((error) => {
        if (!(error instanceof Stopped)) this.#change({ isStuck: true })
      })
      .then(() => this.#change({ isAtWork: false }))
    return this.#moving
  }

  async #act(does: string, own: number): Promise<void> {
    if (ACTS[does]) return ACTS[does]()
    const [, selector] = /^frame (.*)/.exec(does) ?? []
    const button = await this.#until(() => (selector ? findInFrame(selector) : find(does)), own)
    button.classList.add('pressed')
    button.scrollIntoView({ block: 'nearest' })
    await this.sleep(PRESS_MS)
    button.classList.remove('pressed')
    if (own !== this.#generation) throw new Stopped()
    button.click()
  }

  async #until(seek: () => HTMLElement | null, own: number): Promise<HTMLElement> {
    const deadline = performance.now() + WAIT_MAX_MS
    while (performance.now() < deadline) {
      if (own !== this.#generation) throw new Stopped()
      const seen = seek()
      if (seen) return seen
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    }
    throw new Error('The button of this step did not appear.')
  }
}

export const player = new Player()

/** Scrolls to the phone, and on the phone to what the caption names. */
function showNamed(selector: string | undefined): void {
  document.querySelector('section.phone')?.scrollIntoView({ block: 'nearest' })
  const named = selector && document.querySelector(`.phone ${selector}`)
  if (named) named.scrollIntoView({ block: 'nearest' })
}

const find = (step: string) =>
  document.querySelector<HTMLElement>(`[data-step="${step}"]:not(:disabled)`)

function findInFrame(selector: string) {
  const page = document.querySelector<HTMLIFrameElement>('.phone iframe')?.contentDocument
  // Until its script has run, a press would be lost.
  const isReady = page?.readyState === 'complete' && page.body.dataset.ready
  return isReady ? page.querySelector<HTMLElement>(selector) : null
}

/** Listens for the presenter's keys, except in fields. */
export function listenToKeys(keys: Readonly<Record<string, () => unknown>>): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const isTyping =
      target instanceof Element && target.closest('input, select, textarea, [contenteditable]')
    if (isTyping || ctrlKey || metaKey || altKey) return
    keys[key.toLowerCase()]?.()
    const isForward = ['ArrowRight', 'PageDown', ' '].includes(key)
    if (!state.isPresenting || !(isForward || ['ArrowLeft', 'PageUp'].includes(key))) return
    event.preventDefault()
    void (isForward ? player.forward() : player.back())
  })
}

import { idle } from './queue.ts'
import { change, newStory, type StoryName, state } from './store.ts'
import { ACTS, NAMED, STORIES } from './stories.ts'

/** Time to read the caption before a step, and to see the result after it. */
const LEAD_MS = 1_100
const LOOK_MS = 2_200
const PRESS_MS = 420
const TICK_MS = 40
/** Longest wait for a button. */
const WAIT_MAX_MS = 20_000

class Stopped extends Error {}

export const stepsOf = (story: StoryName) => STORIES[story][1]

/** Plays a story by pressing the buttons of the page, as a person would. */
class Player {
  /** Grows when a story begins, which ends the one before. */
  #generation = 0
  /** Generation that the loop in `resume` plays. */
  #driven = -1
  #moving: Promise<unknown> = Promise.resolve()

  async play(story: StoryName): Promise<void> {
    await this.begin(story)
    await this.resume()
  }

  /** Makes a story ready, without taking a step. */
  begin(story: StoryName): Promise<unknown> {
    this.#generation++
    change({ player: newStory(story) })
    return this.#moving
  }

  pause(): void {
    this.#change({ isPaused: true })
  }

  /** Pauses when a person touches the phone; presses by the story are not trusted events. */
  pauseForTouch({ isTrusted }: Event): void {
    if (isTrusted) this.pause()
  }

  async resume(): Promise<void> {
    this.#change({ isPaused: false })
    const own = this.#generation
    if (this.#driven === own) return
    this.#driven = own
    while (own === this.#generation && this.#isGoingOn()) {
      await this.forward()
      await sleep(LOOK_MS)
    }
    if (this.#driven === own) this.#driven = -1
  }

  /** Takes one step. */
  forward(): Promise<unknown> {
    const own = this.#generation
    this.#change({ isAtWork: true })
    return this.#move(async () => {
      if (own === this.#generation) await this.#step()
    })
  }

  isOver(): boolean {
    const { at, story, isAtWork, isStuck } = state.player
    return isStuck || (at === stepsOf(story).length && !isAtWork)
  }

  /** Steps are taken by keys while somebody presents. */
  togglePresenter(): void {
    change({ isPresenting: !state.isPresenting })
    this.pause()
  }

  #change(part: Partial<typeof state.player>): void {
    change({ player: { ...state.player, ...part } })
  }

  #isGoingOn(): boolean {
    return !state.player.isPaused && !this.isOver()
  }

  async #step(): Promise<void> {
    const { story, at, isPaused } = state.player
    const step = stepsOf(story)[at]
    if (!step) return
    const own = this.#generation
    const [does, caption] = step
    const since = state.causes.at(-1)?.id ?? 0
    this.#change({ at: at + 1, since })
    if (!isPaused) await sleep(LEAD_MS)
    await this.#act(does, own)
    await idle()
    showNamed(NAMED[caption])
    // A framed page that has the focus would get the presenter's keys.
    if (state.isPresenting) document.querySelector('iframe')?.blur()
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
    const seek = () => (selector ? findInFrame(selector) : find(does))
    const button = await this.#until(seek, own)
    button.classList.add('pressed')
    button.scrollIntoView({ block: 'nearest' })
    await sleep(PRESS_MS)
    button.classList.remove('pressed')
    // An event that came meanwhile may have disabled the button for a moment: that press would be lost.
    const pressed = await this.#until(seek, own)
    if (own !== this.#generation) throw new Stopped()
    pressed.click()
  }

  async #until(seek: () => HTMLElement | null, own: number): Promise<HTMLElement> {
    const deadline = performance.now() + WAIT_MAX_MS
    while (performance.now() < deadline) {
      if (own !== this.#generation) throw new Stopped()
      const seen = seek()
      if (seen) return seen
      await sleep(TICK_MS)
    }
    throw new Error('The button of this step did not appear.')
  }
}

export const player = new Player()

const sleep = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

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
    if (!state.isPresenting || !['ArrowRight', 'PageDown', ' '].includes(key)) return
    event.preventDefault()
    void player.forward()
  })
}

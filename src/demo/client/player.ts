import { control } from './api.ts'
import { followUp, skipHistory } from './follow.ts'
import { idle } from './queue.ts'
import { rewriteSession } from './session.ts'
import { change, type StoryName, state } from './store.ts'
import { ACTS, STORIES } from './stories.ts'

/** Time to read the caption before anything moves, and to see what followed. */
const LEAD_MS = 1_100
const LOOK_MS = 2_200
const PRESS_MS = 420
const TICK_MS = 40
const WAIT_MAX_MS = 20_000
export const SPEEDS = [0.5, 1, 2, 4] as const

const query = new URLSearchParams(location.search)
state.speed = Number(query.get('speed') ?? 1) || 1
/** Grows when a story begins, which ends the one before. */
let generation = 0
/** Generation that the loop in `resume` plays. */
let driven = -1
/** State of the phone after each step; a snapshot of the same number has the world. */
let pages: ReturnType<typeof state.kept>[] = []
let moving: Promise<unknown> = Promise.resolve()
let restoring = 0

class Stopped extends Error {}

export const stepsOf = (story: StoryName) => STORIES[story][1]

function changePlayer(part: Partial<NonNullable<typeof state.player>>) {
  if (state.player) change({ player: { ...state.player, ...part } })
}

/** Shows the first caption of a story. */
function begin(story: StoryName): Promise<unknown> {
  stop()
  const url = new URL(location.href)
  url.searchParams.set('story', story)
  history.replaceState(null, '', url)
  const still = { isPaused: true, isAtWork: false, isTouched: false, isStuck: false, since: 0 }
  return move(async () => change({ player: { story, at: 0, ...still } }))
}

/** Plays a story by pressing the buttons of the page, as a person would. */
export async function play(story: StoryName): Promise<void> {
  await begin(story)
  await resume()
}

export const pause = (): void => changePlayer({ isPaused: true })

/** Pauses the story when a person touches the phone; presses by the story are not trusted events. */
export function takeOver({ isTrusted }: Event): void {
  const { player } = state
  if (!isTrusted || !player || player.isPaused || state.isPresenting) return
  changePlayer({ isPaused: true, isTouched: true })
}

/** Continues; after a touch, from the state that the last whole step left. */
export async function resume(): Promise<void> {
  const { player } = state
  if (player?.isTouched) await move(() => restore(state.player?.at ?? 0))
  changePlayer({ isPaused: false, isTouched: false })
  const own = generation
  if (driven === own) return
  driven = own
  for (;;) {
    const { player } = state
    if (own !== generation || !player || player.isPaused || player.isStuck) break
    if (player.at === stepsOf(player.story).length) break
    await forward()
    await sleep(LOOK_MS)
  }
  if (driven === own) driven = -1
}

/** Ends the story, and goes back to its beginning if it moved the clock. */
export function stop(): void {
  generation++
  const { player } = state
  if (player && stepsOf(player.story).slice(0, player.at).some(movesClock)) {
    void move(() => restore(0))
  }
  change({ player: null })
}

const movesClock = ([does]: readonly string[]) => does === 'sim-1h'

/** Consumes the `reset` that a restore of our own sends; others reload the page. */
export function takeReset(): boolean {
  if (restoring === 0) return false
  restoring--
  return true
}

export function togglePresenter(story: StoryName): void {
  const isPresenting = !state.isPresenting
  change({ isPresenting })
  if (isPresenting) void begin(story)
}

const snapshotOf = (at: number) => `demo-step-${at}`

/** Takes one step, and keeps the world and the phone as it left them. */
export function forward(): Promise<unknown> {
  changePlayer({ isAtWork: true })
  return move(async () => {
    const { player } = state
    const step = player && stepsOf(player.story)[player.at]
    if (!player || !step) return
    const own = generation
    const { at } = player
    if (at === 0) pages = []
    if (at === 0) await keepStep(0)
    const since = state.causes.at(-1)?.id ?? 0
    changePlayer({ at: at + 1, since })
    if (!player.isPaused) await sleep(LEAD_MS)
    await act(step[0], own)
    await idle()
    if (!state.player?.isTouched) await keepStep(at + 1)
    document.querySelector('section.phone')?.scrollIntoView({ block: 'nearest' })
    // A framed page that has the focus would get the presenter's keys.
    if (state.isPresenting) document.querySelector('iframe')?.blur()
  })
}

async function keepStep(at: number) {
  await control('POST', '/snapshots', { name: snapshotOf(at) })
  pages[at] = structuredClone(state.kept())
}

export const back = () => move(() => restore((state.player?.at ?? 0) - 1))

async function restore(at: number) {
  // A step that was interrupted has no snapshot; the step before has.
  const page = pages[at] ?? pages[--at]
  if (!page) return
  restoring++
  await control('POST', `/snapshots/${snapshotOf(at)}/restore`)
  change(page)
  changePlayer({ at, since: state.causes.at(-1)?.id ?? 0, isTouched: false, isStuck: false })
  await skipHistory()
  await rewriteSession()
  await followUp()
}

/** Queues a move until the one before, and what it led to, are done. */
function move(step: () => Promise<void>): Promise<unknown> {
  moving = moving
    .then(idle)
    .then(step)
    .catch((error) => {
      if (!(error instanceof Stopped)) changePlayer({ isStuck: true })
    })
    .then(() => changePlayer({ isAtWork: false }))
  return moving
}

/** Listens for P, Q, Escape, the arrow keys and space, except in fields. */
export function listenToKeys(chosen: () => StoryName): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const isTyping = (target as Element).closest?.('input, select, textarea, [contenteditable]')
    if (isTyping || ctrlKey || metaKey || altKey) return
    if (key.toLowerCase() === 'q') change({ isSharing: !state.isSharing })
    if (key === 'Escape') change({ isSharing: false })
    if (key.toLowerCase() === 'p') togglePresenter(chosen())
    const isForward = ['ArrowRight', 'PageDown', ' '].includes(key)
    if (!state.isPresenting || !(isForward || ['ArrowLeft', 'PageUp'].includes(key))) return
    event.preventDefault()
    void (isForward ? forward() : back())
  })
}

async function act(does: string, own: number) {
  if (ACTS[does]) return ACTS[does]()
  const [, selector] = /^frame (.*)/.exec(does) ?? []
  const button = await until(() => (selector ? findInFrame(selector) : find(does)), own)
  button.classList.add('pressed')
  button.scrollIntoView({ block: 'nearest' })
  await sleep(PRESS_MS)
  button.classList.remove('pressed')
  if (own !== generation) throw new Stopped()
  button.click()
}

const find = (step: string) =>
  document.querySelector<HTMLElement>(`[data-step="${step}"]:not(:disabled)`)

function findInFrame(selector: string) {
  const page = document.querySelector('iframe')?.contentDocument
  // Until its script has run, a press would be lost.
  const isReady = page?.readyState === 'complete' && page.body.dataset.ready
  return isReady ? page.querySelector<HTMLElement>(selector) : null
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms / state.speed))

async function until(seek: () => HTMLElement | null, own: number): Promise<HTMLElement> {
  const deadline = performance.now() + WAIT_MAX_MS
  while (performance.now() < deadline) {
    if (own !== generation) throw new Stopped()
    const seen = seek()
    if (seen) return seen
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
  throw new Error('What the step presses did not come.')
}

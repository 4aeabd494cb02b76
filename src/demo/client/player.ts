import { idle } from './queue.ts'
import { change, state } from './store.ts'
import { STORIES, type StoryName, type StoryStep } from './stories.ts'

/** Time to begin to read the caption before anything moves, and to look at what followed. */
const LEAD_MS = 1_100
const LOOK_MS = 2_200
const PRESS_MS = 420
const TICK_MS = 40
const WAIT_MAX_MS = 20_000
export const SPEEDS = [0.5, 1, 2, 4] as const

const query = new URLSearchParams(location.search)
/** `pace` was the factor of all pauses before there was a speed. */
state.speed = Number(query.get('speed') ?? 1 / Number(query.get('pace') ?? 1)) || 1
/** Ends the play before it when another one begins. */
let generation = 0
let isStepping = false

class Stopped extends Error {}

export const pause = (): void => changePlayer({ isPaused: true })
export const resume = (): void => changePlayer({ isPaused: false })
/** Plays one step and pauses again. */
export function stepOnce(): void {
  pause()
  isStepping = true
}

export function stop(): void {
  generation++
  change({ player: null })
}

function changePlayer(part: object) {
  if (state.player) change({ player: { ...state.player, ...part } })
}

/** Plays a story by pressing the buttons of the page, as a person would. */
export async function play(story: StoryName): Promise<void> {
  const own = ++generation
  const { steps } = STORIES[story]
  const still = { isPaused: false, isHeld: false, isOver: false, since: 0 }
  showStory(story)
  change({ player: { story, at: 0, count: steps.length, caption: '', ...still } })
  try {
    await idle()
    for (const [index, step] of steps.entries()) {
      changePlayer({ at: index + 1, caption: step.caption })
      await hold(LEAD_MS, own)
      await act(step, own)
      await idle()
      document.querySelector('section.phone')?.scrollIntoView({ block: 'nearest' })
      await look(own)
    }
    changePlayer({ isOver: true, isHeld: true })
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  }
}

/** The story in the address, so that it can be sent to somebody. */
function showStory(story: StoryName) {
  const url = new URL(location.href)
  url.searchParams.set('story', story)
  history.replaceState(null, '', url)
}

/** A story whose steps are taken one by one, by whoever presents. */
export function begin(story: StoryName): void {
  generation++
  showStory(story)
  const { steps, title } = STORIES[story]
  const still = { isPaused: true, isHeld: true, isOver: false, since: 0 }
  change({ player: { story, at: 0, count: steps.length, caption: title, ...still } })
}

export const isCurrent = (): number => generation

export async function act({ press, frame, run }: StoryStep, own: number) {
  if (run) return run()
  if (press === undefined && frame === undefined) return
  const button = await until(() => (frame ? findInFrame(frame) : find(document, press ?? '')), own)
  button.classList.add('pressed')
  button.scrollIntoView({ block: 'nearest' })
  await sleep(PRESS_MS)
  button.classList.remove('pressed')
  if (own !== generation) throw new Stopped()
  button.click()
}

const find = (page: Document, step: string) =>
  page.querySelector<HTMLElement>(`[data-step="${step}"]:not(:disabled)`)

function findInFrame(selector: string) {
  const page = document.querySelector('iframe')?.contentDocument
  // Its script must have run, or the press is lost.
  const isReady = page?.readyState === 'complete' && page.body.dataset.ready
  return isReady ? page.querySelector<HTMLElement>(selector) : null
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms / state.speed))

/** A pause holds it, and a step ends it. */
async function look(own: number) {
  isStepping = false
  await hold(LOOK_MS, own)
  if (!state.player?.isPaused) return
  changePlayer({ isHeld: true })
  while (state.player?.isPaused && !isStepping) await hold(TICK_MS, own)
  changePlayer({ isHeld: false })
}

async function hold(ms: number, own: number) {
  for (let left = ms; left > 0 && !isStepping; left -= TICK_MS * state.speed) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    if (own !== generation) throw new Stopped()
  }
}

async function until(seek: () => HTMLElement | null, own: number): Promise<HTMLElement> {
  const deadline = performance.now() + WAIT_MAX_MS
  for (;;) {
    if (own !== generation) throw new Stopped()
    const seen = seek()
    if (seen) return seen
    if (performance.now() > deadline) {
      changePlayer({ caption: STUCK, isPaused: true, isOver: true })
      throw new Stopped()
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
}

const STUCK = 'The story waited for something that did not happen, and stopped here.'

import { control } from './api.ts'
import { skipHistory } from './follow.ts'
import { act, begin, isCurrent } from './player.ts'
import { idle } from './queue.ts'
import { rewriteSession } from './session.ts'
import { change, state } from './store.ts'
import { STORIES, type StoryName } from './stories.ts'

/** What the phone showed before a step; the world of then is a snapshot of the same number. */
type Page = ReturnType<typeof state.kept>
let pages: Page[] = []
let moving: Promise<unknown> = Promise.resolve()
let restoring = 0

/** A restored world says `reset`, which is no reason to load the page again. */
export function takeReset(): boolean {
  if (restoring === 0) return false
  restoring--
  return true
}

/** Begins to present the chosen story, or ends. */
export function togglePresenter(story: StoryName): void {
  const isPresenting = !state.isPresenting
  change({ isPresenting })
  pages = []
  if (isPresenting) begin(story)
}

const snapshotOf = (at: number) => `demo-step-${at}`

/** One step of the story forward; each begins from a snapshot. */
const forward = () =>
  move(async () => {
    const { player } = state
    const step = player && STORIES[player.story as StoryName].steps[player.at]
    if (!player || !step) return
    const { at } = player
    await control('POST', '/snapshots', { name: snapshotOf(at) })
    pages[at] = structuredClone(state.kept())
    const since = state.causes.at(-1)?.id ?? 0
    change({ player: { ...player, at: at + 1, caption: step.caption, since } })
    await act(step, isCurrent())
    await idle()
  })

/** Back to where the step before began. */
const back = () =>
  move(async () => {
    const { player } = state
    const page = player && pages[player.at - 1]
    if (!player || !page) return
    const at = player.at - 1
    restoring++
    await control('POST', `/snapshots/${snapshotOf(at)}/restore`)
    const { causes } = page as Pick<typeof state, 'causes'>
    const caption = STORIES[player.story as StoryName].steps[at - 1]?.caption ?? ''
    change({ ...page, player: { ...player, at, caption, since: causes.at(-1)?.id ?? 0 } })
    await skipHistory()
    await rewriteSession()
  })

/** One key after the other: a second one waits for what the first led to. */
function move(step: () => Promise<void>): Promise<unknown> {
  moving = moving
    .then(idle)
    .then(step)
    .catch(() => undefined)
  return moving
}

/** P presents, the arrow keys and space step; nothing is taken from a field or a button. */
export function listenToKeys(chosen: () => StoryName): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const isTyping = (target as Element).closest?.('input, select, textarea, [contenteditable]')
    if (isTyping || ctrlKey || metaKey || altKey) return
    if (key === 'p' || key === 'P') togglePresenter(chosen())
    if (!state.isPresenting) return
    const steps = {
      ArrowRight: forward,
      PageDown: forward,
      ' ': forward,
      ArrowLeft: back,
      PageUp: back,
    }
    const run = steps[key as keyof typeof steps]
    if (run === undefined) return
    event.preventDefault()
    void run()
  })
}

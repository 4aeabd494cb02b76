import { Icon, type IconName } from './icons.tsx'
import { Button } from './parts.tsx'
import { stepsOf, player as stories } from './player.ts'
import { enqueue } from './queue.ts'
import { change, type StoryName, state } from './store.ts'
import { STORIES, startNew } from './stories.ts'

let chosen: StoryName = 'buy'
export const chosenStory = (): StoryName => state.player?.story ?? chosen

export const Controls = () => (
  <div class="controls">
    <button type="button" class="button" onClick={() => change({ isSharing: true })}>
      On a phone
    </button>
    <label class="pick">
      <span>Story</span>
      <select
        aria-label="Story"
        value={chosenStory()}
        onChange={(event: Event) => choose((event.target as HTMLSelectElement).value as StoryName)}
      >
        {Object.entries(STORIES).map(([name, [title]]) => (
          <option key={name} value={name} selected={name === chosenStory()}>
            {title}
          </option>
        ))}
      </select>
    </label>
    {state.player ? <Playing /> : <Idle />}
  </div>
)

function choose(story: StoryName) {
  chosen = story
  if (state.player) void stories.play(story)
  else change({})
}

const Idle = () => (
  <>
    <button type="button" class="button" onClick={() => stories.togglePresenter(chosen)}>
      Present
    </button>
    <Button step="new" act={() => enqueue({ kind: 'tap', title: 'A new customer', run: startNew })}>
      Start over
    </Button>
    <button
      type="button"
      class="button primary"
      id="play"
      onClick={() => void stories.play(chosen)}
    >
      Play it all
    </button>
  </>
)

const Playing = () => {
  const isOver = stories.isOver()
  const controls: [string, IconName, act: () => unknown][] = [
    state.player?.isPaused
      ? ['Resume', 'play', () => stories.resume()]
      : ['Pause', 'pause', () => stories.pause()],
    ['Step', 'step', stepOnce],
    ['Restart', 'restart', () => stories.play(chosenStory())],
  ]
  return (
    <>
      {controls.map(([label, icon, act]) => (
        <button
          key={icon}
          type="button"
          class={`button control to-${icon}`}
          aria-label={label}
          title={label}
          disabled={isOver && icon !== 'restart'}
          onClick={() => void act()}
        >
          <Icon name={icon} size={16} />
        </button>
      ))}
      <button type="button" class="button" onClick={() => stories.stop()}>
        {isOver ? 'Close' : 'Stop'}
      </button>
    </>
  )
}

/** Plays one step and pauses again. */
function stepOnce() {
  stories.pause()
  return stories.forward()
}

export const Caption = () => {
  const { player } = state
  if (!player) return null
  const { at, story, isStuck, isPaused, isAtWork } = player
  const count = stepsOf(story).length
  const [, caption] = stepsOf(story)[at - 1] ?? ['', STORIES[story][0]]
  const isHeld = !isAtWork && (isPaused || stories.isOver())
  return (
    <section class="caption" aria-label="Story" data-at={at} data-held={isHeld ? '' : undefined}>
      <p role="status">{isStuck ? STUCK : caption}</p>
      <span class="quiet">{`${at} of ${count}`}</span>
      <progress value={at} max={count} aria-label="Progress of the story" />
    </section>
  )
}

const STUCK = 'The story waited for something that did not happen, and stopped here.'

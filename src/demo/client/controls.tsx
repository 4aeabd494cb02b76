import { Icon, type IconName } from './icons.tsx'
import { Button } from './parts.tsx'
import { SPEEDS, stepsOf, player as stories } from './player.ts'
import { enqueue } from './queue.ts'
import { split } from './split.ts'
import { change, type StoryName, state } from './store.ts'
import { STORIES, startNew } from './stories.ts'
import { t, type WordKey } from './words.ts'

let chosen: StoryName = 'buy'
export const chosenStory = (): StoryName => state.player?.story ?? chosen

interface PickProps {
  label: WordKey
  value: string
  options: readonly (readonly [value: string, text: string])[]
  act: (value: string) => void
}

export const Pick = ({ label, value, options, act }: PickProps) => (
  <label class="pick">
    <span>{t(label)}</span>
    <select
      aria-label={t(label)}
      value={value}
      onChange={(event: Event) => act((event.target as HTMLSelectElement).value)}
    >
      {options.map(([name, text]) => (
        <option key={name} value={name} selected={name === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

export const Controls = () => {
  const { player, speed } = state
  const speeds = [...new Set([...SPEEDS, speed])]
  return (
    <div class="controls">
      <Pick
        label="Story"
        value={chosenStory()}
        options={Object.entries(STORIES).map(([name, [title]]) => [name, t(title)])}
        act={(name) => {
          chosen = name as StoryName
          if (player) void stories.play(chosen)
          else change({})
        }}
      />
      <Pick
        label="Speed"
        value={String(speed)}
        options={speeds.map((one) => [String(one), `${one}×`])}
        act={(value) => change({ speed: Number(value) })}
      />
      <AskWhatIf />
      {player ? <Playing /> : <Idle />}
    </div>
  )
}

const AskWhatIf = () => (
  <button
    type="button"
    class="button ask"
    disabled={state.isGone}
    onClick={() => change({ isAsking: true })}
  >
    {t('What if …?')}
  </button>
)

const Idle = () => (
  <>
    <button type="button" class="button" onClick={() => stories.togglePresenter(chosen)}>
      {t('Present')}
    </button>
    <Button step="new" act={startOver}>
      {t('Start over')}
    </Button>
    <button
      type="button"
      class="button primary"
      id="play"
      onClick={() => void stories.play(chosen)}
    >
      {t('Play it all')}
    </button>
  </>
)

function startOver() {
  split.end()
  return enqueue({ kind: 'tap', title: t('A new customer'), run: startNew })
}

const Playing = () => {
  const { isPaused = false, isTouched = false, at = 0 } = state.player ?? {}
  const isOver = stories.isOver()
  const controls: [WordKey, IconName, act: () => unknown][] = [
    isPaused
      ? [isTouched ? 'Go on' : 'Resume', 'play', () => stories.resume()]
      : ['Pause', 'pause', () => stories.pause()],
    ['Step back', 'back', stepBack],
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
          aria-label={t(label)}
          title={t(label)}
          disabled={icon === 'back' ? at === 0 : isOver && icon !== 'restart'}
          onClick={() => void act()}
        >
          <Icon name={icon} size={16} />
        </button>
      ))}
      <button type="button" class="button" onClick={() => stories.stop()}>
        {t(isOver ? 'Close' : 'Stop')}
      </button>
    </>
  )
}

function stepBack() {
  stories.pause()
  return stories.back()
}

/** Plays one step and pauses again. */
function stepOnce() {
  stories.pause()
  return stories.forward()
}

export const Caption = () => {
  const { player } = state
  if (!player) return null
  const { at, story, isStuck, isTouched, isPaused, isAtWork } = player
  const count = stepsOf(story).length
  const [, step] = stepsOf(story)[at - 1] ?? ['', STORIES[story][0]]
  const caption = isTouched ? TOUCHED : step
  const isHeld = !isAtWork && (isPaused || stories.isOver())
  return (
    <section
      class="caption"
      aria-label={t('Story')}
      data-at={at}
      data-held={isHeld ? '' : undefined}
    >
      <p role="status">{t(isStuck ? STUCK : caption)}</p>
      <span class="quiet">{t('{at} of {count}', { at, count })}</span>
      {state.isPresenting && <AskWhatIf />}
      <progress value={at} max={count} aria-label={t('Progress of the story')} />
    </section>
  )
}

const TOUCHED = 'You have taken over. “Go on” continues the story where you left it.'
const STUCK = 'The story waited for something that did not happen, and stopped here.'

import { Icon, type IconName } from './icons.tsx'
import { Button } from './parts.tsx'
import { pause, play, resume, SPEEDS, stepOnce, stop } from './player.ts'
import { togglePresenter } from './presenter.ts'
import { enqueue } from './queue.ts'
import { change, state } from './store.ts'
import { STORIES, type StoryName, startNew } from './stories.ts'

interface ControlProps {
  label: string
  icon: IconName
  act: () => void
  disabled?: boolean
}

const Control = ({ label, icon, act, disabled }: ControlProps) => (
  <button
    type="button"
    class="button control"
    aria-label={label}
    title={label}
    disabled={disabled}
    onClick={act}
  >
    <Icon name={icon} size={16} />
  </button>
)

let chosen: StoryName = 'buy'
export const chosenStory = (): StoryName => chosen

/** Which story plays, how fast, and how far it is. */
export const Controls = () => {
  const { player, speed } = state
  const story = (player?.story as StoryName | undefined) ?? chosen
  return (
    <div class="controls">
      <label class="pick">
        <span>Story</span>
        <select
          aria-label="Story"
          value={story}
          onChange={(event: Event) => {
            chosen = (event.target as HTMLSelectElement).value as StoryName
            if (player) void play(chosen)
            else change({})
          }}
        >
          {Object.entries(STORIES).map(([name, { title }]) => (
            <option key={name} value={name} selected={name === story}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label class="pick">
        <span>Speed</span>
        <select
          aria-label="Speed"
          value={String(speed)}
          onChange={(event: Event) =>
            change({ speed: Number((event.target as HTMLSelectElement).value) })
          }
        >
          {[...new Set([...SPEEDS, speed])].map((one) => (
            <option key={one} value={String(one)} selected={one === speed}>
              {`${one}×`}
            </option>
          ))}
        </select>
      </label>
      {player ? <Playing story={story} /> : <Idle />}
    </div>
  )
}

const Idle = () => (
  <>
    <button type="button" class="button" onClick={() => togglePresenter(chosen)}>
      Present
    </button>
    <Button step="new" act={() => enqueue({ kind: 'tap', title: 'A new user', run: startNew })}>
      Start over
    </Button>
    <button type="button" class="button primary" id="play" onClick={() => void play(chosen)}>
      Play it all
    </button>
  </>
)

const Playing = ({ story }: { story: StoryName }) => {
  const { isPaused = false, isOver = false } = state.player ?? {}
  return (
    <>
      {isPaused ? (
        <Control label="Resume" icon="play" act={resume} disabled={isOver} />
      ) : (
        <Control label="Pause" icon="pause" act={pause} disabled={isOver} />
      )}
      <Control label="Step" icon="step" act={stepOnce} disabled={isOver} />
      <Control label="Restart" icon="restart" act={() => void play(story)} />
      <button type="button" class="button" onClick={stop}>
        {isOver ? 'Close' : 'Stop'}
      </button>
    </>
  )
}

/** What happens, in a sentence, over a bar that shows how far the story is. */
export const Caption = () => {
  const { player } = state
  if (!player) return null
  const { at, count, caption, isHeld } = player
  return (
    <section class="caption" aria-label="Story" data-at={at} data-held={isHeld ? '' : undefined}>
      <p role="status">{caption}</p>
      <span class="quiet">{`${at} of ${count}`}</span>
      <progress value={at} max={count} aria-label="Progress of the story" />
    </section>
  )
}

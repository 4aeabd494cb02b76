import { copyText } from '../lib/copy.ts'
import { Icon, type IconName } from './icons.tsx'
import { Button } from './parts.tsx'
import { player, stepsOf } from './player.ts'
import { enqueue } from './queue.ts'
import { change, type StoryName, state } from './store.ts'
import { STORIES, startNew } from './stories.ts'

/** Chooses the story that is ready to play. */
export const StoryPick = () => (
  <label class="pick">
    <span>Story</span>
    <select
      aria-label="Story"
      value={state.player.story}
      onChange={({ currentTarget }) => void player.begin(currentTarget.value as StoryName)}
    >
      {Object.entries(STORIES).map(([name, [title]]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  </label>
)

/** Caption that an audience reads while a story plays, and the buttons that play it. */
export const Caption = () => {
  const { at, story, isStuck, isPaused, isAtWork } = state.player
  const count = stepsOf(story).length
  const [, caption] = stepsOf(story)[at - 1] ?? ['', STORIES[story][0]]
  const isHeld = !isAtWork && (isPaused || player.isOver())
  return (
    <section class="caption" aria-label="Player" data-at={at} data-held={isHeld ? '' : undefined}>
      <p role="status">{isStuck ? STUCK : caption}</p>
      <div class="controls">
        <span class="quiet">{at === 0 ? `${count} steps` : `${at} of ${count}`}</span>
        <Controls />
        {state.isPresenting && (
          <Control text="Stop presenting" icon="cross" act={() => player.togglePresenter()} />
        )}
      </div>
      <progress value={at} max={count} aria-label="Progress of the story" />
    </section>
  )
}

const STUCK = 'The story waited for something that did not happen, and stopped here.'

const Controls = () => {
  const { story, at, isPaused } = state.player
  const restart = () => player.play(story)
  if (at === 0 && isPaused) return <Control text="Play" icon="play" act={restart} isMain />
  if (player.isOver()) return <Control text="Play again" icon="restart" act={restart} isMain />
  return (
    <>
      {isPaused ? (
        <Control text="Resume" icon="play" act={() => player.resume()} isMain />
      ) : (
        <Control text="Pause" icon="pause" act={() => player.pause()} />
      )}
      <Control text="Step" icon="step" act={stepOnce} />
      <Control text="Restart" icon="restart" act={restart} />
    </>
  )
}

interface ControlProps {
  text: string
  icon: IconName
  act: () => unknown
  /** The button that a viewer should press next, which has a text, too. */
  isMain?: boolean
}

const Control = ({ text, icon, act, isMain = false }: ControlProps) => (
  <button
    type="button"
    class={`button ${isMain ? 'primary' : 'control'}`}
    aria-label={text}
    title={isMain ? undefined : text}
    onClick={() => void act()}
  >
    <Icon name={icon} size={16} />
    {isMain && text}
  </button>
)

/** Plays one step and pauses again. */
function stepOnce() {
  player.pause()
  return player.forward()
}

/** Menu with everything that a first look at the demo does not need. */
export const More = () => (
  <>
    <button type="button" class="button" popovertarget="more">
      More
    </button>
    <div id="more" class="more" popover="auto">
      <div class="row">
        <button type="button" class="button" onClick={choose(() => player.togglePresenter())}>
          Present <kbd>P</kbd>
        </button>
        <button type="button" class="button" onClick={choose(() => change({ isSharing: true }))}>
          On a phone <kbd>Q</kbd>
        </button>
        <Button step="new" act={choose(startOver)}>
          Start over
        </Button>
      </div>
      <AppForm />
      <p class="quiet">
        The demo runs in a private copy of the world you opened it in. Its API, for your app:
      </p>
      <p class="copied">
        <input readonly value={state.world.baseUrl} aria-label="Base URL of the world" />
        <button type="button" class="button" onClick={() => void copyText(state.world.baseUrl)}>
          Copy
        </button>
      </p>
    </div>
  </>
)

const startOver = () => void enqueue({ kind: 'tap', title: 'A new customer', run: startNew })

/** Closes the menu, then does what was chosen. */
const choose = (act: () => void) => () => {
  document.getElementById('more')?.hidePopover()
  act()
}

/** Offers the developer's own receiver the webhooks that the wallet's server gets. */
const AppForm = () => {
  const { url, isOn } = state.app
  return (
    <div class="stack">
      <label>
        <input
          type="checkbox"
          checked={isOn}
          disabled={url === ''}
          onChange={({ currentTarget }) => setApp({ isOn: currentTarget.checked })}
        />{' '}
        Also send to my app
      </label>
      <input
        type="url"
        value={url}
        placeholder="http://localhost:3000/hooks"
        aria-label="Webhook URL of my app"
        onInput={({ currentTarget }) => setApp({ url: currentTarget.value.trim() })}
      />
    </div>
  )
}

const setApp = (part: Partial<typeof state.app>) => change({ app: { ...state.app, ...part } })

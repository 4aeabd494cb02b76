import { Act } from '../lib/form.tsx'
import { formatInstant, formatNumber, isLocal, toggleLocal } from '../lib/format.ts'
import { isPaused, missed, togglePause } from '../lib/live.ts'
import { now } from '../lib/now.ts'
import { world } from '../lib/page.ts'
import { Badge, Countdown, Menu } from '../lib/parts.tsx'
import { info, tasks } from './info.ts'
import { whenOpened } from './when-opened.ts'
import { describeTask } from './words.tsx'

const ADVANCE = '/clock/advance'
const Scheduled = whenOpened('Scheduled')
const Worlds = whenOpened('Worlds')

/** Names the world, and shows and moves its clock. */
export const ClockBar = () => {
  const { mode = 'running', taskCount = 0 } = info.value ?? {}
  const [next] = tasks.value
  const [turn, turned] = mode === 'frozen' ? ['Resume', 'resumed'] : ['Freeze', 'frozen']
  return (
    <header class="clock-bar" id="clock">
      <WorldMenu />
      <Now mode={mode} />
      <fieldset class="row controls" aria-label="Move the clock">
        {[1, 24].map((hours) => (
          <Act
            key={hours}
            call={ADVANCE}
            body={{ by: `${hours}h` }}
            done={`Clock advanced by ${hours} h`}
          >
            {`+${hours} h`}
          </Act>
        ))}
        <Act
          call={ADVANCE}
          body={{ toNext: true }}
          done="Moved to the next task"
          disabled={next === undefined}
          title={
            next
              ? `${describeTask(next)} ${formatInstant(Date.parse(next.at))}`
              : 'Nothing is scheduled'
          }
        >
          To next task
        </Act>
        <Act call={`/clock/${turn.toLowerCase()}`} done={`Clock ${turned}`}>
          {turn}
        </Act>
      </fieldset>
      <Menu
        id="scheduled"
        class="scheduled"
        summary={
          next ? (
            <>
              {`${formatNumber(taskCount)} scheduled, `}
              <Countdown at={next.at} />
            </>
          ) : (
            'Nothing scheduled'
          )
        }
      >
        <Scheduled />
      </Menu>
      <Live />
    </header>
  )
}

const Now = ({ mode }: { mode: string }) => (
  <div class="now">
    <time id="now" dateTime={new Date(now.value).toISOString()}>
      {formatInstant(now.value)}
    </time>
    <button
      type="button"
      class="zone"
      aria-pressed={isLocal.value}
      title="Show local times instead of UTC"
      onClick={toggleLocal}
    >
      {isLocal.value ? 'local' : 'UTC'}
    </button>
    <span class={`mode badge ${mode === 'running' ? 'good' : 'busy'}`}>{mode}</span>
  </div>
)

/** Pauses the page, and says whether a `listen` command forwards webhooks. */
const Live = () => {
  const { listeners = 0 } = info.value?.counts ?? {}
  return (
    <div class="row live">
      {listeners > 0 && <Badge status="listen connected" tone="good" />}
      <button
        type="button"
        class="button small"
        aria-pressed={isPaused.value}
        title="Pause updates to this page"
        onClick={togglePause}
      >
        {isPaused.value ? `Resume updates${missed.value > 0 ? ` (${missed.value})` : ''}` : 'Pause'}
      </button>
    </div>
  )
}

/** Names this world; opened, it lists the others, and opens or ends one. */
const WorldMenu = () => (
  <Menu
    id="worlds"
    class="worlds"
    label={`World: ${world.name}, all worlds`}
    summary={
      <>
        <span class="quiet">World:</span> <span class="name">{world.name}</span>
      </>
    }
  >
    <Worlds />
  </Menu>
)

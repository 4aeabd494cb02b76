import type { DueTask, Wire } from '../../control-api/wire.ts'
import { Act, CallForm, Field, Form } from '../lib/form.tsx'
import {
  formatDistance,
  formatInstant,
  formatNumber,
  isLocal,
  plural,
  toggleLocal,
} from '../lib/format.ts'
import { isPaused, missed, togglePause, useRead } from '../lib/live.ts'
import { now } from '../lib/now.ts'
import { prefixOf, world } from '../lib/page.ts'
import { Badge, Countdown, Menu, Time } from '../lib/parts.tsx'
import { page, query, urlOf } from '../lib/router.ts'
import { clock, info } from './info.ts'

const TASKS_SHOWN = 12
const ADVANCE = '/_sandbox/clock/advance'

/** Names the world, and shows and moves its clock. */
export const ClockBar = () => {
  const { mode = 'running', tasks = [], taskCount = 0 } = clock.value ?? {}
  const [next] = tasks
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
        <Act call={`/_sandbox/clock/${turn.toLowerCase()}`} done={`Clock ${turned}`}>
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
        <TaskList />
        <CallForm call={ADVANCE} done="Clock advanced" submit="Advance">
          <Field isBare name="by" label="Advance by" value="10m" required />
        </CallForm>
        <p class="hint">Advance by 90s, 10m, 1h, 2d or PT1H.</p>
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
        title="Pause updates of this page"
        onClick={togglePause}
      >
        {isPaused.value ? `Resume updates${missed.value > 0 ? ` (${missed.value})` : ''}` : 'Pause'}
      </button>
    </div>
  )
}

type WorldRow = Wire['worlds.list']['response']['items'][number]

const WORLDS_SHOWN = 100

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

const Worlds = () => {
  const { items = [] } = useRead<'worlds.list'>('/worlds').data ?? {}
  const left = items.length - WORLDS_SHOWN
  const open = async ({ name }: Record<string, unknown>) => {
    location.assign(`${prefixOf(encodeURIComponent(String(name)))}/_sandbox/`)
    return []
  }
  return (
    <>
      <ul class="stack" id="worlds-listed">
        {items.slice(0, WORLDS_SHOWN).map((row) => (
          <WorldLink key={row.name} {...row} />
        ))}
        {left > 0 && <li class="quiet">{`and ${left} more`}</li>}
      </ul>
      <Form submit="Open" onSend={open}>
        <Field isBare name="name" required placeholder="worker-1" label="Name of a world" />
      </Form>
      <p class="hint">
        A world is created the first time you use <code>/w/name</code> after the base URL.
      </p>
      <a href={urlOf('world')}>Clock and world</a>
    </>
  )
}

const WorldLink = ({ name, now: at, mode, fixture, calledAt }: WorldRow) => {
  const base = prefixOf(name)
  // Without the chosen row, which exists only here.
  const path = urlOf(page.value, query.value).slice(world.prefix.length)
  const called = calledAt
    ? `called ${formatDistance(Date.parse(calledAt), Date.now())}`
    : 'no calls'
  return (
    <li>
      {/* Another world is another page, so the link is followed by the browser. */}
      <a
        href={base + path}
        target="_self"
        aria-current={base === world.prefix ? 'true' : undefined}
      >
        {name}
      </a>
      <p class="quiet">{`${formatInstant(Date.parse(at))} ${mode} · ${fixture} · ${called}`}</p>
      {name !== 'default' && name !== world.name && (
        <Act call={`DELETE /_sandbox/worlds/${name}`} sure="End it?" done={`World ${name} ended`}>
          End
        </Act>
      )}
    </li>
  )
}

export const TaskList = () => {
  const { tasks = [], taskCount = 0 } = clock.value ?? {}
  if (taskCount === 0) return <p class="hint">Nothing scheduled.</p>
  const left = taskCount - TASKS_SHOWN
  return (
    <ol class="tasks">
      {tasks.slice(0, TASKS_SHOWN).map((task) => (
        <li key={`${task.ref}${task.at}`}>
          <Time at={task.at} short />
          <a
            href={urlOf(
              `${task.kind === 'change-kyc-status' ? 'users' : 'transactions'}/${task.ref}`,
            )}
          >
            {describeTask(task)}
          </a>
          <span class="quiet">
            <Countdown at={task.at} />
          </span>
        </li>
      ))}
      {left > 0 && <li class="quiet">and {plural(left, 'more task')}</li>}
    </ol>
  )
}

/** `Expire transaction` */
const describeTask = ({ kind }: DueTask): string =>
  kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ').replace('kyc', 'KYC')

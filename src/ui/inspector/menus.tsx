import type { Wire } from '../../control-api/wire.ts'
import { Act, CallForm, Field, Form } from '../lib/form.tsx'
import { formatDistance, formatInstant, plural } from '../lib/format.ts'
import { useRead } from '../lib/live.ts'
import { prefixOf, world } from '../lib/page.ts'
import { Countdown, Time } from '../lib/parts.tsx'
import { page, query, urlOf } from '../lib/router.ts'
import { info, tasks } from './info.ts'
import { describeTask } from './words.tsx'

type WorldRow = Wire['worlds.list']['response']['items'][number]

const WORLDS_SHOWN = 100

/** The worlds of this sandbox, with a form that opens another one. */
export const Worlds = () => {
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
        <Act call={`DELETE /worlds/${name}`} sure="End it?" done={`World ${name} ended`}>
          End
        </Act>
      )}
    </li>
  )
}

const TASKS_SHOWN = 12

/** What is scheduled, with a form that moves the clock. */
export const Scheduled = () => (
  <>
    <TaskList />
    <CallForm call="/clock/advance" done="Clock advanced" submit="Advance">
      <Field isBare name="by" label="Advance by" value="10m" required />
    </CallForm>
    <p class="hint">Advance by 90s, 10m, 1h, 2d or PT1H.</p>
  </>
)

export const TaskList = () => {
  const { taskCount = 0 } = info.value ?? {}
  if (taskCount === 0) return <p class="hint">Nothing scheduled.</p>
  const left = taskCount - TASKS_SHOWN
  return (
    <ol class="tasks">
      {tasks.value.slice(0, TASKS_SHOWN).map((task) => (
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

import { CallForm, Field } from '../lib/form.tsx'
import { plural } from '../lib/format.ts'
import { Countdown, Time } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import { clock } from './info.ts'
import { describeTask } from './words.tsx'

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

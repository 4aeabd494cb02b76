import type { Task, TaskKind } from '../world/state.ts'
import { formatInstant, plural } from './format.ts'
import { Act, CallForm, Submit } from './forms.tsx'
import { Countdown, Time } from './parts.tsx'
import type { View } from './view.ts'

const TASKS_SHOWN = 12

/** World time, with buttons that move it. */
export const ClockBar = ({ view }: { view: View }) => {
  const { now, mode, tasks } = view.world
  const frozen = mode === 'frozen'
  const next = tasks.next()
  return (
    <header class="clock-bar" id="clock" data-now={now} data-mode={mode}>
      <div class="now">
        <time id="now" datetime={new Date(now).toISOString()}>
          {formatInstant(now)}
        </time>
        <span class="zone">UTC</span>
        <span class={`mode ${mode}`}>{mode}</span>
      </div>
      <fieldset class="levers" aria-label="Move the clock">
        <Advance by="1h" label="+1 h" />
        <Advance by="24h" label="+24 h" />
        <Act
          path="/_sandbox/clock/advance"
          body={{ toNext: true }}
          done="Moved to the next task"
          disabled={next === undefined}
          title={next ? `${KINDS[next.kind]} ${formatInstant(next.at)}` : 'Nothing is scheduled'}
        >
          To next task
        </Act>
        <Act
          path={`/_sandbox/clock/${frozen ? 'resume' : 'freeze'}`}
          done={frozen ? 'Clock resumed' : 'Clock frozen'}
        >
          {frozen ? 'Resume' : 'Freeze'}
        </Act>
      </fieldset>
      <Scheduled view={view} />
    </header>
  )
}

const Advance = ({ by, label }: { by: string; label: string }) => (
  <Act path="/_sandbox/clock/advance" body={{ by }} done={`Clock advanced by ${label.slice(1)}`}>
    {label}
  </Act>
)

const Scheduled = ({ view }: { view: View }) => {
  const { now, tasks } = view.world
  const next = tasks.next()
  return (
    <details class="scheduled" id="scheduled">
      <summary>
        {next ? (
          <>
            {plural(tasks.size, 'task')} scheduled, next <Countdown at={next.at} now={now} />
          </>
        ) : (
          'Nothing scheduled'
        )}
      </summary>
      <div class="popover">
        <TaskList view={view} />
        <CallForm path="/_sandbox/clock/advance" done="Clock advanced" label="Advance by">
          <label for="advance-by">Advance by</label>
          <input id="advance-by" name="by" value="10m" size={8} required autocomplete="off" />
          <Submit text="Advance" />
        </CallForm>
        <p class="hint">For example 90s, 10m, 1h, 2d or PT1H.</p>
      </div>
    </details>
  )
}

/** Soonest first. */
export const TaskList = ({ view }: { view: View }) => {
  const { now, tasks } = view.world
  if (tasks.size === 0) {
    return <p class="hint">Nothing scheduled.</p>
  }
  const left = tasks.size - TASKS_SHOWN
  return (
    <ol class="tasks">
      {tasks.list(TASKS_SHOWN).map((task) => (
        <li>
          <Time at={task.at} now={now} />
          <a href={view.page(taskPage(task))}>{KINDS[task.kind]}</a>
          <span class="quiet">
            <Countdown at={task.at} now={now} />
          </span>
        </li>
      ))}
      {left > 0 && <li class="quiet">and {plural(left, 'more task')}</li>}
    </ol>
  )
}

const taskPage = ({ kind, ref }: Task) =>
  kind === 'change-kyc-status' ? `users/${ref}` : `transactions/${ref}`

const KINDS: Record<TaskKind, string> = {
  'expire-transaction': 'Transaction expires',
  'receive-funds': 'Funds arrive',
  'settle-transaction': 'Transaction settles',
  'change-kyc-status': 'KYC status changes',
}

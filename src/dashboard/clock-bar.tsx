import type { TaskKind } from '../world/state.ts'
import { formatInstant, plural } from './format.ts'
import { Act, CallForm } from './forms.tsx'
import { Countdown, linkTo, Time } from './parts.tsx'
import type { View } from './view.ts'

const TASKS_SHOWN = 12
const ADVANCE = '/_sandbox/clock/advance'

/** World time, with buttons that move it, and what is scheduled. */
export const ClockBar = ({ view }: { view: View }) => {
  const { now, mode, tasks } = view.world
  const next = tasks.next()
  const [turn, turned] = mode === 'frozen' ? ['Resume', 'resumed'] : ['Freeze', 'frozen']
  return (
    <header class="clock-bar" id="clock" data-now={now} data-mode={mode}>
      <div class="now">
        <time id="now" datetime={new Date(now).toISOString()}>
          {formatInstant(now)}
        </time>
        <span class="zone">UTC</span>
        <span class={`mode badge ${mode === 'running' ? 'good' : 'busy'}`}>{mode}</span>
      </div>
      <fieldset class="row levers" aria-label="Move the clock">
        {[1, 24].map((hours) => (
          <Act call={ADVANCE} body={{ by: `${hours}h` }} done={`Clock advanced by ${hours} h`}>
            {`+${hours} h`}
          </Act>
        ))}
        <Act
          call={ADVANCE}
          body={{ toNext: true }}
          done="Moved to the next task"
          disabled={next === undefined}
          title={next ? `${KINDS[next.kind]} ${formatInstant(next.at)}` : 'Nothing is scheduled'}
        >
          To next task
        </Act>
        <Act call={`/_sandbox/clock/${turn.toLowerCase()}`} done={`Clock ${turned}`}>
          {turn}
        </Act>
      </fieldset>
      <details class="scheduled" id="scheduled">
        <summary>
          {next
            ? [
                `${plural(tasks.size, 'task')} scheduled, next `,
                <Countdown at={next.at} now={now} />,
              ]
            : 'Nothing scheduled'}
        </summary>
        <div class="popover">
          <TaskList view={view} />
          <CallForm call={ADVANCE} done="Clock advanced" label="Advance by" submit="Advance">
            <label for="advance-by">Advance by</label>
            <input id="advance-by" name="by" value="10m" required autocomplete="off" />
          </CallForm>
          <p class="hint">For example 90s, 10m, 1h, 2d or PT1H.</p>
        </div>
      </details>
    </header>
  )
}

/** Soonest first. */
export const TaskList = ({ view }: { view: View }) => {
  const { now, tasks } = view.world
  if (tasks.size === 0) return <p class="hint">Nothing scheduled.</p>
  const left = tasks.size - TASKS_SHOWN
  return (
    <ol class="tasks">
      {tasks.list(TASKS_SHOWN).map(({ at, kind, ref }) => (
        <li>
          <Time at={at} now={now} />
          {linkTo(
            view,
            `${kind === 'change-kyc-status' ? 'users' : 'transactions'}/${ref}`,
            KINDS[kind],
          )}
          <span class="quiet">
            <Countdown at={at} now={now} />
          </span>
        </li>
      ))}
      {left > 0 && <li class="quiet">and {plural(left, 'more task')}</li>}
    </ol>
  )
}

const KINDS: Record<TaskKind, string> = {
  'expire-transaction': 'Transaction expires',
  'receive-funds': 'Funds arrive',
  'settle-transaction': 'Transaction settles',
  'change-kyc-status': 'KYC status changes',
}

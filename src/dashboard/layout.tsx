import type { Child } from 'hono/jsx'
import type { TaskKind } from '../world/state.ts'
import { formatInstant, formatNumber, plural } from './format.ts'
import { Act, CallForm } from './forms.tsx'
import { Countdown, Fields, linkTo, Time } from './parts.tsx'
import type { InspectorPage, View } from './view.ts'

interface DocumentProps {
  title: string
  view: View
  script?: string
  stylesheet?: string
  class?: string
  children: Child
  /** Facts for client code, as `data-…` attributes of the body. */
  data?: Record<string, string>
}

/** An HTML page. It is inert until its script runs, so that no click is lost. */
const Document = (props: DocumentProps) => {
  const { title, script, stylesheet, data = {}, children, view } = props
  const attributes = Object.entries(data).map(([name, value]) => [`data-${name}`, value])
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href={view.asset('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={view.asset('styles.css')} />
        {stylesheet && <link rel="stylesheet" href={view.asset(stylesheet)} />}
        {script && <script type="module" src={view.asset(script)} />}
      </head>
      <body class={props.class} inert={script !== undefined} {...Object.fromEntries(attributes)}>
        {children}
      </body>
    </html>
  )
}

export async function showShell(view: View, page: InspectorPage, navigation: Child) {
  const failure = view.storageProblem
  const { name } = view.services
  return (
    <Document
      title={`${page.title} · ${name} · ramp-sandbox`}
      view={view}
      script="inspector.js"
      class="inspector"
      data={{ prefix: view.prefix, site: view.sitePath, position: String(view.position) }}
    >
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <aside class="side">
        <a class="brand" href={view.link('/_sandbox/')}>
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path d="M2 16 L12 6 L18 6" />
            <path d="M12 2 L18 6 L12 10" />
          </svg>
          <span>ramp-sandbox</span>
        </a>
        <details class="menu-button" id="menu">
          <summary>Menu</summary>
        </details>
        {showSearch(view)}
        {navigation}
      </aside>
      <div class="stage">
        <ClockBar view={view} />
        {failure && (
          <p class="failing" role="alert">
            {failure}
          </p>
        )}
        <main id="main" tabindex={-1}>
          {page.body}
        </main>
      </div>
      <button type="button" class="button primary" id="new-rows" data-keep hidden />
      <div class="toasts" id="toasts" role="status" aria-live="polite" />
      {showKeys()}
    </Document>
  )
}

const showSearch = (view: View) => (
  <search>
    <form action={view.page('search')} method="get" data-auto>
      <input
        type="search"
        id="search"
        name="q"
        placeholder="Search"
        aria-label="Search everything"
        aria-keyshortcuts="/ Control+K"
        value={view.path.endsWith('/search') ? (view.query.get('q') ?? '') : ''}
        autocomplete="off"
      />
      <kbd>/</kbd>
    </form>
  </search>
)

const showKeys = () => (
  <dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <Fields rows={KEYS} />
    <form method="dialog">
      <button type="submit" class="button">
        Close
      </button>
    </form>
  </dialog>
)

const KEYS = {
  '/ or Ctrl K': 'Search everything',
  'j, k': 'Next and previous row',
  Enter: 'Open an entry of the timeline',
  Esc: 'Close what is open',
  '?': 'Show these keys',
}

const TASKS_SHOWN = 12
const ADVANCE = '/_sandbox/clock/advance'

const ClockBar = ({ view }: { view: View }) => {
  const { now, mode, tasks } = view.world
  const next = tasks.next()
  const [turn, turned] = mode === 'frozen' ? ['Resume', 'resumed'] : ['Freeze', 'frozen']
  return (
    <header class="clock-bar" id="clock" data-now={now} data-mode={mode}>
      <WorldMenu view={view} />
      <div class="now">
        <time id="now" datetime={new Date(now).toISOString()}>
          {formatInstant(now)}
        </time>
        <span class="zone">UTC</span>
        <span class={`mode badge ${mode === 'running' ? 'good' : 'busy'}`}>{mode}</span>
      </div>
      <fieldset class="row controls" aria-label="Move the clock">
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
          title={
            next ? `${TASK_NAMES[next.kind]} ${formatInstant(next.at)}` : 'Nothing is scheduled'
          }
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
            ? [`${formatNumber(tasks.size)} scheduled, next `, <Countdown at={next.at} now={now} />]
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

/** Names this world. Client code lists the others when it is opened. */
const WorldMenu = ({ view }: { view: View }) => {
  const { name } = view.services
  return (
    <details class="menu worlds" id="worlds">
      <summary class="button" aria-label={`World ${name}, all worlds`}>
        <span class="quiet">World</span> <span class="name">{name}</span>
      </summary>
      <div class="popover">
        <ul class="stack" id="worlds-listed" data-worlds data-keep />
        <a href={view.page('world')}>Clock and world</a>
      </div>
    </details>
  )
}

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
            TASK_NAMES[kind],
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

const TASK_NAMES: Record<TaskKind, string> = {
  'expire-transaction': 'Transaction expires',
  'receive-funds': 'Funds arrive',
  'settle-transaction': 'Transaction settles',
  'change-kyc-status': 'KYC status changes',
}

import type { Child } from 'hono/jsx'
import { isLeft } from '../engine/faults.ts'
import { ClockBar } from './clock-bar.tsx'
import { countErrors } from './rows.ts'
import type { InspectorPage, View } from './view.ts'

interface DocumentProps {
  title: string
  view: View
  /** Client code, by the name of its file. */
  script?: string
  /** A stylesheet besides the common one. */
  stylesheet?: string
  class?: string
  /** Of the text; English by default. */
  lang?: string
  children: Child
  /** What client code needs to know, as `data-…` of the body. */
  data?: Record<string, string>
}

/** Any page, without inline code. It is inert until its script runs, so that no click is lost. */
export const Document = (props: DocumentProps) => {
  const { title, script, stylesheet, data = {}, children, view } = props
  const attributes = Object.entries(data).map(([name, value]) => [`data-${name}`, value])
  return (
    <html lang={props.lang ?? 'en'}>
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

/** A page of the inspector within its navigation. */
export const Shell = ({ view, page }: { view: View; page: InspectorPage }) => (
  <Document
    title={`${page.title} · ${view.services.name} · ramp-sandbox`}
    view={view}
    script="inspector.js"
    class="inspector"
    data={{ prefix: view.prefix, site: view.sitePath }}
  >
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <aside class="side">
      <a class="brand" href={view.link('/_sandbox/')}>
        <Mark />
        <span>ramp-sandbox</span>
      </a>
      <Search view={view} />
      <nav aria-label="Inspector">
        {partsOf(view).map(([name, path, count]) => (
          <a
            id={`nav-${name.toLowerCase()}`}
            href={path}
            aria-current={(page.part ?? page.title) === name ? 'page' : undefined}
          >
            <span>{name}</span>
            {count !== undefined && count > 0 && <span class="count">{short(count)}</span>}
          </a>
        ))}
      </nav>
      <WorldSwitch view={view} />
    </aside>
    <div class="stage">
      <ClockBar view={view} />
      <StorageBanner view={view} />
      <main id="main" tabindex={-1}>
        {page.body}
      </main>
    </div>
    <div class="toasts" id="toasts" role="status" aria-live="polite" />
  </Document>
)

/** Says so on every page while the data file fails. */
const StorageBanner = ({ view }: { view: View }) => {
  const reason = view.control.storage()?.reason
  return reason ? (
    <p class="failing" role="alert">
      {reason}
    </p>
  ) : null
}

const Search = ({ view }: { view: View }) => (
  <search>
    <form action={view.page('search')} method="get">
      <input
        type="search"
        id="search"
        name="q"
        placeholder="Search"
        aria-label="Search everything"
        aria-keyshortcuts="/"
        value={view.path.endsWith('/search') ? (view.query.get('q') ?? '') : ''}
        autocomplete="off"
      />
      <kbd>/</kbd>
    </form>
  </search>
)

type Part = [name: string, path: string, count?: number]

function partsOf(view: View): Part[] {
  const { world, outbox, requests, faults } = view.services
  return [
    ['Overview', view.link('/_sandbox/')],
    ['Users', view.page('users'), world.users.length],
    ['Transactions', view.page('transactions'), world.transactions.length],
    ['Inbox', view.page('inbox'), world.messages.last],
    ['Deliveries', view.page('deliveries'), outbox.journal.last],
    ['Webhooks', view.page('webhooks')],
    ['Requests', view.page('requests'), requests.last],
    ['Errors', view.page('errors'), countErrors(view)],
    ['Scenarios', view.page('scenarios')],
    ['Faults', view.page('faults'), faults.list().filter(isLeft).length],
    ['Settings', view.page('assumptions')],
    ['World', view.page('world')],
    ['Reference', view.link('/_sandbox/reference')],
    ['Demo', view.link('/_sandbox/demo')],
  ]
}

const short = (count: number) => (count < 10_000 ? String(count) : `${Math.floor(count / 1000)}k`)

const WorldSwitch = ({ view }: { view: View }) => {
  const worlds = view.control.worlds.list().slice(0, WORLDS_SHOWN)
  return (
    <details class="worlds" id="worlds">
      <summary>
        <span class="label">World</span>
        <span class="name">{view.services.name}</span>
      </summary>
      <ul>
        {worlds.map(({ name }) => (
          <li>
            <a
              href={view.worldUrl(name)}
              aria-current={name === view.services.name ? 'true' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
        <li>
          <a class="more" href={view.page('world')}>
            All worlds …
          </a>
        </li>
      </ul>
    </details>
  )
}

const WORLDS_SHOWN = 8

const Mark = () => (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d="M2 16 L12 6 L18 6" />
    <path d="M12 2 L18 6 L12 10" />
  </svg>
)

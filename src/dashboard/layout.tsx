import type { Child } from 'hono/jsx'
import { isLeft } from '../engine/faults.ts'
import { ClockBar } from './clock-bar.tsx'
import { newest } from './rows.ts'
import { wasSuppressed } from './timeline/entries.ts'
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
    <html lang={props.lang ?? 'en'} data-theme={themeOf(view)}>
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

/** What was chosen in the inspector; by default what the system has. */
const themeOf = ({ request }: View): string | undefined =>
  /(?:^|; *)theme=(light|dark)/.exec(request.headers.get('cookie') ?? '')?.[1]

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
      <details class="menu-button" id="menu">
        <summary>Menu</summary>
      </details>
      <Search view={view} />
      <nav aria-label="Inspector">
        {groupsOf(view).map(([group, parts]) => (
          <>
            {group && <h2>{group}</h2>}
            {parts.map(([name, path, count]) => (
              <a
                id={`nav-${name.split(' ').at(-1)?.toLowerCase()}`}
                href={path}
                aria-current={(page.part ?? page.title) === name ? 'page' : undefined}
              >
                <span>{name}</span>
                {count !== undefined && count > 0 && <span class="count">{short(count)}</span>}
              </a>
            ))}
          </>
        ))}
      </nav>
      <ThemeSwitch view={view} />
      <a
        class="worlds"
        href={view.page('world')}
        aria-label={`World ${view.services.name}, all worlds`}
      >
        <span class="quiet">World</span> <span class="name">{view.services.name}</span>
      </a>
    </aside>
    <div class="stage">
      <ClockBar view={view} />
      <StorageBanner view={view} />
      <main id="main" tabindex={-1}>
        {page.body}
      </main>
    </div>
    <div class="toasts" id="toasts" role="status" aria-live="polite" />
    <Keys />
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
    <form action={view.page('search')} method="get" data-auto>
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

function groupsOf(view: View): [string, Part[]][] {
  const { world, outbox, requests, faults } = view.services
  const sent = newest(outbox.journal).filter((delivery) => !wasSuppressed(delivery))
  return [
    [
      'Activity',
      [
        ['Timeline', view.link('/_sandbox/')],
        ['Requests', view.page('requests'), requests.last],
        ['Transactions', view.page('transactions'), world.transactions.length],
        ['Users', view.page('users'), world.users.length],
        ['Inbox', view.page('inbox'), world.messages.last],
      ],
    ],
    ['', [['Webhooks', view.page('webhooks'), sent.length]]],
    [
      'Control',
      [
        ['Clock and world', view.page('world')],
        ['Faults', view.page('faults'), faults.list().filter(isLeft).length],
        ['Settings', view.page('settings')],
        ['Scenarios', view.page('scenarios')],
      ],
    ],
    [
      '',
      [
        ['Reference', view.link('/_sandbox/reference')],
        ['Demo', view.link('/_sandbox/demo')],
      ],
    ],
  ]
}

const short = (count: number) => (count < 10_000 ? String(count) : `${Math.floor(count / 1000)}k`)

/** Client code keeps the choice in a cookie. */
const ThemeSwitch = ({ view }: { view: View }) => (
  <label class="theme">
    Theme
    <select data-theme-switch>
      {['system', 'light', 'dark'].map((theme) => (
        <option selected={theme === (themeOf(view) ?? 'system')}>{theme}</option>
      ))}
    </select>
  </label>
)

const KEYS = [
  ['/', 'Search'],
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open an entry of the timeline'],
  ['Esc', 'Close what is open'],
  ['?', 'These keys'],
] as const

const Keys = () => (
  <dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl class="fields">
      {KEYS.map(([key, text]) => (
        <div>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
    <form method="dialog">
      <button type="submit" class="button">
        Close
      </button>
    </form>
  </dialog>
)

const Mark = () => (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d="M2 16 L12 6 L18 6" />
    <path d="M12 2 L18 6 L12 10" />
  </svg>
)

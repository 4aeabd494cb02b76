import { useEffect } from 'preact/hooks'
import { SearchField } from '../lib/filters.tsx'
import { isGone, pending } from '../lib/live.ts'
import { controlPath } from '../lib/page.ts'
import { Fields, Gone } from '../lib/parts.tsx'
import { go, page, query, urlOf } from '../lib/router.ts'
import { Toasts } from '../lib/toast.tsx'
import { ClockBar } from './clock-bar.tsx'
import { info, refusal, storage, useWorld } from './info.ts'
import { ACTIVITY, CONTROL, findPage } from './pages.tsx'

/** Frame around every page. */
export const Shell = () => {
  const entry = findPage(page.value)
  const hasGone = isGone.value
  const warning = storage.value?.reason || refusal.value
  useEffect(() => {
    document.body.classList.toggle('gone', hasGone)
  }, [hasGone])
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <aside class="side">
        <a class="brand" href={urlOf('timeline')}>
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path d="M2 16 L12 6 L18 6" />
            <path d="M12 2 L18 6 L12 10" />
          </svg>
          <span>ramp-sandbox</span>
        </a>
        <details class="menu-button" id="menu">
          <summary>Menu</summary>
        </details>
        <Search />
        <Navigation />
      </aside>
      <div class="stage">
        <ClockBar />
        {warning && (
          <p class="failing" role="alert">
            {warning}
          </p>
        )}
        <main id="main" tabIndex={-1} aria-busy={pending.value > 0}>
          {entry ? (
            <entry.Page key={entry.path} />
          ) : (
            <Gone text={`There is no page ${page.value}.`} />
          )}
        </main>
      </div>
      <Toasts />
      <Keys />
      <WorldReader />
    </>
  )
}

/** Reads what every page shows, after the page itself. */
const WorldReader = () => {
  useWorld()
  return null
}

/** Opens the page of results while a text is typed. */
const Search = () => {
  const isOpen = page.value === 'search'
  // Enter may be pressed before the typing is searched, which then changes nothing.
  const find = (words: string) =>
    go(urlOf('search', { q: words }), { replace: page.value === 'search' })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    find(document.querySelector<HTMLInputElement>('#search')?.value ?? '')
  }
  return (
    <search>
      <form onSubmit={submit}>
        <SearchField
          id="search"
          label="Search everything"
          placeholder="Search"
          given={isOpen ? (query.value.get('q') ?? '') : ''}
          onFind={find}
        />
        <kbd>/</kbd>
      </form>
    </search>
  )
}

const Navigation = () => {
  const current = findPage(page.value)?.within ?? page.value
  const show = (entries: typeof ACTIVITY) =>
    entries.map(({ path, text, count }) => {
      const total = (info.value && count?.(info.value.counts)) || 0
      return (
        <a
          key={path}
          id={`nav-${path}`}
          href={urlOf(path)}
          aria-current={path === current ? 'page' : undefined}
        >
          <span>{text}</span>
          {total > 0 && <span class="count">{shorten(total)}</span>}
        </a>
      )
    })
  return (
    <nav aria-label="Inspector">
      <h2>Activity</h2>
      {show(ACTIVITY)}
      <h2>Control</h2>
      {show(CONTROL)}
      <a id="nav-demo" href={controlPath('/demo')}>
        <span>Demo</span>
      </a>
    </nav>
  )
}

const shorten = (count: number) => (count < 10_000 ? String(count) : `${Math.floor(count / 1000)}k`)

const Keys = () => (
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
  Enter: 'Open an entry in the timeline',
  Esc: 'Close what is open',
  '?': 'Show these keys',
}

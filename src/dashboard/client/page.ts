import { Idiomorph } from 'idiomorph'

const RETRY_MS = 2_000
let loading: AbortController | undefined
let latest = Promise.resolve(true)
const edited = new WeakSet<Element>()

document.addEventListener('input', ({ target }) => {
  const form = target instanceof Element ? target.closest('form[data-call]') : null
  if (form) edited.add(form)
})

/** Lets redraws leave a form as it is. */
export const keepEdits = (form: Element) => edited.add(form)

export const forgetEdits = (form: Element) => edited.delete(form)

/** Path of the page on screen: typed text is kept only while it stays the same. */
let shown = location.pathname

/** Draws the page as it was loaded once more, if anything has happened since then. */
export async function drawIfOld(): Promise<void> {
  const isAsLoaded = loading === undefined
  await draw(location.href, isAsLoaded ? `"f${document.body.dataset.position}"` : '')
}

/**
 * Updates the page to a URL; unchanged elements keep focus and scroll position. False when the
 * sandbox did not respond; the page then says so and tries again.
 */
export function draw(url: string, known = ''): Promise<boolean> {
  loading?.abort()
  loading = new AbortController()
  latest = load(url, known, loading.signal)
  return latest
}

/** A page that another one has overtaken is drawn when that one is. */
async function load(url: string, known: string, signal: AbortSignal): Promise<boolean> {
  try {
    const headers = { accept: 'text/html', ...(known && { 'if-none-match': known }) }
    const response = await fetch(url, { signal, headers })
    if (response.status === 304) return true
    if (response.redirected || response.status === 401) return leave(() => location.reload())
    const drawn = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (signal.aborted) return latest
    if (!drawn.body.classList.contains('inspector')) return leave(() => location.assign(url))
    document.title = drawn.title
    const { pathname } = new URL(url, location.href)
    morph(document.body, drawn.body, pathname === shown)
    shown = pathname
    document.dispatchEvent(new Event('drawn'))
    return true
  } catch (error) {
    if (signal.aborted) return latest
    if (!(error instanceof TypeError)) throw error
    document.body.classList.add('gone')
    setTimeout(() => draw(location.href), RETRY_MS)
    return false
  }
}

function leave(load: () => void): true {
  load()
  return true
}

function morph(old: HTMLElement, fresh: HTMLElement, keep = true): void {
  fresh.inert = false
  Idiomorph.morph(old, fresh, {
    morphStyle: 'outerHTML',
    // A field that is typed into keeps its text; anything else that has the focus is redrawn.
    ignoreActiveValue: document.activeElement?.matches('input, select, textarea') ?? false,
    restoreFocus: true,
    callbacks: {
      beforeNodeMorphed: (node) => !(isOwn(node, keep) || (keep && edited.has(node))),
      // What people opened stays open.
      beforeAttributeUpdated: (name, node) => !(name === 'open' && node.tagName === 'DETAILS'),
    },
  })
}

/** Elements that client code fills, and a button that asks for confirmation or says that it copied. */
const isOwn = (node: Element, keep: boolean) =>
  node.id === 'toasts' || (keep && node.matches?.('[data-keep], .asking, .copied'))

export async function go(url: string, { replace = false } = {}): Promise<void> {
  const before = location.href
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  const isDrawn = await draw(url)
  // The address bar must match the page on screen.
  if (!isDrawn && location.href === new URL(url, before).href) {
    return history.replaceState(null, '', before)
  }
  if (location.pathname !== new URL(before).pathname && !replace) scrollToChosen()
}

/** Scrolls to the top of a detail that covers its list on a small screen. */
function scrollToChosen() {
  const detail = document.querySelector('.detail')
  if (detail && detail.getBoundingClientRect().top < 0) scrollTo({ top: 0 })
}

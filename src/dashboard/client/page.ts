import { Idiomorph } from 'idiomorph'

/** Pause before a page that did not come is asked for again. */
const RETRY_MS = 2_000
let loading: AbortController | undefined
const edited = new WeakSet<Element>()

document.addEventListener('input', ({ target }) => {
  const form = target instanceof Element ? target.closest('form[data-call]') : null
  if (form) edited.add(form)
})

/** Keeps what was typed into a form, and its marks, through redraws. */
export const keepEdits = (form: Element) => edited.add(form)

/** Lets the next redraw replace what was typed into a form. */
export const forgetEdits = (form: Element) => edited.delete(form)

/** Path of what is shown: only what was typed there is kept by the next redraw. */
let shown = location.pathname

/**
 * Updates this page to that of a URL; unchanged elements keep focus and scroll position. False
 * where the sandbox did not respond, which the page then says until it does.
 */
export async function draw(url: string): Promise<boolean> {
  loading?.abort()
  const abort = new AbortController()
  loading = abort
  try {
    const response = await fetch(url, { signal: abort.signal, headers: { accept: 'text/html' } })
    if (response.redirected || response.status === 401) return leave(() => location.reload())
    const drawn = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (abort.signal.aborted) return true
    if (!drawn.body.classList.contains('inspector')) return leave(() => location.assign(url))
    document.title = drawn.title
    const { pathname } = new URL(url, location.href)
    morph(document.body, drawn.body, pathname === shown)
    shown = pathname
    document.dispatchEvent(new Event('drawn'))
    return true
  } catch (error) {
    if (abort.signal.aborted) return true
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

export function morph(old: HTMLElement, fresh: HTMLElement, keep = true): void {
  fresh.inert = false
  Idiomorph.morph(old, fresh, {
    morphStyle: 'outerHTML',
    // Of a field only: whatever else has the focus, such as the page itself, is drawn as well.
    ignoreActiveValue: document.activeElement?.matches('input, select, textarea') ?? false,
    restoreFocus: true,
    callbacks: {
      beforeNodeMorphed: (node) => !(isOwn(node, keep) || (keep && edited.has(node))),
      // Keep open what people opened.
      beforeAttributeUpdated: (name, node) => !(name === 'open' && node.tagName === 'DETAILS'),
    },
  })
}

/**
 * Elements that client code fills, as long as the page stays, and a button that has just asked
 * whether to go on.
 */
const isOwn = (node: Element, keep: boolean) =>
  node.id === 'toasts' || (keep && node.matches?.('[data-keep], .asking'))

export async function go(url: string, { replace = false } = {}): Promise<void> {
  const before = location.href
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  const isDrawn = await draw(url)
  // The address stays that of the page which is shown.
  if (!isDrawn && location.href === new URL(url, before).href) {
    return history.replaceState(null, '', before)
  }
  if (!replace) scrollToChosen()
}

/** On a small screen the chosen row covers the list, so scroll to its top. */
function scrollToChosen() {
  const detail = document.querySelector('.detail')
  if (detail && detail.getBoundingClientRect().top < 0) scrollTo({ top: 0 })
}

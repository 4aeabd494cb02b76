import { Idiomorph } from 'idiomorph'

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

/** Updates this page to that of a URL; unchanged elements keep focus and scroll position. */
export async function draw(url: string): Promise<void> {
  loading?.abort()
  const abort = new AbortController()
  loading = abort
  try {
    const response = await fetch(url, { signal: abort.signal, headers: { accept: 'text/html' } })
    if (response.redirected || response.status === 401) return location.reload()
    const drawn = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (abort.signal.aborted) return
    if (!drawn.body.classList.contains('inspector')) return location.assign(url)
    document.title = drawn.title
    const { pathname } = new URL(url, location.href)
    morph(document.body, drawn.body, pathname === shown)
    shown = pathname
    document.dispatchEvent(new Event('drawn'))
  } catch (error) {
    if (!abort.signal.aborted) throw error
  }
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

/** Opens another page of the inspector without a full load. */
export async function go(url: string, { replace = false } = {}): Promise<void> {
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  await draw(url)
  if (!replace) scrollToChosen()
}

/** On a small screen the chosen row covers the list, so scroll to its top. */
function scrollToChosen() {
  const detail = document.querySelector('.detail')
  if (detail && detail.getBoundingClientRect().top < 0) scrollTo({ top: 0 })
}

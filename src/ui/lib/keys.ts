import { go } from './router.ts'

/** `/` searches, `j` and `k` walk the rows, and `Escape` closes what is open. */
export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    const target = event.target as Element
    const isTyping = target.matches('input, textarea, select')
    if (event.key === 'Escape' && !event.defaultPrevented) return close(isTyping)
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) return search(event)
    if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === '/') return search(event)
    if (event.key === '?') document.querySelector<HTMLDialogElement>('#keys')?.showModal()
    if (event.key === 'j') step(1)
    if (event.key === 'k') step(-1)
  })
  document.addEventListener('click', ({ target }) => {
    for (const open of popovers()) if (!open.contains(target as Node)) open.open = false
  })
}

/** A narrow page has its search in its menu. */
function search(event: KeyboardEvent) {
  event.preventDefault()
  document.querySelector('#menu')?.setAttribute('open', '')
  const field = document.querySelector<HTMLInputElement>('#search')
  field?.focus()
  field?.select()
}

const popovers = () => [...document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')]

/** Closes popovers first, then leaves a field, then closes the detail. */
function close(isTyping: boolean) {
  // The dialog closes by itself.
  if (document.querySelector('dialog[open]')) return
  const open = popovers()
  for (const each of open) {
    each.open = false
    each.querySelector('summary')?.focus()
  }
  if (open.length > 0) return
  if (isTyping) (document.activeElement as HTMLElement).blur()
  else document.querySelector<HTMLElement>('.detail > .back')?.click()
}

/** Goes to the next row or the one before; after the last one, older rows are loaded. */
function step(by: 1 | -1) {
  const rows = findRows()
  // Keys may come faster than pages are drawn, so the focus says where the user is.
  const focused = rows.indexOf(document.activeElement as HTMLElement)
  const chosen = rows.findIndex((row) => row.getAttribute('aria-current') === 'true')
  const current = focused >= 0 ? focused : chosen
  const next = rows[current < 0 && by < 0 ? 0 : current + by]
  // Going back leaves the list, however many rows were walked.
  const replace = rows.some((row) => (row as HTMLAnchorElement).href === location.href)
  if (next || by < 0) return choose(next ?? rows[current], replace)
  document.querySelector<HTMLElement>('#older')?.click()
}

function choose(row: HTMLElement | undefined, replace: boolean) {
  row?.focus()
  // A row opens beside its list; an entry of the timeline would replace the page.
  if (row?.matches('a.row-link')) go((row as HTMLAnchorElement).href, { replace })
  // Beside its first detail, the list scrolls on its own, from its top.
  requestAnimationFrame(() => row?.scrollIntoView({ block: 'nearest' }))
}

function findRows(): HTMLElement[] {
  const find = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
  const rows = find('.row-link')
  return rows.length > 0 ? rows : find('.cause > .cause-line .what')
}

import { go } from './page.ts'

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

const popovers = () => [
  ...document.querySelectorAll<HTMLDetailsElement>(':is(details.scheduled, details.menu)[open]'),
]

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

/** Goes to the next row or the one before, on another page of the list if it must. */
function step(by: 1 | -1) {
  const rows = findRows()
  // Keys may come faster than pages are drawn, so the focus says where the user is.
  const focused = rows.indexOf(document.activeElement as HTMLElement)
  const chosen = rows.findIndex((row) => row.getAttribute('aria-current') === 'true')
  const current = focused >= 0 ? focused : chosen
  const next = rows[current < 0 && by < 0 ? 0 : current + by]
  // Going back leaves the list, however many rows were walked.
  const replace = rows.some((row) => (row as HTMLAnchorElement).href === location.href)
  const link = document.querySelector<HTMLAnchorElement>(`a[rel=${by > 0 ? 'next' : 'prev'}]`)
  if (next || !link) return choose(next ?? rows[current], { replace })
  document.addEventListener('drawn', () => choose(findRows().at(by > 0 ? 0 : -1)), { once: true })
  void go(link.href, { replace })
}

function choose(row: HTMLElement | undefined, { replace = true } = {}) {
  row?.focus()
  // A row opens beside its list; an entry of the timeline would replace the page.
  if (!row?.matches('a.row-link')) return
  // Beside its first detail, the list scrolls on its own, from its top.
  const scroll = () => document.activeElement?.scrollIntoView({ block: 'nearest' })
  void go((row as HTMLAnchorElement).href, { replace }).then(scroll)
}

function findRows(): HTMLElement[] {
  const find = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
  const rows = find('.row-link')
  return rows.length > 0 ? rows : find('.cause > .cause-line .what')
}

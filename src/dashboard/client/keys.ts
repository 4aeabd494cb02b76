/** `/` searches; `j` and `k` go down and up a list or the timeline; Escape closes popovers. */
export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return close()
    const isTyping = (event.target as Element).matches('input, textarea, select')
    if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === '/') {
      event.preventDefault()
      document.getElementById('search')?.focus()
    }
    if (event.key === 'j') step(1)
    if (event.key === 'k') step(-1)
  })
  document.addEventListener('click', ({ target }) => {
    for (const open of popovers()) if (!open.contains(target as Node)) open.open = false
  })
}

const popovers = () =>
  document.querySelectorAll<HTMLDetailsElement>(
    ':is(details.scheduled, details.worlds, details.menu)[open]',
  )

function close() {
  for (const open of popovers()) {
    open.open = false
    open.querySelector('summary')?.focus()
  }
}

function step(by: number) {
  const rows = findRows()
  const current = rows.findIndex(
    (row) => row === document.activeElement || row.getAttribute('aria-current') === 'true',
  )
  const next = rows[Math.max(0, Math.min(rows.length - 1, current + by))]
  next?.focus()
  // A row of a list opens beside it; an entry of the timeline would leave it.
  if (next?.matches('.row-link')) next.click()
}

function findRows(): HTMLElement[] {
  const find = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
  const rows = find('.row-link')
  return rows.length > 0 ? rows : find('.cause > .cause-line .what')
}

import { shared } from './draw.ts'
import { decode } from './format.ts'
import { controlPath, type Query, withQuery } from './page.ts'

const base = controlPath('')

/** The page that is open, the row on it, and its query. */
export const page = shared('')
export const id = shared<string | undefined>(undefined)
export const query = shared(new URLSearchParams())

/** The URL of a page, such as `requests/req_7`. The timeline is the first page. */
export function urlOf(path: string, asked: Query | URLSearchParams = {}): string {
  const below = /^reference(\/|$)/.test(path) ? path : `ui/${path}`
  return withQuery(`${base}/${path === 'timeline' ? '' : below}`, asked)
}

/** Opens a page of the inspector without loading it. */
export function go(url: string, { replace = false } = {}): void {
  const before = location.pathname
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  read()
  document.querySelector('#menu')?.removeAttribute('open')
  if (location.pathname !== before && !replace) scrollTo({ top: 0 })
}

/** Changes a part of the query in place, so that going back leaves the page. */
export function setQuery(changes: Query): void {
  const all = { ...Object.fromEntries(query.value), ...changes }
  const path = id.value === undefined ? page.value : `${page.value}/${encodeURIComponent(id.value)}`
  go(urlOf(path, all), { replace: true })
}

function read(): void {
  const below = location.pathname.slice(base.length + 1).replace(/^ui\//, '')
  const [name, row] = below.split('/')
  page.value = name || 'timeline'
  id.value = row ? decode(row) : undefined
  query.value = new URLSearchParams(location.search)
}

/** Returns true for the URL of a page of this application. */
function isInside({ origin, pathname, target, hash }: HTMLAnchorElement): boolean {
  if (target || hash || origin !== location.origin) return false
  return pathname === `${base}/` || /^\/(ui|reference)(\/|$)/.test(pathname.slice(base.length))
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** The whole row is a target, unless the click ended a selection of text. */
const linkOfRow = (target: Element) =>
  getSelection()?.isCollapsed && !target.closest('button, input, select, label')
    ? target.closest('.rows tr')?.querySelector<HTMLAnchorElement>('.row-link')
    : undefined

/** Follows plain links to pages of the application. */
export function startRouter(): void {
  read()
  addEventListener('popstate', read)
  document.addEventListener('click', (event) => {
    const target = event.target as Element
    const link = target.closest<HTMLAnchorElement>('a[href]') ?? linkOfRow(target)
    if (event.defaultPrevented || !link || !isPlain(event) || !isInside(link)) return
    event.preventDefault()
    go(link.href)
  })
}

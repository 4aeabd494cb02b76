import type { Child } from 'hono/jsx'
import { plural } from './format.ts'
import type { View } from './view.ts'

const ROWS_PER_PAGE = 50
/** Rows of a long list that one search looks at. */
const SCAN_MAX = 100_000

export interface Rows<Row> {
  rows: Row[]
  /** How many match, as far as was looked. */
  total: number
  page: number
  pages: number
}

/** A page of what matches, newest first. */
export function pageOf<Row>(
  view: View,
  source: { length: number; at(index: number): Row | undefined },
  matches?: (row: Row) => boolean,
): Rows<Row> {
  const wanted = Math.max(1, Math.floor(Number(view.query.get('page')) || 1))
  if (!matches) {
    const pages = Math.max(1, Math.ceil(source.length / ROWS_PER_PAGE))
    const page = Math.min(wanted, pages)
    const first = source.length - 1 - (page - 1) * ROWS_PER_PAGE
    const rows = take(source, first, ROWS_PER_PAGE)
    return { rows, total: source.length, page, pages }
  }
  const found = take(source, source.length - 1, SCAN_MAX).filter(matches)
  const pages = Math.max(1, Math.ceil(found.length / ROWS_PER_PAGE))
  const page = Math.min(wanted, pages)
  const rows = found.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE)
  return { rows, total: found.length, page, pages }
}

function take<Row>(
  source: { at(index: number): Row | undefined },
  first: number,
  count: number,
): Row[] {
  const rows: Row[] = []
  for (let index = first; index >= 0 && rows.length < count; index--) {
    const row = source.at(index)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

/** A journal as a list; what it has forgotten is left out. */
export const journalRows = <Row,>(journal: {
  last: number
  max: number
  at(position: number): Row | undefined
}) => {
  const gone = Math.max(0, journal.last - journal.max)
  return {
    length: journal.last - gone,
    at: (index: number) => journal.at(index + 1 + gone),
  }
}

/** Whether any of the texts has all words of the search in it. */
export function matcher(
  query: string | null,
): ((texts: readonly unknown[]) => boolean) | undefined {
  const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return undefined
  return (texts) => {
    const text = texts.join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

interface SplitProps {
  view: View
  /** Name of the list in URLs. */
  name: string
  title: string
  noun: string
  list: Rows<unknown>
  /** Values of the select that narrows the list. */
  filter?: { name: string; label: string; options: readonly string[] } | undefined
  aside?: Child
  children: Child
  detail: Child | undefined
}

/** A list, and beside it what is chosen. */
export const Split = (props: SplitProps) => {
  const { view, name, title, list, noun, detail, filter } = props
  return (
    <div class={`split ${detail ? 'chosen' : ''}`}>
      <section class="list" aria-label={title}>
        <header class="list-head">
          <h1>{title}</h1>
          <span class="quiet">{plural(list.total, noun)}</span>
          {props.aside}
        </header>
        <form class="filters" method="get" action={view.page(name)} data-auto>
          <input
            type="search"
            name="q"
            id={`find-${name}`}
            value={view.query.get('q') ?? ''}
            placeholder={`Find in ${title.toLowerCase()}`}
            aria-label={`Find in ${title.toLowerCase()}`}
            autocomplete="off"
          />
          {filter && <Filter view={view} {...filter} />}
        </form>
        {props.children}
        <Pager view={view} name={name} list={list} />
      </section>
      {detail && (
        <article class="detail" aria-label={`Chosen ${noun}`}>
          <a class="back" href={view.page(name, keptQuery(view))}>
            All {title.toLowerCase()}
          </a>
          {detail}
        </article>
      )}
    </div>
  )
}

const Filter = ({
  view,
  name,
  label,
  options,
}: {
  view: View
  name: string
  label: string
  options: readonly string[]
}) => (
  <select name={name} id={`filter-${name}`} aria-label={label}>
    <option value="">{label}</option>
    {options.map((option) => (
      <option key={option} value={option} selected={view.query.get(name) === option}>
        {option}
      </option>
    ))}
  </select>
)

const KEPT = ['q', 'status', 'kind', 'outcome', 'page'] as const

/** How a list stands, so that choosing a row does not move it. */
export const keptQuery = (view: View): Record<string, string | undefined> =>
  Object.fromEntries(KEPT.map((name) => [name, view.query.get(name) ?? undefined]))

const Pager = ({ view, name, list }: { view: View; name: string; list: Rows<unknown> }) => {
  if (list.pages < 2) return null
  const to = (page: number) => view.page(name, { ...keptQuery(view), page: String(page) })
  return (
    <nav class="pager" aria-label="Pages">
      {list.page > 1 ? <a href={to(list.page - 1)}>Newer</a> : <span />}
      <span class="quiet">
        {list.page} of {list.pages}
      </span>
      {list.page < list.pages ? <a href={to(list.page + 1)}>Older</a> : <span />}
    </nav>
  )
}

interface RowLinkProps {
  view: View
  name: string
  id: string
  chosen: boolean
  children: Child
}

/** A row of a list, which leads to what it stands for. */
export const RowLink = ({ view, name, id, chosen, children }: RowLinkProps) => (
  <li>
    <a
      class="row-link"
      id={`row-${id}`}
      href={view.page(`${name}/${encodeURIComponent(id)}`, keptQuery(view))}
      aria-current={chosen ? 'true' : undefined}
    >
      {children}
    </a>
  </li>
)

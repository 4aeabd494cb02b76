import type { Child } from 'hono/jsx'
import { plural } from './format.ts'
import { Empty, Time } from './parts.tsx'
import { createMatcher, newest, type RowSource, SCAN_MAX } from './rows.ts'
import type { InspectorPage, View } from './view.ts'

const ROWS_PER_PAGE = 50

/** One of the inspector's lists: where its rows come from, and how they look. */
export interface List<Row extends { readonly id: string }> {
  /** In URLs. */
  name: string
  title: string
  noun: string
  rows(view: View): RowSource<Row>
  find(view: View, id: string): Row | undefined
  /** What a search looks at. */
  texts(row: Row, view: View): readonly unknown[]
  /** The select beside the search. */
  filter: {
    name: string
    label: string
    options: readonly string[]
    matches(row: Row, option: string): boolean
  }
  columns: {
    first(row: Row, view: View): Child
    /** On the right of the first. */
    mark(row: Row, view: View): Child
    second(row: Row, view: View): Child
    at(row: Row): number
  }
  /** The row in one line, for other pages. */
  line: { badge?(row: Row, view: View): Child; text(row: Row, view: View): string }
  heading(row: Row): string
  detail(row: Row, view: View): Child
  noMatch: string
  empty: { title: string; body(view: View): Child }
  footer?(view: View): Child
}

/** The page of a list, and of one of its rows. */
export function createListPage<Row extends { readonly id: string }>(list: List<Row>) {
  return (view: View, id: string | undefined): InspectorPage | undefined => {
    const chosen = id === undefined ? undefined : list.find(view, id)
    if (id !== undefined && !chosen) return undefined
    const title = chosen ? list.heading(chosen) : list.title
    return { title, part: list.title, body: <ListBody view={view} list={list} chosen={chosen} /> }
  }
}

interface ListProps<Row extends { readonly id: string }> {
  view: View
  list: List<Row>
  chosen: Row | undefined
}

function ListBody<Row extends { readonly id: string }>({ view, list, chosen }: ListProps<Row>) {
  const { name, title, noun, filter, empty } = list
  const { rows, total, page, pages } = findRows(view, list)
  const cleared = { ...keptQuery(view), q: undefined, [filter.name]: undefined }
  return (
    <Split
      view={view}
      name={name}
      title={title}
      noun={noun}
      count={plural(total, noun)}
      detail={chosen && list.detail(chosen, view)}
    >
      <SearchForm view={view} name={name} title={title}>
        <select name={filter.name} id={`filter-${filter.name}`} aria-label={filter.label}>
          <option value="">{filter.label}</option>
          {filter.options.map((option) => (
            <option key={option} value={option} selected={view.query.get(filter.name) === option}>
              {option}
            </option>
          ))}
        </select>
      </SearchForm>
      {rows.length > 0 && (
        <ol class="rows">
          {rows.map((row) => (
            <RowLink key={row.id} view={view} name={name} id={row.id} isChosen={row === chosen}>
              <span class="first">{list.columns.first(row, view)}</span>
              {list.columns.mark(row, view)}
              <span class="second">{list.columns.second(row, view)}</span>
              <Time at={list.columns.at(row)} now={view.world.now} />
            </RowLink>
          ))}
        </ol>
      )}
      {rows.length === 0 &&
        (view.query.get('q') || view.query.get(filter.name) ? (
          <Empty title={list.noMatch}>
            <a href={view.page(name, cleared)}>Show all</a>
          </Empty>
        ) : (
          <Empty title={empty.title}>{empty.body(view)}</Empty>
        ))}
      {list.footer?.(view)}
      {pages > 1 && <Pager view={view} name={name} page={page} pages={pages} />}
    </Split>
  )
}

/** A page of what matches, newest first. */
function findRows<Row extends { readonly id: string }>(view: View, list: List<Row>) {
  const { query } = view
  const option = query.get(list.filter.name)
  const hasWords = createMatcher(query.get('q'))
  const source = list.rows(view)
  const matching =
    option || hasWords
      ? newest(source, SCAN_MAX)
          .filter((row) => !option || list.filter.matches(row, option))
          .filter((row) => !hasWords || hasWords(list.texts(row, view)))
      : undefined
  const total = matching?.length ?? source.length
  const pages = Math.max(1, Math.ceil(total / ROWS_PER_PAGE))
  const page = Math.min(pages, Math.max(1, Math.floor(Number(query.get('page')) || 1)))
  const skip = (page - 1) * ROWS_PER_PAGE
  const rows = matching?.slice(skip, skip + ROWS_PER_PAGE) ?? newest(source, ROWS_PER_PAGE, skip)
  return { rows, total, page, pages }
}

interface SplitProps {
  view: View
  name: string
  title: string
  noun: string
  count: string
  detail: Child | undefined
  children: Child
}

/** A list, and beside it what is chosen. */
export const Split = ({ view, name, title, noun, count, detail, children }: SplitProps) => (
  <div class={`split ${detail ? 'chosen' : ''}`}>
    <section class="list" aria-label={title}>
      <header class="list-head">
        <h1>{title}</h1>
        <span class="quiet">{count}</span>
      </header>
      {children}
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

interface SearchFormProps {
  view: View
  name: string
  title: string
  children?: Child
}

export const SearchForm = ({ view, name, title, children }: SearchFormProps) => (
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
    {children}
  </form>
)

const KEPT = ['q', 'status', 'kind', 'outcome', 'page'] as const

/** The query of the list, so that choosing a row does not move it. */
const keptQuery = (view: View): Record<string, string | undefined> =>
  Object.fromEntries(KEPT.map((name) => [name, view.query.get(name) ?? undefined]))

interface PagerProps {
  view: View
  name: string
  page: number
  pages: number
}

const Pager = ({ view, name, page, pages }: PagerProps) => {
  const to = (other: number) => view.page(name, { ...keptQuery(view), page: String(other) })
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 ? <a href={to(page - 1)}>Newer</a> : <span />}
      <span class="quiet">
        {page} of {pages}
      </span>
      {page < pages ? <a href={to(page + 1)}>Older</a> : <span />}
    </nav>
  )
}

interface RowLinkProps {
  view: View
  name: string
  id: string
  isChosen: boolean
  children: Child
}

export const RowLink = ({ view, name, id, isChosen, children }: RowLinkProps) => (
  <li>
    <a
      class="row-link"
      id={`row-${id}`}
      href={view.page(`${name}/${encodeURIComponent(id)}`, keptQuery(view))}
      aria-current={isChosen ? 'true' : undefined}
    >
      {children}
    </a>
  </li>
)

import type { Child } from 'hono/jsx'
import { plural } from './format.ts'
import { Empty, Time } from './parts.tsx'
import { createMatcher, type RowSource, SCAN_MAX, takeRows } from './rows.ts'
import { keptQuery, Pager, RowLink, SearchForm, Split } from './split.tsx'
import type { InspectorPage, View } from './view.ts'

const ROWS_PER_PAGE = 50

/** One column of a list. */
interface Column<Row> {
  name: string
  /**
   * Beside a chosen row only the title (the first column), the mark, the second and the time are
   * shown; the rest needs the whole width.
   */
  place?: 'mark' | 'second' | 'number'
  cell(row: Row, view: View): Child
  /** The full text, shown on hover where the cell is cut; without it, the cell's own text. */
  text?(row: Row, view: View): string
}

interface Identified {
  readonly id: string
}

/** One of the inspector's lists: where its rows come from, and how they look. */
export interface List<Row extends Identified> {
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
  /** The first is the link; the time is added as the last. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  at(row: Row): number
  /** The head of the column with the time. */
  atName: string
  /** The row in one line, for other pages. */
  line: { badge?(row: Row, view: View): Child; text(row: Row, view: View): string }
  heading(row: Row): string
  detail(row: Row, view: View): Child
  noMatch: string
  empty: { title: string; body(view: View): Child }
  /** Beside the title. */
  aside?(view: View, chosen: Row | undefined): Child
  footer?(view: View): Child
}

/** The page of a list, and of one of its rows. */
export function createListPage<Row extends Identified>(list: List<Row>) {
  return (view: View, id: string | undefined): InspectorPage | undefined => {
    const chosen = id === undefined ? undefined : list.find(view, id)
    if (id !== undefined && !chosen) return undefined
    const title = chosen ? list.heading(chosen) : list.title
    return { title, part: list.title, body: <ListBody view={view} list={list} chosen={chosen} /> }
  }
}

interface ListProps<Row extends Identified> {
  view: View
  list: List<Row>
  chosen: Row | undefined
}

function ListBody<Row extends Identified>({ view, list, chosen }: ListProps<Row>) {
  const { name, title, noun, filter } = list
  const { rows, total, page, pages, isCut } = findRows(view, list)
  const order = view.query.get('sort')
  return (
    <Split
      view={view}
      name={name}
      title={title}
      noun={noun}
      count={plural(total, noun)}
      aside={list.aside?.(view, chosen)}
      detail={chosen && list.detail(chosen, view)}
    >
      <SearchForm view={view} name={name} label={`Find in ${title.toLowerCase()}`}>
        <select name={filter.name} id={`filter-${filter.name}`} aria-label={filter.label}>
          <option value="">{filter.label}</option>
          {filter.options.map((option) => (
            <option value={option} selected={view.query.get(filter.name) === option}>
              {option}
            </option>
          ))}
        </select>
        {order && <input type="hidden" name="sort" value={order} />}
      </SearchForm>
      {rows.length > 0 && <Rows view={view} list={list} rows={rows} chosen={chosen} />}
      {rows.length === 0 && <NoRows view={view} list={list} />}
      {isCut && <p class="hint">{`Only ${plural(SCAN_MAX, 'row')} were searched.`}</p>}
      {pages > 1 && (
        <Pager
          view={view}
          name={name}
          page={page}
          pages={pages}
          total={total}
          rowsPerPage={ROWS_PER_PAGE}
        />
      )}
      {list.footer?.(view)}
    </Split>
  )
}

interface RowsProps<Row extends Identified> extends ListProps<Row> {
  rows: readonly Row[]
}

function Rows<Row extends Identified>({ view, list, rows, chosen }: RowsProps<Row>) {
  const [title, ...rest] = list.columns
  const isOldestFirst = view.query.get('sort') === 'oldest'
  const sort = isOldestFirst ? undefined : 'oldest'
  const turned = { ...keptQuery(view), sort, page: undefined }
  return (
    <table class="rows">
      <thead>
        <tr>
          <th class="first">{title.name}</th>
          {rest.map(({ name, place }) => (
            <th class={place ?? 'extra'}>{name}</th>
          ))}
          <th class="at" aria-sort={isOldestFirst ? 'ascending' : 'descending'}>
            <a
              href={view.page(list.name, turned)}
              title={
                isOldestFirst
                  ? 'Oldest first; show the newest first'
                  : 'Newest first; show the oldest first'
              }
            >
              {list.atName} <span aria-hidden="true">{isOldestFirst ? '↑' : '↓'}</span>
            </a>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr class={row === chosen ? 'chosen' : ''}>
            <td class="first" title={textOf(title, row, view)}>
              <RowLink view={view} name={list.name} id={row.id} isChosen={row === chosen}>
                {title.cell(row, view)}
              </RowLink>
            </td>
            {rest.map((column) => (
              <td class={column.place ?? 'extra'} title={textOf(column, row, view)}>
                {column.cell(row, view)}
              </td>
            ))}
            <td class="at">
              <Time at={list.at(row)} now={view.world.now} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What a cell says in full; a badge has a title of its own. */
function textOf<Row>(column: Column<Row>, row: Row, view: View): string | undefined {
  if (column.text) return column.text(row, view)
  const cell = column.cell(row, view)
  return typeof cell === 'string' && cell !== '' ? cell : undefined
}

function NoRows<Row extends Identified>({ view, list }: Omit<ListProps<Row>, 'chosen'>) {
  const { name, filter, empty, noMatch } = list
  if (!view.query.get('q') && !view.query.get(filter.name)) {
    return <Empty title={empty.title}>{empty.body(view)}</Empty>
  }
  const cleared = { ...keptQuery(view), q: undefined, [filter.name]: undefined, page: undefined }
  return (
    <Empty title={noMatch}>
      <a href={view.page(name, cleared)}>Show all</a>
    </Empty>
  )
}

/** A page of what matches. */
function findRows<Row extends Identified>(view: View, list: List<Row>) {
  const { query } = view
  const option = query.get(list.filter.name)
  const hasWords = createMatcher(query.get('q'))
  const order = query.get('sort') === 'oldest' ? 'oldest' : 'newest'
  const source = list.rows(view)
  const matching =
    option || hasWords
      ? takeRows(source, { count: SCAN_MAX, order })
          .filter((row) => !option || list.filter.matches(row, option))
          .filter((row) => !hasWords || hasWords(list.texts(row, view)))
      : undefined
  const total = matching?.length ?? source.length
  const pages = Math.max(1, Math.ceil(total / ROWS_PER_PAGE))
  const page = Math.min(pages, Math.max(1, Math.floor(Number(query.get('page')) || 1)))
  const skip = (page - 1) * ROWS_PER_PAGE
  const rows =
    matching?.slice(skip, skip + ROWS_PER_PAGE) ??
    takeRows(source, { count: ROWS_PER_PAGE, skip, order })
  return { rows, total, page, pages, isCut: matching !== undefined && source.length > SCAN_MAX }
}

import type { Child } from 'hono/jsx'
import { formatNumber, plural, pluralOf } from './format.ts'
import { Badge, Empty, Id, linkTo, Time } from './parts.tsx'
import {
  AT,
  type Column,
  chosenOf,
  type Filter,
  findPage,
  type Identified,
  keyOf,
  type List,
  optionsOf,
  orderOf,
  ROWS_PER_PAGE,
} from './rows.ts'
import { keptQuery, SearchForm, Split } from './split.tsx'
import type { InspectorPage, View } from './view.ts'

export function createListPage<Row extends Identified>(list: List<Row>) {
  return (view: View, id: string | undefined): InspectorPage | undefined => {
    const chosen = id === undefined ? undefined : list.find(view, id)
    if (id !== undefined && !chosen) return undefined
    const title = chosen ? String(list.columns[0].value(chosen, view)) : list.title
    return { title, body: showList(view, list, chosen) }
  }
}

function showList<Row extends Identified>(view: View, list: List<Row>, chosen: Row | undefined) {
  const { name, title, noun } = list
  const { rows, total, page, pages } = findPage(view, list, chosen)
  const sort = view.query.get('sort')
  const isFiltered = ['q', ...list.filters.map((filter) => filter.name)].some((each) =>
    view.query.get(each),
  )
  return (
    <Split
      title={title}
      noun={noun}
      count={countOf(view, list, total)}
      aside={list.aside?.(view, chosen)}
      back={view.page(name, keptQuery(view))}
      detail={chosen && list.detail(chosen, view)}
    >
      {!chosen && list.head?.(view)}
      <SearchForm view={view} name={name} label={`Find in ${title.toLowerCase()}`}>
        {chosen ? (
          <FilterMenu view={view} list={list} />
        ) : (
          list.filters.map((filter) => showFilter(view, list, filter))
        )}
        {sort && <input type="hidden" name="sort" value={sort} />}
      </SearchForm>
      {rows.length > 0 && <Rows view={view} list={list} rows={rows} chosen={chosen} />}
      {rows.length === 0 && isFiltered && showNoMatch(view, list)}
      {rows.length === 0 && !isFiltered && (
        <Empty title={list.empty.title}>{list.empty.body(view)}</Empty>
      )}
      {pages > 1 && showPager(view, name, { page, pages, total })}
      {list.footer?.(view)}
    </Split>
  )
}

/** One button for all filters, to save space, with the active filters below it. */
function FilterMenu<Row extends Identified>({ view, list }: { view: View; list: List<Row> }) {
  const used = list.filters.filter((filter) => chosenOf(view, filter) !== '')
  if (list.filters.length === 0) return null
  return (
    <>
      <details class="menu" id="filter-menu">
        <summary class="button">{used.length > 0 ? `Filters (${used.length})` : 'Filters'}</summary>
        <div class="popover">{list.filters.map((filter) => showFilter(view, list, filter))}</div>
      </details>
      {used.map((filter) => (
        <a
          class="chip"
          href={view.page(list.name, { ...keptQuery(view), [filter.name]: undefined })}
          aria-label={`Remove the filter ${filter.name}: ${chosenOf(view, filter)}`}
        >
          {`${filter.name}: ${chosenOf(view, filter)} `}
          <span aria-hidden="true">×</span>
        </a>
      ))}
    </>
  )
}

function countOf<Row extends Identified>(view: View, list: List<Row>, total: number): string {
  const older = list.forgotten?.(view) ?? 0
  const count = plural(total, list.noun)
  return older > 0 ? `${count}; ${formatNumber(older)} older ones are no longer kept` : count
}

function showPager(
  view: View,
  name: string,
  { page, pages, total }: Record<'page' | 'pages' | 'total', number>,
) {
  const link = (text: string, to: number, isPossible: boolean, rel?: 'next' | 'prev') => (
    <a
      class="button small"
      rel={isPossible ? rel : undefined}
      href={isPossible ? view.page(name, { ...keptQuery(view), page: String(to) }) : undefined}
      aria-disabled={isPossible ? undefined : 'true'}
    >
      {text}
    </a>
  )
  const [first, last] = [(page - 1) * ROWS_PER_PAGE + 1, Math.min(total, page * ROWS_PER_PAGE)]
  return (
    <nav class="pager" aria-label="Pages">
      {link('First', 1, page > 1)}
      {link('Previous', page - 1, page > 1, 'prev')}
      <span class="quiet">{`${first}–${last} of ${total}`}</span>
      {link('Next', page + 1, page < pages, 'next')}
      {link('Last', pages, page < pages)}
    </nav>
  )
}

function showFilter<Row extends Identified>(view: View, list: List<Row>, filter: Filter<Row>) {
  const { name, label } = filter
  const options = optionsOf(view, list, filter)
  const chosen = chosenOf(view, filter)
  if (chosen && !options.has(chosen)) options.set(chosen, `${chosen}: unknown`)
  return (
    <select name={name} id={`filter-${name}`} aria-label={label}>
      <option value="">{label}</option>
      {[...options].map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** Says that nothing matches, and which filter has no such option. */
function showNoMatch<Row extends Identified>(view: View, list: List<Row>) {
  for (const filter of list.filters) {
    const chosen = chosenOf(view, filter)
    const options = optionsOf(view, list, filter)
    if (chosen === '' || options.has(chosen)) continue
    return (
      <Empty title={`There is no ${filter.name} “${chosen}” here.`}>
        <p>{`One of ${[...options.keys()].join(', ') || 'none yet'}.`}</p>
        {linkTo(view, list.name, 'Show all')}
      </Empty>
    )
  }
  return (
    <Empty title={`No ${pluralOf(list.noun)} match.`}>
      {list.unshown?.(view)}
      {linkTo(view, list.name, 'Show all')}
    </Empty>
  )
}

interface RowsProps<Row extends Identified> {
  view: View
  list: List<Row>
  rows: readonly Row[]
  chosen?: Row | undefined
  /** Leaves out the links that sort, as in a search. */
  isFixed?: boolean
}

export function Rows<Row extends Identified>(props: RowsProps<Row>) {
  const { view, rows, chosen } = props
  const { name, time } = props.list
  const columns = columnsWorthShowing(props)
  const [title] = columns
  const classOf = (column: Column<Row>) => {
    if (column === title) return 'first'
    return `col-${column.kind ?? 'text'}${column.isSecond ? ' second' : ''}`
  }
  const heads = columns.map((column) => [column.name, keyOf(column), classOf(column)] as const)
  if (time) heads.push([time.name, AT, AT])
  return (
    <table class="rows">
      <thead>
        <tr>{heads.map((head) => showHead(props, ...head))}</tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr class={row.id === chosen?.id ? 'chosen' : ''}>
            {columns.map((column) => (
              <td class={classOf(column)} title={String(column.value(row, view))}>
                {column === title ? (
                  <a
                    class="row-link"
                    id={`row-${row.id}`}
                    href={view.page(`${name}/${encodeURIComponent(row.id)}`, keptQuery(view))}
                    aria-current={row.id === chosen?.id ? 'true' : undefined}
                  >
                    {showCell(column, row, view)}
                  </a>
                ) : (
                  showCell(column, row, view)
                )}
              </td>
            ))}
            {time && (
              <td class={AT}>
                <Time at={time.of(row)} now={view.world.now} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Hides columns with the same value in every row, except badges, times and the second line. */
function columnsWorthShowing<Row extends Identified>({ view, list, rows }: RowsProps<Row>) {
  const [title, ...others] = list.columns
  if (rows.length < 2) return list.columns
  const hasSeveral = ({ value }: Column<Row>) => {
    const [first, ...rest] = rows
    return first !== undefined && rest.some((row) => value(row, view) !== value(first, view))
  }
  const isKept = ({ kind, isSecond }: Column<Row>) =>
    kind === 'mark' || kind === 'time' || isSecond === true
  return [title, ...others.filter((column) => isKept(column) || hasSeveral(column))]
}

/** The head of a column, which sorts by it or reverses the order. */
function showHead<Row extends Identified>(
  { view, list, isFixed }: RowsProps<Row>,
  name: string,
  by: string,
  kind: string,
) {
  if (isFixed) return <th class={kind}>{name}</th>
  const order = orderOf(view)
  const isSorted = order.key === by
  // Times begin with the newest.
  const isNextDown = isSorted ? !order.isDown : by === AT
  const sort = isNextDown ? `-${by}` : by
  const link = view.page(list.name, { ...keptQuery(view), sort, page: undefined })
  if (!isSorted) {
    return (
      <th class={kind}>
        <a href={link}>{name}</a>
      </th>
    )
  }
  return (
    <th class={kind} aria-sort={order.isDown ? 'descending' : 'ascending'}>
      <a href={link}>
        {name}
        <span aria-hidden="true">{order.isDown ? ' ↓' : ' ↑'}</span>
      </a>
    </th>
  )
}

function showCell<Row>(column: Column<Row>, row: Row, view: View): Child {
  if (column.show) return column.show(row, view)
  const text = String(column.value(row, view))
  if (column.kind === 'mark') return <Badge status={text} />
  if (column.kind === 'id') return text && <Id id={text} what={column.name} isShort />
  if (column.kind !== 'url') return text
  // A URL that is too long loses its beginning, not its end.
  return (
    <span class="url">
      <bdi>{text}</bdi>
    </span>
  )
}

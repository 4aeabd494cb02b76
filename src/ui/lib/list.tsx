import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Wire } from '../../control-api/wire.ts'
import { type Filter, FilterForm, FilterSelect, Find, optionOf } from './filters.tsx'
import { formatNumber, plural, pluralOf } from './format.ts'
import { useRead } from './live.ts'
import { type Query, withQuery } from './page.ts'
import { Empty, Gone, Quiet, Time, useTitle } from './parts.tsx'
import { id as chosenId, query, urlOf } from './router.ts'

const ROWS = 50

export interface Column<Row> {
  name: string
  show(row: Row): ComponentChildren
  /** The whole text of a cell that may be cut off. */
  title?(row: Row): string
  /** A `fill` takes the room that is left, a text has a maximum, and a `mark` is a badge. */
  kind?: 'mark' | 'number' | 'id' | 'url' | 'fill' | 'time'
  /** Shown below the first column on a narrow list. */
  isSecond?: boolean
}

export interface Identified {
  readonly id: string
}

export interface ListProps<Operation extends keyof Wire, Row extends Identified> {
  /** The page, such as `requests`. */
  name: string
  title: string
  noun: string
  /** Path of the operation that lists the rows, oldest first. */
  path: string
  rowsOf(page: Wire[Operation]['response']): readonly Row[]
  filters?: readonly Filter[]
  /** Additional query of the operation. */
  asked?: Record<string, string>
  /** The first one is the link; a column for the time is added at the end. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  time: readonly [name: string, of: (row: Row) => string]
  /** A row is found in the list, because no operation reads it by its id. */
  isFound?: boolean
  detail(row: Row): ComponentChildren
  empty: readonly [title: string, body: () => ComponentChildren]
  aside?(): ComponentChildren
  /** Shown above the rows while none is chosen. */
  head?(): ComponentChildren
  footer?(): ComponentChildren
}

/** A list with the newest rows first, live, and the chosen row beside it. */
export function List<Operation extends keyof Wire, Row extends Identified>(
  props: ListProps<Operation, Row>,
) {
  const { name, title, noun, filters = [] } = props
  const id = chosenId.value
  const { path, of, size, loadOlder } = useListPath(props)
  const { data, error } = useRead<Operation>(path)
  const rows = data && [...props.rowsOf(data)].reverse()
  const { total = rows?.length ?? 0 } = (data ?? {}) as { total?: number }
  const isFiltered = ['q', ...filters.map((filter) => filter.name)].some((each) =>
    query.value.get(each),
  )
  const [nothing, body] = props.empty
  useTitle(id === undefined ? title : undefined)
  return (
    <Split
      name={name}
      title={title}
      noun={noun}
      count={data && total}
      aside={props.aside?.()}
      chosen={
        id !== undefined && <Chosen {...props} id={id} row={rows?.find((row) => row.id === id)} />
      }
    >
      {id === undefined && props.head?.()}
      <FilterForm>
        <Find
          id={`find-${name}`}
          label={`Find in ${title.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`}
        />
        {filters.map((filter) => (
          <FilterSelect key={filter.name} {...filter} />
        ))}
      </FilterForm>
      {error && <NoMatch name={name} title={error.message} />}
      {rows && rows.length > 0 && <Rows {...props} rows={rows} />}
      {rows?.length === 0 &&
        (isFiltered ? (
          <NoMatch name={name} title={`No ${pluralOf(noun)} match.`} />
        ) : (
          <Empty title={nothing}>{body()}</Empty>
        ))}
      {rows && total > size && <Older shown={rows.length} total={total} onClick={loadOlder} />}
      {props.footer?.()}
      <NewRows ids={rows?.map((row) => row.id) ?? []} of={of} />
    </Split>
  )
}

interface SplitProps extends Pick<ListProps<keyof Wire, Identified>, 'name' | 'title' | 'noun'> {
  /** Number of rows, once it is known. */
  count: number | undefined
  aside: ComponentChildren
  /** What is shown of the chosen row, if there is one. */
  chosen: ComponentChildren
  children: ComponentChildren
}

/** A list, and the chosen row beside it. */
export const Split = ({ name, title, noun, count, aside, chosen, children }: SplitProps) => (
  <div class={`split ${chosen ? 'chosen' : ''}`}>
    <section class="list" aria-label={title}>
      <header class="list-head">
        <h1>{title}</h1>
        <span class="quiet">{count !== undefined && plural(count, noun)}</span>
        {aside && <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
    {chosen && (
      <article class="detail" aria-label={`Selected ${noun}`}>
        <a class="back" href={urlOf(name, query.value)}>
          {`All ${pluralOf(noun)}`}
        </a>
        {chosen}
      </article>
    )}
  </div>
)

interface ChosenProps<Row> extends Identified {
  /** The row as the list has it. */
  row: Row | undefined
}

/** The row of an id, which need not be in the list: it may be older, or filtered out. */
function Chosen<Operation extends keyof Wire, Row extends Identified>({
  id,
  row,
  path,
  noun,
  isFound,
  rowsOf,
  detail,
}: ListProps<Operation, Row> & ChosenProps<Row>) {
  const search = row ? undefined : withQuery(path, { last: '2000', q: id })
  const { data, error } = useRead<Operation>(isFound ? search : `${path}/${encodeURIComponent(id)}`)
  if (isFound && row) return detail(row)
  if (error) return <Gone text={error.message} />
  if (!data) return null
  const found = isFound ? rowsOf(data).find((each) => each.id === id) : (data as unknown as Row)
  return found ? (
    detail(found)
  ) : (
    <Gone text={`There is no ${noun} ${id}; it may have been deleted.`} />
  )
}

/** The call that reads the rows: what is searched and filtered, and how many of the newest. */
function useListPath({
  path,
  filters = [],
  asked,
}: Pick<ListProps<keyof Wire, Identified>, 'path' | 'filters' | 'asked'>) {
  const chosen = filters.map((filter) => {
    const { name, toQuery } = filter
    const option = optionOf(filter)
    return option && (toQuery ? toQuery(option) : { [name]: option })
  })
  return useNewest(path, Object.assign({ q: query.value.get('q') }, asked, ...chosen))
}

/** The call for the newest rows, of which `loadOlder` asks for more; another call begins anew. */
export function useNewest(path: string, asked: Query) {
  const of = withQuery(path, asked)
  const [more, setMore] = useState({ of: '', size: ROWS })
  const size = more.of === of ? more.size : ROWS
  const loadOlder = () => setMore({ of, size: size + ROWS })
  return { path: withQuery(path, { ...asked, last: String(size) }), of, size, loadOlder }
}

/** Leads back from a search or a filter that finds nothing to the whole page. */
export const NoMatch = ({ name, title }: { name: string; title: string }) => (
  <Empty title={title}>
    <a href={urlOf(name)}>Show all</a>
  </Empty>
)

interface OlderProps {
  shown: number
  total: number
  onClick(): void
}

export const Older = ({ shown, total, onClick }: OlderProps) => (
  <nav class="pager" aria-label="Pages">
    <Quiet text={`${formatNumber(shown)} of ${formatNumber(total)}`} />
    <button type="button" class="button small" id="older" onClick={onClick}>
      Load older
    </button>
  </nav>
)

interface RowsProps<Row extends Identified> {
  name: string
  rows: readonly Row[]
  columns: readonly [Column<Row>, ...Column<Row>[]]
  time: readonly [name: string, of: (row: Row) => string]
}

export function Rows<Row extends Identified>({ name, rows, columns, time }: RowsProps<Row>) {
  const [first] = columns
  const chosen = chosenId.value
  const classOf = (column: Column<Row>) =>
    column === first ? 'first' : `col-${column.kind ?? 'text'}${column.isSecond ? ' second' : ''}`
  return (
    <table class="rows">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} class={classOf(column)}>
              {column.name}
            </th>
          ))}
          <th class="at">{time[0]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} class={row.id === chosen ? 'chosen' : ''}>
            {columns.map((column) => (
              <td key={column.name} class={classOf(column)} title={titleOf(column, row)}>
                {column === first ? (
                  <a
                    class="row-link"
                    id={`row-${row.id}`}
                    href={urlOf(`${name}/${encodeURIComponent(row.id)}`, query.value)}
                    aria-current={row.id === chosen ? 'true' : undefined}
                  >
                    {column.show(row)}
                  </a>
                ) : (
                  column.show(row)
                )}
              </td>
            ))}
            <td class="at">
              <Time at={time[1](row)} short />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function titleOf<Row>(column: Column<Row>, row: Row): string | undefined {
  const shown = column.title?.(row) ?? column.show(row)
  return typeof shown === 'string' ? shown : undefined
}

/** A URL that is too long loses its beginning, not its end. */
export const Url = ({ text }: { text: string }) => (
  <span class="url">
    <bdi>{text}</bdi>
  </span>
)

/** From here on a page counts as scrolled away from its newest rows. */
const SCROLLED_PX = 120

/** Says how many rows came above the ones on screen; a click leads to them. */
export const NewRows = ({ ids, of }: { ids: readonly string[]; of: string }) => {
  const seen = useRef({ of: '', ids: new Set<string>() })
  const [, look] = useState(0)
  useEffect(() => {
    const onScroll = () => look(Math.min(scrollY, SCROLLED_PX))
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  if (scrollY < SCROLLED_PX || seen.current.of !== of) seen.current = { of, ids: new Set(ids) }
  const known = ids.findIndex((id) => seen.current.ids.has(id))
  const isAllNew = known < 0 && seen.current.ids.size > 0
  const count = isAllNew ? ids.length : known
  return (
    <button
      type="button"
      class="button primary"
      id="new-rows"
      hidden={count <= 0}
      onClick={() => scrollTo({ top: 0 })}
    >
      {`${formatNumber(count)}${isAllNew ? '+' : ''} new`}
    </button>
  )
}

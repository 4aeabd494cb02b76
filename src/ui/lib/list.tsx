import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Wire } from '../../control-api/wire.ts'
import { formatNumber, plural, pluralOf } from './format.ts'
import { useRead } from './live.ts'
import { Empty, Time } from './parts.tsx'
import { id as chosenId, query, setQuery, urlOf } from './router.ts'
import { useTitle } from './title.ts'

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

export interface Filter {
  /** Its name in the address of the page, and by default in the query of the operation. */
  name: string
  /** Shown while nothing is chosen. */
  label: string
  options: readonly (string | readonly [value: string, text: string])[]
  /** What the operation is asked for, where that is not the option under this name. */
  toQuery?(option: string): Record<string, string>
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
  /** What the operation is asked for besides. */
  asked?: Record<string, string>
  /** The first one is the link; a column for the time is added at the end. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  time?: { name: string; of(row: Row): string }
  detail(id: string, row: Row | undefined): ComponentChildren
  empty: { title: string; body(): ComponentChildren }
  aside?(): ComponentChildren
  /** Shown above the rows while none is chosen. */
  head?(): ComponentChildren
  footer?(): ComponentChildren
}

/** A list with the newest rows first, live, and the chosen row beside it. */
export function List<Operation extends keyof Wire, Row extends Identified>(
  props: ListProps<Operation, Row>,
) {
  const { name, title, noun, filters = [], columns, detail } = props
  const id = chosenId.value
  const { path, size, loadOlder } = useListPath(props)
  const unknown = findUnknown(filters)
  const { data, error } = useRead<Operation>(unknown ? undefined : path)
  const rows = data === undefined || unknown ? undefined : [...props.rowsOf(data)].reverse()
  const { total = rows?.length ?? 0 } = (data ?? {}) as { total?: number }
  const isFiltered = ['q', ...filters.map((filter) => filter.name)].some((each) =>
    query.value.get(each),
  )
  const chosen = rows?.find((row) => row.id === id)
  useTitle(id === undefined ? title : undefined)
  return (
    <div class={`split ${id === undefined ? '' : 'chosen'}`}>
      <section class="list" aria-label={title}>
        <header class="list-head">
          <h1>{title}</h1>
          <span class="quiet">{data && plural(total, noun)}</span>
          {props.aside && <div class="aside">{props.aside()}</div>}
        </header>
        {id === undefined && props.head?.()}
        <Filters name={name} title={title} filters={filters} />
        {error && <Empty title={error.message} />}
        {unknown && <Unknown name={name} filter={unknown} />}
        {rows && rows.length > 0 && (
          <Rows
            name={name}
            rows={rows}
            columns={columns}
            {...(props.time && { time: props.time })}
          />
        )}
        {rows?.length === 0 && isFiltered && (
          <NoMatch name={name} title={`No ${pluralOf(noun)} match.`} />
        )}
        {rows?.length === 0 && !isFiltered && (
          <Empty title={props.empty.title}>{props.empty.body()}</Empty>
        )}
        {rows && total > size && <Older shown={rows.length} total={total} onClick={loadOlder} />}
        {props.footer?.()}
        <NewRows ids={rows?.map((row) => row.id) ?? []} of={path.replace(/&last=.*/, '')} />
      </section>
      {id !== undefined && (
        <article class="detail" aria-label={`Chosen ${noun}`}>
          <a class="back" href={urlOf(name, query.value)}>
            {`All ${pluralOf(noun)}`}
          </a>
          {detail(id, chosen)}
        </article>
      )}
    </div>
  )
}

/** The call that reads the rows: what is searched and filtered, and how many of the newest. */
function useListPath({
  path,
  filters = [],
  asked = {},
}: Pick<ListProps<keyof Wire, Identified>, 'path' | 'filters' | 'asked'>) {
  const words = query.value.get('q') ?? ''
  const chosen = filters.map((filter) => {
    const option = optionOf(filter)
    if (!option) return {}
    return filter.toQuery ? filter.toQuery(option) : { [filter.name]: option }
  })
  const all: Record<string, string> = Object.assign({}, asked, ...chosen, words && { q: words })
  const search = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''))
  return useNewest(`${path}?${search}`)
}

/** The call for the newest rows, of which `loadOlder` asks for more; another call begins anew. */
export function useNewest(of: string) {
  const [more, setMore] = useState({ of: '', size: ROWS })
  const size = more.of === of ? more.size : ROWS
  const loadOlder = () => setMore({ of, size: size + ROWS })
  return { path: `${of}&last=${size}`, size, loadOlder }
}

const textOf = (option: Filter['options'][number]): readonly [value: string, text: string] =>
  typeof option === 'string' ? [option, option] : option

/** The chosen option of a filter, which the address may name by its text; undefined for none. */
function optionOf({ name, options }: Filter): string | undefined {
  const chosen = query.value.get(name)
  return options.map(textOf).find((option) => option.includes(chosen ?? ''))?.[0]
}

/** The first filter whose option in the address does not exist. */
const findUnknown = (filters: readonly Filter[]): Filter | undefined =>
  filters.find((filter) => query.value.get(filter.name) && optionOf(filter) === undefined)

const TYPING_MS = 200

interface SearchFieldProps {
  id: string
  label: string
  name?: string
  list?: string
}

/** A search that changes the address a moment after the typing. */
export const SearchField = ({ id, label, name = 'q', list }: SearchFieldProps) => {
  const timer = useRef<number | undefined>(undefined)
  const type = ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setQuery({ [name]: value }), TYPING_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const given = query.value.get(name) ?? ''
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // What is being typed is newer than the address.
    if (field.current && field.current !== document.activeElement) field.current.value = given
  }, [given])
  return (
    <input
      ref={field}
      type="search"
      name={name}
      id={id}
      defaultValue={given}
      placeholder={label}
      aria-label={label}
      autocomplete="off"
      list={list}
      onInput={type}
    />
  )
}

interface FiltersProps {
  name: string
  title: string
  filters: readonly Filter[]
}

const Filters = ({ name, title, filters }: FiltersProps) => (
  <FilterForm>
    <SearchField
      id={`find-${name}`}
      label={`Find in ${title.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`}
    />
    {filters.map((filter) => (
      <FilterSelect key={filter.name} {...filter} />
    ))}
  </FilterForm>
)

/** Fields that change the address by themselves, so Enter sends nothing. */
export const FilterForm = ({ children }: { children: ComponentChildren }) => (
  <form class="filters" onSubmit={(event) => event.preventDefault()}>
    {children}
  </form>
)

const FilterSelect = (filter: Filter) => {
  const { name, label, options } = filter
  const asked = query.value.get(name) ?? ''
  const chosen = optionOf(filter) ?? asked
  return (
    <select
      name={name}
      id={`filter-${name}`}
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <option value="">{label}</option>
      {optionOf(filter) === undefined && asked && (
        <option value={asked}>{`${asked}: unknown`}</option>
      )}
      {options.map(textOf).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}

const Unknown = ({ name, filter }: { name: string; filter: Filter }) => (
  <Empty title={`There is no ${filter.name} “${query.value.get(filter.name)}” here.`}>
    <p>{`One of ${filter.options.map((option) => textOf(option)[1]).join(', ')}.`}</p>
    <a href={urlOf(name)}>Show all</a>
  </Empty>
)

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
    <span class="quiet">{`${formatNumber(shown)} of ${formatNumber(total)}`}</span>
    <button type="button" class="button small" id="older" onClick={onClick}>
      Load older
    </button>
  </nav>
)

interface RowsProps<Row extends Identified> {
  name: string
  rows: readonly Row[]
  columns: readonly [Column<Row>, ...Column<Row>[]]
  time?: { name: string; of(row: Row): string }
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
          {time && <th class="at">{time.name}</th>}
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
            {time && (
              <td class="at">
                <Time at={time.of(row)} short />
              </td>
            )}
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

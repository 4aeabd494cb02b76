import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Option, Options, toOption } from './form.tsx'
import { page, query, setQuery, urlOf } from './router.ts'

export interface Filter {
  /** Its name in the address of the page, and by default in the query of the operation. */
  name: string
  /** Shown while nothing is chosen. */
  label: string
  options: readonly Option[]
  /** What the operation is asked for, where that is not the option under this name. */
  toQuery?(option: string): Record<string, string>
}

/** The chosen option of a filter, which the address may name by its text. */
export function optionOf({ name, options }: Filter): string {
  const chosen = query.value.get(name) ?? ''
  return options.map(toOption).find((option) => option.includes(chosen))?.[0] ?? chosen
}

const TYPING_MS = 200

interface SearchFieldProps {
  id: string
  label: string
  /** What is searched so far. */
  given: string
  placeholder?: string
  onFind(words: string): void
}

/** A field that searches a moment after the typing. */
export const SearchField = ({ given, label, onFind, ...field }: SearchFieldProps) => {
  const timer = useRef<number | undefined>(undefined)
  const input = useRef<HTMLInputElement>(null)
  const type = ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => onFind(value), TYPING_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // What is being typed is newer than the address.
    const { current } = input
    if (current && current !== document.activeElement) current.value = given
  }, [given])
  return (
    <input
      ref={input}
      type="search"
      placeholder={label}
      {...field}
      aria-label={label}
      autocomplete="off"
      defaultValue={given}
      onInput={type}
    />
  )
}

/** A search that changes the address. */
export const Find = ({ name = 'q', ...field }: { id: string; label: string; name?: string }) => (
  <SearchField
    {...field}
    given={query.value.get(name) ?? ''}
    onFind={(words) => setQuery({ [name]: words })}
  />
)

interface ChoicesProps {
  label: string
  /** The part of the query that a choice changes. */
  name: string
  options: readonly Option[]
  chosen: string
}

/** Links of which one is chosen. */
export const Choices = ({ label, name, options, chosen }: ChoicesProps) => (
  <nav class="choices" aria-label={label}>
    {options.map(toOption).map(([value, text]) => (
      <a
        key={value}
        href={urlOf(page.value, { ...Object.fromEntries(query.value), [name]: value })}
        aria-current={value === chosen ? 'true' : undefined}
      >
        {text}
      </a>
    ))}
  </nav>
)

/** Fields that change the address by themselves, so Enter sends nothing. */
export const FilterForm = ({ children }: { children: ComponentChildren }) => (
  <form class="filters" onSubmit={(event) => event.preventDefault()}>
    {children}
  </form>
)

export const FilterSelect = (filter: Filter) => {
  const { name, label, options } = filter
  return (
    <select
      name={name}
      id={`filter-${name}`}
      aria-label={label}
      value={optionOf(filter)}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <Options of={[['', label], ...options]} />
    </select>
  )
}

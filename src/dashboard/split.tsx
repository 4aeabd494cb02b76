import type { Child } from 'hono/jsx'
import { pluralOf } from './format.ts'
import type { View } from './view.ts'

interface SplitProps {
  title: string
  noun: string
  count: string
  aside?: Child
  /** The way back to the list on a small screen. */
  back: string
  detail: Child | undefined
  children: Child
}

export const Split = (props: SplitProps) => {
  const { title, noun, count, aside, back, detail, children } = props
  return (
    <div class={`split ${detail ? 'chosen' : ''}`}>
      <section class="list" aria-label={title}>
        <header class="list-head">
          <h1>{title}</h1>
          <span class="quiet">{count}</span>
          {aside && <div class="aside">{aside}</div>}
        </header>
        {children}
      </section>
      {detail && (
        <article class="detail" aria-label={`Chosen ${noun}`}>
          <a class="back" href={back}>
            {`All ${pluralOf(noun)}`}
          </a>
          {detail}
        </article>
      )}
    </div>
  )
}

interface SearchFormProps {
  view: View
  name: string
  label: string
  action?: string
  children?: Child
}

export const SearchForm = ({ view, name, label, action, children }: SearchFormProps) => (
  <form class="filters" method="get" action={action ?? view.page(name)} data-auto>
    <input
      type="search"
      name="q"
      id={`find-${name}`}
      value={view.query.get('q') ?? ''}
      placeholder={label}
      aria-label={label}
      autocomplete="off"
    />
    {children}
  </form>
)

/** The query of the list, which links to its rows keep. */
export const keptQuery = ({ query }: View): Record<string, string | undefined> =>
  Object.fromEntries(query)

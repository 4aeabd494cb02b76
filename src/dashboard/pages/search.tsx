import { settingOf } from '../../world/settings/index.ts'
import { plural } from '../format.ts'
import { Rows } from '../list.tsx'
import { Card, Empty, linkTo, PageHead, Ticked } from '../parts.tsx'
import { findMatching, type List } from '../rows.ts'
import { keptQuery } from '../split.tsx'
import type { RenderPage, View } from '../view.ts'
import { deliveries } from './deliveries.tsx'
import { inbox } from './inbox.tsx'
import { requests } from './requests.tsx'
import { findSettings } from './settings.tsx'
import { transactions } from './transactions.tsx'
import { users } from './users.tsx'

const FOUND_MAX = 8

/** Finds rows of every list. */
export const search: RenderPage = (view) => {
  const query = view.query.get('q') ?? ''
  const found = [
    findIn(view, users),
    findIn(view, transactions),
    findIn(view, inbox),
    findIn(view, deliveries),
    findIn(view, requests),
    findInSettings(view),
  ].filter((part) => part !== undefined)
  return {
    title: query ? `Search: ${query}` : 'Search',
    body: (
      <>
        <PageHead title={query ? `Results for “${query}”` : 'Search'} />
        <div class="columns">{found}</div>
        {found.length === 0 && (
          <Empty title={query ? 'No results' : 'What are you looking for?'}>
            <p>
              Search for an e-mail address, a name, an amount, an id, a time, a path or a setting.
            </p>
          </Empty>
        )}
      </>
    ),
  }
}

function findIn<Row extends { readonly id: string }>(view: View, list: List<Row>) {
  const { name, noun, title } = list
  const rows = view.query.get('q') ? findMatching(view, { ...list, filters: [] }) : []
  if (rows.length === 0) return undefined
  return (
    <section class="list" aria-label={title}>
      <header class="list-head">
        <h2>{title}</h2>
        {linkToAll(view, name, rows.length, noun)}
      </header>
      <Rows view={view} list={withId(list)} rows={rows.slice(0, FOUND_MAX)} isFixed />
    </section>
  )
}

function withId<Row extends { readonly id: string }>(list: List<Row>): List<Row> {
  const [first, ...rest] = list.columns
  if (rest.some(({ name }) => name === 'Id')) return list
  return { ...list, columns: [first, { name: 'Id', kind: 'id', value: ({ id }) => id }, ...rest] }
}

function linkToAll(view: View, page: string, count: number, noun: string) {
  const text = plural(count, noun)
  return <a href={view.page(page, keptQuery(view))}>{count > FOUND_MAX ? `All ${text}` : text}</a>
}

function findInSettings(view: View) {
  const ids = view.query.get('q') ? findSettings(view) : []
  if (ids.length === 0) return undefined
  return (
    <Card title="Settings" aside={linkToAll(view, 'settings', ids.length, 'setting')}>
      <ul class="stack">
        {ids.slice(0, FOUND_MAX).map((id) => (
          <li>{linkTo(view, `settings?q=${id}`, <Ticked text={settingOf(id).question} />)}</li>
        ))}
      </ul>
    </Card>
  )
}

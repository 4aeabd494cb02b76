import { settingOf } from '../../world/settings/index.ts'
import { plural } from '../format.ts'
import { findMatching, type List, Rows } from '../list.tsx'
import { Card, Empty, PageHead, Ticked } from '../parts.tsx'
import type { RenderPage, View } from '../view.ts'
import { deliveries } from './deliveries.tsx'
import { inbox } from './inbox.tsx'
import { requests } from './requests.tsx'
import { findSettings } from './settings.tsx'
import { transactions } from './transactions.tsx'
import { users } from './users.tsx'

const FOUND_MAX = 8

/** What all lists find for one search. */
export const search: RenderPage = (view) => {
  const query = view.query.get('q') ?? ''
  const found = [
    findIn(view, users),
    findIn(view, transactions),
    findIn(view, inbox),
    findIn(view, deliveries),
    findIn(view, requests),
    findInSettings(view, query),
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

/** The newest rows that match, with a link to all of them. */
function findIn<Row extends { readonly id: string }>(view: View, list: List<Row>) {
  const { name, noun, title } = list
  const rows = findMatching(view, { ...list, filters: [] })
  if (!rows || rows.length === 0) return undefined
  const all = view.page(name, { q: view.query.get('q') ?? undefined })
  return (
    <section class="list" aria-label={title}>
      <header class="list-head">
        <h2>{title}</h2>
        <a href={all}>
          {rows.length > FOUND_MAX ? `All ${plural(rows.length, noun)}` : plural(rows.length, noun)}
        </a>
      </header>
      <Rows view={view} list={list} rows={rows.slice(0, FOUND_MAX)} isFixed />
    </section>
  )
}

function findInSettings(view: View, q: string) {
  const ids = findSettings(view)
  if (!q || ids.length === 0) return undefined
  const all = <a href={view.page('settings', { q })}>{`All ${plural(ids.length, 'setting')}`}</a>
  return (
    <Card title="Settings" aside={all}>
      <ul class="stack">
        {ids.slice(0, FOUND_MAX).map((id) => (
          <li>
            <a href={view.page('settings', { q: id })}>
              <Ticked text={settingOf(id).question} />
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

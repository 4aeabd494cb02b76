import type { Child } from 'hono/jsx'
import type { List } from '../list.tsx'
import { Card, Empty, PageHead } from '../parts.tsx'
import { createMatcher, newest, SCAN_MAX } from '../rows.ts'
import type { RenderPage, View } from '../view.ts'
import { deliveries } from './deliveries.tsx'
import { inbox } from './inbox.tsx'
import { requests } from './requests.tsx'
import { transactions } from './transactions.tsx'
import { users } from './users.tsx'

const FOUND_MAX = 12

/** What all lists find for one search. */
export const search: RenderPage = (view) => {
  const query = view.query.get('q') ?? ''
  const found = [
    { title: 'Users', rows: findLines(view, users) },
    { title: 'Transactions', rows: findLines(view, transactions) },
    { title: 'Messages', rows: findLines(view, inbox) },
    { title: 'Deliveries', rows: findLines(view, deliveries) },
    { title: 'Requests', rows: findLines(view, requests) },
  ].filter(({ rows }) => rows.length > 0)
  return {
    title: query ? `Search: ${query}` : 'Search',
    part: 'Search',
    body: (
      <>
        <PageHead title={query ? `Results for “${query}”` : 'Search'} />
        <div class="grid">
          {found.map(({ title, rows }) => (
            <Card key={title} title={title}>
              <ul class="stack">{rows}</ul>
            </Card>
          ))}
        </div>
        {found.length === 0 && (
          <Empty title={query ? 'No results' : 'Nothing was asked.'}>
            <p>Look for an e-mail address, a name, an id, a wallet, a reference or a path.</p>
          </Empty>
        )}
      </>
    ),
  }
}

function findLines<Row extends { readonly id: string }>(view: View, list: List<Row>): Child[] {
  const hasWords = createMatcher(view.query.get('q'))
  if (!hasWords) return []
  return newest(list.rows(view), SCAN_MAX)
    .filter((row) => hasWords(list.texts(row, view)))
    .slice(0, FOUND_MAX)
    .map((row) => (
      <li key={row.id} class="row">
        {list.line.badge?.(row, view)}
        <a href={view.page(`${list.name}/${row.id}`)}>{list.line.text(row, view)}</a>
      </li>
    ))
}

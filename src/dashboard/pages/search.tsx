import { settingOf } from '../../world/settings/index.ts'
import { plural } from '../format.ts'
import type { List } from '../list.tsx'
import { Card, Empty, PageHead, Ticked } from '../parts.tsx'
import { createMatcher, newest, SCAN_MAX } from '../rows.ts'
import type { RenderPage, View } from '../view.ts'
import { findSettings } from './assumptions.tsx'
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
    findIn(view, users),
    findIn(view, transactions),
    findIn(view, inbox),
    findIn(view, deliveries),
    findIn(view, requests),
    findInSettings(view),
  ].filter((part) => part !== undefined)
  return {
    title: query ? `Search: ${query}` : 'Search',
    part: 'Search',
    body: (
      <>
        <PageHead title={query ? `Results for “${query}”` : 'Search'} />
        <div class="grid">{found}</div>
        {found.length === 0 && (
          <Empty title={query ? 'No results' : 'What are you looking for?'}>
            <p>
              Search for an e-mail address, a name, an id, a wallet, a reference, a path or a
              setting.
            </p>
          </Empty>
        )}
      </>
    ),
  }
}

/** The newest rows that match, with a link to all of them. */
function findIn<Row extends { readonly id: string }>(view: View, list: List<Row>) {
  const { name, noun, title, line } = list
  const q = view.query.get('q')
  const hasWords = createMatcher(q)
  if (!q || !hasWords) return undefined
  const rows = newest(list.rows(view), SCAN_MAX).filter((row) => hasWords(list.texts(row, view)))
  if (rows.length === 0) return undefined
  const all = <a href={view.page(name, { q })}>{`All ${plural(rows.length, noun)}`}</a>
  return (
    <Card title={title} aside={rows.length > FOUND_MAX && all}>
      <ul class="stack">
        {rows.slice(0, FOUND_MAX).map((row) => (
          <li class="row">
            {line.badge?.(row, view)}
            <a href={view.page(`${name}/${row.id}`)}>{line.text(row, view)}</a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function findInSettings(view: View) {
  const q = view.query.get('q')
  const ids = findSettings(q)
  if (!q || ids.length === 0) return undefined
  const all = <a href={view.page('assumptions', { q })}>{`All ${plural(ids.length, 'setting')}`}</a>
  return (
    <Card title="Settings" aside={all}>
      <ul class="stack">
        {ids.slice(0, FOUND_MAX).map((id) => (
          <li>
            <a href={view.page('assumptions', { q: id })}>
              <Ticked text={settingOf(id).question} />
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

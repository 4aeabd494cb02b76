import type { Wire } from '../../control-api/wire.ts'
import { plural } from '../lib/format.ts'
import { type Identified, type ListProps, Rows } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { withQuery } from '../lib/page.ts'
import { Card, Empty, Id, PageHead, Ticked } from '../lib/parts.tsx'
import { query, urlOf } from '../lib/router.ts'
import { DELIVERIES } from './deliveries.tsx'
import { INBOX } from './inbox.tsx'
import { REQUESTS } from './requests.tsx'
import { TRANSACTIONS } from './transactions.tsx'
import { USERS } from './users.tsx'

const FOUND_MAX = 8

/** Finds rows of every list. */
export const Search = () => {
  const words = query.value.get('q') ?? ''
  return (
    <>
      <PageHead title={words ? `Results for “${words}”` : 'Search'} />
      {words ? (
        <div class="columns results">
          <Found list={USERS} words={words} />
          <Found list={TRANSACTIONS} words={words} />
          <Found list={INBOX} words={words} />
          <Found list={DELIVERIES} words={words} />
          <Found list={REQUESTS} words={words} />
          <FoundSettings words={words} />
          <p class="empty-title none">No results</p>
        </div>
      ) : (
        <Empty title="What are you looking for?">
          <p>
            Search for an e-mail address, a name, an amount, an id, a time, a path or a setting.
          </p>
        </Empty>
      )}
    </>
  )
}

interface FoundProps<Operation extends keyof Wire, Row extends Identified> {
  list: ListProps<Operation, Row>
  words: string
}

function Found<Operation extends keyof Wire, Row extends Identified>({
  list,
  words,
}: FoundProps<Operation, Row>) {
  const { name, title, noun, path, asked, rowsOf, columns, time } = list
  const last = String(FOUND_MAX)
  const { data } = useRead<Operation>(withQuery(path, { ...asked, q: words, last }))
  const rows = data ? [...rowsOf(data)].reverse() : []
  const { total = rows.length } = (data ?? {}) as { total?: number }
  if (rows.length === 0) return null
  const [first, ...rest] = columns
  const hasId = rest.some((column) => column.name === 'Id')
  const id = {
    name: 'Id',
    kind: 'id',
    show: (row: Row) => <Id id={row.id} what="the id" isShort />,
  }
  return (
    <section class="list" aria-label={title}>
      <header class="list-head">
        <h2>{title}</h2>
        <a href={urlOf(name, { q: words })}>
          {total > FOUND_MAX ? `All ${plural(total, noun)}` : plural(total, noun)}
        </a>
      </header>
      <Rows
        name={name}
        rows={rows}
        columns={hasId ? columns : [first, id as (typeof columns)[0], ...rest]}
        time={time}
      />
    </section>
  )
}

const FoundSettings = ({ words }: { words: string }) => {
  const { items = [] } = useRead<'settings.list'>(withQuery('/settings', { q: words })).data ?? {}
  if (items.length === 0) return null
  return (
    <Card
      title="Settings"
      aside={<a href={urlOf('settings', { q: words })}>{plural(items.length, 'setting')}</a>}
    >
      <ul class="stack">
        {items.slice(0, FOUND_MAX).map(({ id, question }) => (
          <li key={id}>
            <a href={urlOf('settings', { q: id })}>
              <Ticked text={question} />
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

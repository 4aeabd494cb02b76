import { shownStatus } from '../../world/events.ts'
import { tellMoney } from '../format.ts'
import { journalRows, matcher, pageOf } from '../list.tsx'
import { Badge, Card, Empty } from '../parts.tsx'
import type { Draw, View } from '../view.ts'
import { tellDelivery } from './related.tsx'
import { pathOf, Status } from './requests.tsx'
import { nameOf } from './users.tsx'

const FOUND_MAX = 12

/** Everything that has the words in it. */
export const search: Draw = (view) => {
  const query = view.query.get('q') ?? ''
  const fits = matcher(query)
  const found = fits ? findAll(view, fits).filter(({ rows }) => rows.length > 0) : []
  return {
    title: query ? `Search: ${query}` : 'Search',
    part: 'Search',
    body: (
      <>
        <header class="page-head">
          <h1>{query ? `What has “${query}” in it` : 'Search'}</h1>
        </header>
        <div class="grid">
          {found.map(({ title, rows }) => (
            <Card key={title} title={title}>
              <ul class="stack">{rows}</ul>
            </Card>
          ))}
        </div>
        {found.length === 0 && (
          <Empty title={query ? 'Nothing has it.' : 'Nothing was asked.'}>
            <p>Look for an e-mail address, a name, an id, a wallet, a reference or a path.</p>
          </Empty>
        )}
      </>
    ),
  }
}

function findAll(view: View, fits: (texts: readonly unknown[]) => boolean) {
  const { world, outbox, requests } = view.sight
  const some = <Row,>(
    source: { length: number; at(index: number): Row | undefined },
    texts: (row: Row) => readonly unknown[],
  ) => pageOf(view, source, (row) => fits(texts(row))).rows.slice(0, FOUND_MAX)
  const emailOf = (userId: string) => world.usersById.get(userId)?.email
  return [
    {
      title: 'Users',
      rows: some(world.users, (row) => [row.id, row.email, nameOf(row), row.profile.phone]).map(
        ({ id, email, status }) => (
          <li key={id} class="row">
            <Badge status={status} />
            <a href={view.page(`users/${id}`)}>{email}</a>
          </li>
        ),
      ),
    },
    {
      title: 'Transactions',
      rows: some(world.transactions, (row) => [
        row.id,
        row.rmtId,
        row.wallet,
        row.depositAddress,
        row.quoteId,
        row.paymentId,
        row.externalSessionId,
        emailOf(row.userId),
      ]).map((row) => (
        <li key={row.id} class="row">
          <Badge status={shownStatus(world, row.status)} />
          <a href={view.page(`transactions/${row.id}`)}>
            {`${tellMoney(row.leftSide, row.leftSideLabel)} → ${row.rightSideLabel}, ${row.rmtId}`}
          </a>
        </li>
      )),
    },
    {
      title: 'Messages',
      rows: some(journalRows(world.messages), (row) => [row.to, row.subject, row.text]).map(
        ({ id, subject, to }) => (
          <li key={id}>
            <a href={view.page(`inbox/${id}`)}>{`${subject}, to ${to}`}</a>
          </li>
        ),
      ),
    },
    {
      title: 'Deliveries',
      rows: some(journalRows(outbox.journal), (row) => [row.id, row.eventId, row.ref, row.url]).map(
        (row) => (
          <li key={row.id} class="row">
            <Badge status={row.outcome} />
            <a href={view.page(`deliveries/${row.id}`)}>{tellDelivery(row)}</a>
          </li>
        ),
      ),
    },
    {
      title: 'Requests',
      rows: some(journalRows(requests), (row) => [
        row.id,
        row.url,
        row.operation,
        row.refusal?.message,
      ]).map((row) => (
        <li key={row.id} class="row">
          <Status request={row} />
          <a href={view.page(`requests/${row.id}`)}>{`${row.method} ${pathOf(row, view)}`}</a>
        </li>
      )),
    },
  ]
}

import type { Child } from 'hono/jsx'
import { isFinal } from '../../world/transaction-status.ts'
import { TaskList } from '../clock-bar.tsx'
import { tellNumber } from '../format.ts'
import { Badge, Card, Code, Fields, Id, Time } from '../parts.tsx'
import type { Draw, View } from '../view.ts'
import { tellDelivery } from './related.tsx'
import { firstCurl, pathOf, Status } from './requests.tsx'

const HAPPENED_MAX = 16

export const overview: Draw = (view) => ({
  title: 'Overview',
  part: 'Overview',
  body: (
    <>
      <header class="page-head">
        <h1>{view.sight.name === 'default' ? 'Overview' : `World ${view.sight.name}`}</h1>
      </header>
      <Figures view={view} />
      <div class="aside-main">
        <div class="columns">
          <Start view={view} />
          <Card title="What falls due">
            <TaskList view={view} />
          </Card>
        </div>
        <Happened view={view} />
      </div>
    </>
  ),
})

const Figures = ({ view }: { view: View }) => {
  const { world, outbox, requests } = view.sight
  const active = [...world.transactionCounts].reduce(
    (sum, [status, count]) => sum + (isFinal(status) ? 0 : count),
    0,
  )
  const figures: [number, string, string][] = [
    [world.users.length, 'users', view.page('users')],
    [
      world.userCounts.get('verified') ?? 0,
      'of them verified',
      view.page('users', { status: 'verified' }),
    ],
    [world.transactions.length, 'transactions', view.page('transactions')],
    [active, 'of them active', view.page('transactions')],
    [outbox.journal.last, 'webhooks', view.page('deliveries')],
    [requests.last, 'requests', view.page('requests')],
  ]
  return (
    <div class="figures">
      {figures.map(([count, noun, href]) => (
        <a key={noun} href={href}>
          <b>{tellNumber(count)}</b>
          <span>{noun}</span>
        </a>
      ))}
    </div>
  )
}

const Start = ({ view }: { view: View }) => {
  const { world, baseUrl } = view
  const isEmpty = world.users.length === 0
  return (
    <Card title={isEmpty ? 'Begin here' : 'This world'}>
      <Fields
        rows={[
          ['Base URL', <Id key="url" id={baseUrl} what="the base URL" />],
          ...world.integrators.map(({ name, apiKey, actsWithoutToken }): [string, Child] => [
            `API key, ${name}`,
            <span key={name}>
              <Id id={apiKey} what={`the API key of ${name}`} />
              {actsWithoutToken && <span class="quiet"> may act without a token</span>}
            </span>,
          ]),
          ['Fixture', `${world.fixture}, seed ${world.seed}`],
        ]}
      />
      {isEmpty && (
        <>
          <p>
            Nobody is here yet. Call the API, <a href={view.page('users')}>add a user</a>, or watch
            the <a href={view.link('/_sandbox/demo')}>demo wallet</a> do all of it.
          </p>
          <Code text={firstCurl(view)} what="a first call as curl" />
        </>
      )}
    </Card>
  )
}

interface Row {
  at: number
  kind: string
  body: Child
}

const Happened = ({ view }: { view: View }) => {
  const rows = gather(view)
  return (
    <Card title="What happened">
      {rows.length > 0 ? (
        <ol class="happened flush">
          {rows.map(({ at, kind, body }, index) => (
            <li key={index}>
              <Time at={at} now={view.world.now} />
              <span class="kind">{kind}</span>
              {body}
            </li>
          ))}
        </ol>
      ) : (
        <p class="hint">Nothing yet. Calls, messages and webhooks show up here as they happen.</p>
      )}
    </Card>
  )
}

/** The newest of everything, newest first. */
function gather(view: View): Row[] {
  const { world, outbox, requests } = view.sight
  const from = (last: number) => Math.max(0, last - HAPPENED_MAX)
  const calls = requests.after(from(requests.last)).map(
    (row): Row => ({
      at: row.at,
      kind: 'request',
      body: (
        <a href={view.page(`requests/${row.id}`)}>
          <Status request={row} /> {`${row.method} ${pathOf(row, view)}`}
        </a>
      ),
    }),
  )
  const messages = world.messages.after(from(world.messages.last)).map(
    (row): Row => ({
      at: row.sentAt,
      kind: 'message',
      body: <a href={view.page(`inbox/${row.id}`)}>{`${row.subject}, to ${row.to}`}</a>,
    }),
  )
  const hooks = outbox.journal.after(from(outbox.journal.last)).map(
    (row): Row => ({
      at: row.occurredAt,
      kind: 'webhook',
      body: (
        <a href={view.page(`deliveries/${row.id}`)}>
          <Badge status={row.outcome} /> {tellDelivery(row)}
        </a>
      ),
    }),
  )
  return [...hooks.reverse(), ...messages.reverse(), ...calls.reverse()]
    .sort((a, b) => b.at - a.at)
    .slice(0, HAPPENED_MAX)
}

import { isFinal } from '../../world/transaction-status.ts'
import { TaskList } from '../clock-bar.tsx'
import { formatNumber } from '../format.ts'
import { NewTransaction } from '../new-transaction.tsx'
import { Card, Code, Fields, Id, PageHead } from '../parts.tsx'
import { TimelineSection } from '../timeline/section.tsx'
import type { RenderPage, View } from '../view.ts'
import { firstCurl } from './requests.tsx'

export const overview: RenderPage = (view) => ({
  title: 'Overview',
  body: (
    <>
      <PageHead
        title={view.services.name === 'default' ? 'Overview' : `World ${view.services.name}`}
      >
        <NewTransaction view={view} />
      </PageHead>
      <Figures view={view} />
      <div class="main-aside">
        <TimelineSection view={view} />
        <div class="columns">
          <Start view={view} />
          <Card title="Scheduled">
            <TaskList view={view} />
          </Card>
        </div>
      </div>
    </>
  ),
})

const Figures = ({ view }: { view: View }) => {
  const { world, outbox, requests: calls } = view.services
  const active = [...world.transactionCounts].reduce(
    (sum, [status, count]) => sum + (isFinal(status) ? 0 : count),
    0,
  )
  const figures: [number, string, string][] = [
    [world.users.length, 'Users', view.page('users')],
    [
      world.userCounts.get('verified') ?? 0,
      'Verified users',
      view.page('users', { status: 'verified' }),
    ],
    [world.transactions.length, 'Transactions', view.page('transactions')],
    [active, 'Active transactions', view.page('transactions')],
    [outbox.journal.last, 'Webhooks', view.page('deliveries')],
    [calls.last, 'Requests', view.page('requests')],
  ]
  return (
    <div class="figures">
      {figures.map(([count, noun, href]) => (
        <a href={href}>
          <b>{formatNumber(count)}</b>
          <span>{noun}</span>
        </a>
      ))}
    </div>
  )
}

const Start = ({ view }: { view: View }) => {
  const { world, baseUrl } = view
  const storage = view.control.storage()
  const isEmpty = world.users.length === 0
  return (
    <Card title={isEmpty ? 'Get started' : 'This world'}>
      <Fields
        rows={{
          'Base URL': <Id id={baseUrl} what="the base URL" />,
          ...Object.fromEntries(
            world.integrators.map(({ name, apiKey, actsWithoutToken }) => [
              `API key, ${name}`,
              <span>
                <Id id={apiKey} what={`the API key of ${name}`} />
                {actsWithoutToken && <span class="quiet"> may act without a token</span>}
              </span>,
            ]),
          ),
          Reference: <a href={view.link('/_sandbox/reference')}>Every call, to read and to try</a>,
          Fixture: `${world.fixture}, seed ${world.seed}`,
          'Data file': storage ? (storage.reason ?? 'All changes are saved') : undefined,
        }}
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

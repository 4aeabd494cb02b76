import { type Fault, isLeft } from '../../engine/faults.ts'
import { formatLength } from '../format.ts'
import { Act } from '../forms.tsx'
import { Badge, Card, Code, Empty, PageHead } from '../parts.tsx'
import type { RenderPage } from '../view.ts'

export const faults: RenderPage = (view) => {
  const list = view.services.faults.list()
  const left = list.filter(isLeft).length
  return {
    title: 'Faults',
    body: (
      <>
        <PageHead title="Faults" count={`${left} active`}>
          <p>
            Each fault applies a set number of times. If several match, the first one added applies.
            A request shows which fault applied to it. Any other fault:{' '}
            <a href={view.link('/_sandbox/reference/createFault')}>createFault in the reference</a>.
          </p>
        </PageHead>
        <div class="halves">
          <Presets />
          <FaultList faults={list} />
        </div>
      </>
    ),
  }
}

const FaultList = ({ faults: list }: { faults: readonly Fault[] }) => (
  <Card
    title="Faults"
    aside={
      list.length > 0 && (
        <Act method="DELETE" path="/_sandbox/faults" kind="danger" done="No faults left">
          Remove all
        </Act>
      )
    }
  >
    <ul class="stack">
      {list.map((fault) => (
        <li class="stack fault" id={fault.id}>
          <div class="row">
            <b>{presetOf(fault)?.title ?? (fault.on === 'api' ? 'API' : 'Webhook')}</b>
            <span class="quiet">
              {`${fault.hits} of ${fault.times} done${fault.skip > 0 ? `, after ${fault.skip}` : ''}`}
            </span>
            {!isLeft(fault) && <Badge status="spent" tone="quiet" />}
            <Act
              method="DELETE"
              path={`/_sandbox/faults/${fault.id}`}
              kind="danger"
              done="The fault is removed"
            >
              Remove
            </Act>
          </div>
          <Code text={formatFault(fault)} what="this fault" />
        </li>
      ))}
    </ul>
    {list.length === 0 && (
      <Empty title="No faults.">
        <p>Add one to see how your program copes with it.</p>
      </Empty>
    )}
  </Card>
)

function formatFault({ match, then }: Fault): string {
  const { delayMs, ...effect } = then
  const delay = delayMs === undefined ? {} : { delay: formatLength(delayMs) }
  return `match ${JSON.stringify(match)}\nthen  ${JSON.stringify({ ...delay, ...effect })}`
}

interface Preset {
  title: string
  text: string
  /** As `POST /_sandbox/faults` takes it. */
  fault: { on: 'api' | 'webhook'; match?: object; times?: number; then: object }
}

/** What integrators fear most, ready to add. */
const PRESETS: readonly Preset[] = [
  {
    title: 'API down for 3 calls',
    text: 'Each of the next 3 calls gets 503 and does nothing.',
    fault: { on: 'api', times: 3, then: { status: 503 } },
  },
  {
    title: '503 once',
    text: 'The next call gets 503 and does nothing.',
    fault: { on: 'api', times: 1, then: { status: 503 } },
  },
  {
    title: 'Response lost',
    text: 'The next POST is done, but the connection breaks before its response.',
    fault: { on: 'api', match: { method: 'POST' }, then: { connection: 'lost' } },
  },
  {
    title: 'Slow API',
    text: 'The response to the next call is 5 seconds late.',
    fault: { on: 'api', then: { delay: '5s' } },
  },
  {
    title: 'Too many requests',
    text: 'The next call gets 429 with Retry-After: 1.',
    fault: { on: 'api', then: { status: 429, headers: { 'retry-after': '1' } } },
  },
  {
    title: 'Webhook twice',
    text: 'The next webhook is sent two times, with the same event id.',
    fault: { on: 'webhook', then: { duplicate: true } },
  },
  {
    title: 'Late webhook',
    text: 'The next webhook is sent 5 seconds late.',
    fault: { on: 'webhook', then: { delay: '5s' } },
  },
  {
    title: 'Webhook lost',
    text: 'The next webhook is not sent at all.',
    fault: { on: 'webhook', then: { drop: true } },
  },
  {
    title: 'Webhooks out of order',
    text: 'The next webhook is sent after the one that follows it.',
    fault: { on: 'webhook', then: { reorder: true } },
  },
  {
    title: 'Webhook before the response',
    text: 'The next webhook arrives before the response to the call that causes it.',
    fault: { on: 'webhook', then: { beforeResponse: true } },
  },
  {
    title: 'Bad signature',
    text: 'The next webhook is signed with another secret; your receiver should reject it.',
    fault: { on: 'webhook', then: { signature: 'bad' } },
  },
]

const Presets = () => (
  <Card title="Common faults">
    <ul class="presets flush">
      {PRESETS.map(({ title, text, fault }) => (
        <li>
          <div>
            <b>{title}</b>
            <p class="quiet">{text}</p>
          </div>
          <Act path="/_sandbox/faults" body={fault} done={`Added: ${title}`}>
            <span aria-hidden="true">Add</span>
            <span class="unseen">{`Add: ${title}`}</span>
          </Act>
        </li>
      ))}
    </ul>
  </Card>
)

/** The preset that a fault was made from; undefined for a custom one. */
function presetOf({ on, match, then, times }: Fault): Preset | undefined {
  const { delayMs, ...effect } = then
  const own = JSON.stringify([on, match, { ...effect, delay: delayMs }, times])
  return PRESETS.find(({ fault }) => {
    const { delay, ...rest } = fault.then as { delay?: string }
    const delayed = { ...rest, delay: delay && Number.parseInt(delay, 10) * 1000 }
    return own === JSON.stringify([fault.on, fault.match ?? {}, delayed, fault.times ?? 1])
  })
}

import {
  describeEffect,
  describeMatch,
  type Fault,
  type FaultRequest,
  isLeft,
} from '../../engine/faults.ts'
import { OPERATION_IDS } from '../../world/settings/operations.ts'
import { EVENT_TYPES } from '../../world/words.ts'
import { Act, CallForm, Input } from '../forms.tsx'
import { Badge, Card, Empty, PageHead } from '../parts.tsx'
import type { RenderPage } from '../view.ts'

export const faults: RenderPage = (view) => {
  const list = view.services.faults.list()
  return {
    title: 'Faults',
    body: (
      <>
        <PageHead title="Faults" count={`${list.filter(isLeft).length} active`}>
          <p>
            Each fault applies a set number of times. If several match, the first one added applies.
            The page of a request names the fault that applied to it. For any other fault, see{' '}
            <a href={view.link('/_sandbox/reference/createFault')}>createFault in the reference</a>.
          </p>
        </PageHead>
        <div class="grid">
          <Card title="Common faults">
            <ul class="presets flush">{PRESETS.map(showPreset)}</ul>
          </Card>
          <Card
            title="Faults"
            aside={
              list.length > 0 && (
                <Act call="DELETE /_sandbox/faults" done="All faults removed">
                  Remove all
                </Act>
              )
            }
          >
            <ul class="stack">{list.map(showFault)}</ul>
            {list.length === 0 && (
              <Empty title="No faults.">
                <p>Add one to see how your program copes with it.</p>
              </Empty>
            )}
          </Card>
        </div>
      </>
    ),
  }
}

const showFault = (fault: Fault) => (
  <li class="stack fault" id={fault.id}>
    <div class="row">
      <b>{nameOfFault(fault)}</b>
      <span class="quiet">
        {`${fault.hits} of ${fault.times} done${fault.skip > 0 ? `, after ${fault.skip}` : ''}`}
      </span>
      {!isLeft(fault) && <Badge status="spent" tone="quiet" />}
      <Act call={`DELETE /_sandbox/faults/${fault.id}`} done="Fault removed">
        Remove
      </Act>
    </div>
    <p>{`${describeMatch(fault)}: ${describeEffect(fault.on, fault.then)}`}</p>
  </li>
)

interface Preset {
  title: string
  text: string
  /** The body of `POST /_sandbox/faults`. */
  fault: { on: Fault['on']; match?: object; times?: number; then: object }
}

const PRESETS: readonly Preset[] = [
  {
    title: 'API down for 3 calls',
    text: 'Each of the next 3 calls gets a 503 and has no effect.',
    fault: { on: 'api', times: 3, then: { status: 503 } },
  },
  {
    title: '503 once',
    text: 'The next call gets a 503 and has no effect.',
    fault: { on: 'api', then: { status: 503 } },
  },
  {
    title: 'Gateway error',
    text: 'The next call gets a 502 with an HTML page, as from a proxy, and has no effect.',
    fault: {
      on: 'api',
      then: {
        status: 502,
        body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
        headers: { 'content-type': 'text/html' },
      },
    },
  },
  {
    title: 'Response lost',
    text: 'The next POST takes effect, but the connection breaks before the response arrives.',
    fault: { on: 'api', match: { method: 'POST' }, then: { connection: 'lost' } },
  },
  {
    title: 'Slow API',
    text: 'The response to the next call comes 5 seconds late.',
    fault: { on: 'api', then: { delay: 5_000 } },
  },
  {
    title: 'Too many requests',
    text: 'The next call gets a 429 with Retry-After: 1.',
    fault: { on: 'api', then: { status: 429, headers: { 'retry-after': '1' } } },
  },
  {
    title: 'Webhook twice',
    text: 'The next webhook is sent twice, with the same event id.',
    fault: { on: 'webhook', then: { duplicate: true } },
  },
  {
    title: 'Late webhook',
    text: 'The next webhook is sent 5 seconds late.',
    fault: { on: 'webhook', then: { delay: 5_000 } },
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
    fault: { on: 'webhook', then: { mutate: 'signature' } },
  },
]

const EVENTS = [['', 'any event'] as const, ...EVENT_TYPES]
const OPERATIONS = [['', 'any call'] as const, ...OPERATION_IDS]

const showPreset = ({ title, text, fault }: Preset) => (
  <li>
    <div>
      <b>{title}</b>
      <p class="quiet">{text}</p>
    </div>
    <CallForm
      call="/_sandbox/faults"
      body={fault}
      done={`Added: ${title}`}
      label={title}
      class="row preset"
    >
      {fault.on === 'api' ? (
        <Input name="match.operation" options={OPERATIONS} label={`Calls of ${title}`} />
      ) : (
        <Input name="match.type" options={EVENTS} label={`Events of ${title}`} />
      )}
      <Input
        name="times"
        type="number"
        value={String(fault.times ?? 1)}
        min="1"
        step="1"
        label={`How often: ${title}`}
      />
      <button type="submit" class="button" aria-label={`Add: ${title}`}>
        Add
      </button>
    </CallForm>
  </li>
)

/** The name of the preset that a fault was made from, or of the one with the same effect. */
function nameOfFault({ on, times, then: { delayMs: delay, ...effect } }: FaultRequest) {
  const toText = (fault: Preset['fault']) => JSON.stringify([fault.on, fault.then])
  const own = toText({ on, then: { ...effect, delay } })
  const alike = PRESETS.filter(({ fault }) => toText(fault) === own)
  const same = alike.find(({ fault }) => (fault.times ?? 1) === times)
  return (same ?? alike.at(-1))?.title ?? (on === 'api' ? 'API' : 'Webhook')
}

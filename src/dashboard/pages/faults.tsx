import type { Child } from 'hono/jsx'
import type { Fault } from '../../engine/faults.ts'
import { plural, tellLength } from '../format.ts'
import { Act, CallForm, Card, Code, Empty } from '../parts.tsx'
import type { Draw, View } from '../view.ts'

/** Misbehaviour that is ordered: what it meets, how often, and what it does. */
export const faults: Draw = (view) => {
  const ordered = view.sight.faults.list()
  return {
    title: 'Faults',
    part: 'Faults',
    body: (
      <>
        <header class="page-head">
          <h1>Faults</h1>
          <span class="quiet">{plural(ordered.length, 'fault')}</span>
          <p>
            What goes wrong next, counted: of several that fit, the first one ordered wins. A call
            that met one says so among the requests.
          </p>
        </header>
        <div class="grid">
          <Ordered view={view} faults={ordered} />
          <ApiForm view={view} />
          <WebhookForm view={view} />
        </div>
      </>
    ),
  }
}

const Ordered = ({ view, faults: ordered }: { view: View; faults: readonly Fault[] }) => (
  <Card
    title="Ordered"
    aside={
      ordered.length > 0 && (
        <Act
          view={view}
          method="DELETE"
          path="/_sandbox/faults"
          kind="danger"
          done="No faults left"
        >
          Forget all
        </Act>
      )
    }
  >
    <ul class="stack">
      {ordered.map((fault) => (
        <li key={fault.id} class="stack">
          <div class="row">
            <b>{fault.on === 'api' ? 'API' : 'Webhook'}</b>
            <span class="quiet">
              {`${fault.hits} of ${fault.times} done${fault.skip > 0 ? `, after ${fault.skip}` : ''}`}
            </span>
            <Act
              view={view}
              method="DELETE"
              path={`/_sandbox/faults/${fault.id}`}
              kind="danger"
              done="The fault is forgotten"
            >
              Forget
            </Act>
          </div>
          <Code text={tellFault(fault)} what="this fault" />
        </li>
      ))}
    </ul>
    {ordered.length === 0 && (
      <Empty title="Everything works.">
        <p>Order a fault to see how a program copes with it.</p>
      </Empty>
    )}
  </Card>
)

function tellFault({ match, then }: Fault): string {
  const { delayMs, ...effect } = then
  const delay = delayMs === undefined ? {} : { delay: tellLength(delayMs) }
  return `match ${JSON.stringify(match)}\nthen  ${JSON.stringify({ ...delay, ...effect })}`
}

interface FaultFormProps {
  view: View
  on: 'api' | 'webhook'
  title: string
  children: Child
}

const FaultForm = ({ view, on, title, children }: FaultFormProps) => (
  <Card title={title}>
    <CallForm
      view={view}
      path="/_sandbox/faults"
      body={{ on }}
      done="The fault is ordered"
      class="stack"
      label={title}
    >
      {children}
      <Often />
    </CallForm>
  </Card>
)

const ApiForm = ({ view }: { view: View }) => (
  <FaultForm view={view} on="api" title="Disturb the API">
    <label class="field">
      Path, where * is anything
      <input name="match.path" placeholder="any, or /v2/transactions*" autocomplete="off" />
    </label>
    <label class="field">
      Method
      <select name="match.method">
        <option value="">any</option>
        {['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => (
          <option key={method}>{method}</option>
        ))}
      </select>
    </label>
    <label class="field">
      Answers the status
      <input name="then.status" type="number" min="400" max="599" data-type="number" value="503" />
    </label>
    <label class="field">
      The connection
      <select name="then.connection">
        <option value="">holds</option>
        <option value="reset">breaks before anything is done</option>
        <option value="truncate">breaks half-way through the answer</option>
        <option value="lost">breaks after it was done</option>
      </select>
    </label>
    <Delay />
  </FaultForm>
)

/** What both the API and webhooks can be ordered to do. */
const Delay = () => (
  <label class="field">
    Waits before
    <input name="then.delay" placeholder="not, or 2s" autocomplete="off" />
  </label>
)

const FLAGS = [
  ['drop', 'Never leaves'],
  ['duplicate', 'Leaves twice'],
  ['reorder', 'Leaves after the next one'],
  ['beforeResponse', 'Leaves before the API has answered'],
] as const

const WebhookForm = ({ view }: { view: View }) => (
  <FaultForm view={view} on="webhook" title="Disturb webhooks">
    <label class="field">
      Type
      <select name="match.type">
        <option value="">any</option>
        <option>transaction.update</option>
        <option>user.update</option>
      </select>
    </label>
    <label class="field">
      Status it tells
      <input name="match.status" placeholder="any, or complete" autocomplete="off" />
    </label>
    {FLAGS.map(([name, text]) => (
      <label key={name} class="check">
        <input
          type="checkbox"
          name={`then.${name}`}
          data-type="flag"
          checked={name === 'duplicate'}
        />
        {text}
      </label>
    ))}
    <label class="check">
      <input type="checkbox" name="then.signature" value="bad" data-type="flag-text" />
      Is signed wrongly
    </label>
    <label class="check">
      <input type="checkbox" name="then.timestamp" value="stale" data-type="flag-text" />
      Has an old timestamp
    </label>
    <Delay />
  </FaultForm>
)

const Often = () => (
  <div class="often">
    <label class="field">
      Times
      <input name="times" type="number" min="1" data-type="number" value="1" size={6} />
    </label>
    <label class="field">
      After skipping
      <input name="skip" type="number" min="0" data-type="number" value="0" size={6} />
    </label>
    <button type="submit" class="button primary">
      Order
    </button>
  </div>
)

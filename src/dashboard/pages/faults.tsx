import type { Child } from 'hono/jsx'
import type { Fault } from '../../engine/faults.ts'
import { formatLength, plural } from '../format.ts'
import { Act, CallForm, Card, Code, Empty } from '../parts.tsx'
import type { RenderPage, View } from '../view.ts'

export const faults: RenderPage = (view) => {
  const list = view.services.faults.list()
  return {
    title: 'Faults',
    part: 'Faults',
    body: (
      <>
        <header class="page-head">
          <h1>Faults</h1>
          <span class="quiet">{plural(list.length, 'fault')}</span>
          <p>
            Each fault applies a set number of times. If several match, the first one added applies.
            Requests show which fault they met.
          </p>
        </header>
        <div class="grid">
          <FaultList view={view} faults={list} />
          <ApiForm view={view} />
          <WebhookForm view={view} />
        </div>
      </>
    ),
  }
}

const FaultList = ({ view, faults: list }: { view: View; faults: readonly Fault[] }) => (
  <Card
    title="Active faults"
    aside={
      list.length > 0 && (
        <Act
          view={view}
          method="DELETE"
          path="/_sandbox/faults"
          kind="danger"
          done="No faults left"
        >
          Remove all
        </Act>
      )
    }
  >
    <ul class="stack">
      {list.map((fault) => (
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
      <Empty title="Everything works.">
        <p>Add a fault to see how a program copes with it.</p>
      </Empty>
    )}
  </Card>
)

function formatFault({ match, then }: Fault): string {
  const { delayMs, ...effect } = then
  const delay = delayMs === undefined ? {} : { delay: formatLength(delayMs) }
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
      done="The fault is added"
      class="stack"
      label={title}
    >
      {children}
      <Often />
    </CallForm>
  </Card>
)

const ApiForm = ({ view }: { view: View }) => (
  <FaultForm view={view} on="api" title="API faults">
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
      Status code
      <input name="then.status" type="number" min="400" max="599" data-type="number" value="503" />
    </label>
    <label class="field">
      Connection
      <select name="then.connection">
        <option value="">normal</option>
        <option value="reset">breaks before anything is done</option>
        <option value="truncate">breaks half-way through the answer</option>
        <option value="lost">breaks after it was done</option>
      </select>
    </label>
    <Delay />
  </FaultForm>
)

const Delay = () => (
  <label class="field">
    Delay
    <input name="then.delay" placeholder="none, or 2s" autocomplete="off" />
  </label>
)

const FLAGS = [
  ['drop', 'Drop'],
  ['duplicate', 'Duplicate'],
  ['reorder', 'Send after the next one'],
  ['beforeResponse', 'Send before the API has answered'],
] as const

const WebhookForm = ({ view }: { view: View }) => (
  <FaultForm view={view} on="webhook" title="Webhook faults">
    <label class="field">
      Type
      <select name="match.type">
        <option value="">any</option>
        <option>transaction.update</option>
        <option>user.update</option>
      </select>
    </label>
    <label class="field">
      Event status
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
      Bad signature
    </label>
    <label class="check">
      <input type="checkbox" name="then.timestamp" value="stale" data-type="flag-text" />
      Old timestamp
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
      Add fault
    </button>
  </div>
)

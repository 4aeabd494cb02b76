import type { Child } from 'hono/jsx'
import { type Fault, isLeft } from '../../engine/faults.ts'
import { formatLength } from '../format.ts'
import { Act, CallForm, Check, Field, NumberField, SelectField, Submit } from '../forms.tsx'
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
            A request shows which fault applied to it.
          </p>
        </PageHead>
        <div class="halves">
          <Presets />
          <div class="columns">
            <FaultList faults={list} />
            <details class="custom" id="custom-api">
              <summary>Custom API fault</summary>
              <ApiForm />
            </details>
            <details class="custom" id="custom-webhook">
              <summary>Custom webhook fault</summary>
              <WebhookForm />
            </details>
          </div>
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

interface FaultFormProps {
  on: 'api' | 'webhook'
  title: string
  children: Child
}

const FaultForm = ({ on, title, children }: FaultFormProps) => (
  <div class="custom-form">
    <CallForm
      path="/_sandbox/faults"
      body={{ on }}
      done="The fault is added"
      class="stack"
      label={title}
    >
      {children}
      <div class="often">
        <NumberField label="Times" name="times" min="1" step="1" value="1" size={6} />
        <NumberField label="After skipping" name="skip" step="1" value="0" size={6} />
        <Submit text="Add fault" kind="primary" />
      </div>
    </CallForm>
  </div>
)

const ANY = ['', 'any'] as const
const METHODS = [ANY, 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const EVENT_TYPES = [ANY, 'transaction.update', 'user.update']
const CONNECTIONS = [
  ['', 'normal'],
  ['reset', 'breaks before anything is done'],
  ['truncate', 'breaks half-way through the response'],
  ['lost', 'breaks after it was done'],
] as const

const ApiForm = () => (
  <FaultForm on="api" title="API faults">
    <Field
      label="Path"
      name="match.path"
      placeholder="any"
      hint="Below the base URL, such as /v2/transactions*; * stands for anything."
    />
    <SelectField name="match.method" label="Method" options={METHODS} />
    <NumberField label="Status code" name="then.status" min="400" max="599" step="1" value="503" />
    <SelectField name="then.connection" label="Connection" options={CONNECTIONS} />
    <Delay />
  </FaultForm>
)

const Delay = () => (
  <Field
    label="Delay"
    name="then.delay"
    placeholder="none"
    hint="500ms, 2s or PT2S; 60s at most."
  />
)

const FLAGS: readonly { name: string; text: string; value?: string }[] = [
  { name: 'drop', text: 'Drop' },
  { name: 'duplicate', text: 'Duplicate' },
  { name: 'reorder', text: 'Send after the next one' },
  { name: 'beforeResponse', text: 'Send before the API responds' },
  { name: 'signature', text: 'Bad signature', value: 'bad' },
  { name: 'timestamp', text: 'Old timestamp', value: 'stale' },
]

const WebhookForm = () => (
  <FaultForm on="webhook" title="Webhook faults">
    <SelectField name="match.type" label="Type" options={EVENT_TYPES} />
    <Field
      label="Event status"
      name="match.status"
      placeholder="any"
      hint="Such as complete or verified."
    />
    {FLAGS.map(({ name, text, value }) => (
      <Check
        label={text}
        name={`then.${name}`}
        value={value}
        data-type={value ? 'flag-text' : 'flag'}
        checked={name === 'duplicate'}
      />
    ))}
    <Delay />
  </FaultForm>
)

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

import { useEffect, useState } from 'preact/hooks'
import type { CreateApiFault, CreateWebhookFault, FaultRecord } from '../../control-api/wire.ts'
import { act } from '../lib/act.ts'
import { Act, Field, Form } from '../lib/form.tsx'
import { useRead } from '../lib/live.ts'
import { Badge, Card, Empty, PageHead } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import { useTitle } from '../lib/title.ts'
import { useDocument } from './reference/document.ts'
import { EVENT_TYPES } from './words.tsx'

/** What makes calls or webhooks go wrong, and how often each has. */
export const Faults = () => {
  const { data } = useRead<'faults.list'>('/faults')
  const faults = data?.items
  const active = faults?.filter(isLeft).length
  useTitle('Faults')
  return (
    <>
      <PageHead title="Faults" {...(faults && { count: `${active} active` })}>
        <p>
          Each fault applies a set number of times. If several match, the first one added applies.
          The page of a request names the fault that applied to it. For any other fault, see{' '}
          <a href={urlOf('reference/createFault')}>createFault in the reference</a>.
        </p>
      </PageHead>
      <div class="grid">
        <Card title="Add a fault">
          <NewFault />
        </Card>
        <Card
          title="Faults"
          aside={
            faults &&
            faults.length > 0 && (
              <Act call="DELETE /_sandbox/faults" done="All faults removed">
                Remove all
              </Act>
            )
          }
        >
          <ul class="stack">
            {faults?.map((fault) => (
              <Fault key={fault.id} of={fault} />
            ))}
          </ul>
          {faults?.length === 0 && (
            <Empty title="No faults.">
              <p>Add one to see how your program copes with it.</p>
            </Empty>
          )}
        </Card>
      </div>
    </>
  )
}

const isLeft = ({ hits, times }: FaultRecord) => hits < times

const Fault = ({ of: fault }: { of: FaultRecord }) => {
  const { id, hits, times, skip, effect } = fault
  const isTarget = location.hash === `#${id}`
  useEffect(() => {
    if (isTarget) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id, isTarget])
  return (
    <li class={`stack fault ${isTarget ? 'target' : ''}`} id={id}>
      <p>
        <b>{`${fault.for}: ${effect}`}</b>
      </p>
      <div class="row">
        <span class="quiet">{`${hits} of ${times} done${skip > 0 ? `, after ${skip}` : ''}`}</span>
        {!isLeft(fault) && <Badge status="spent" tone="quiet" />}
        <Act call={`DELETE /_sandbox/faults/${id}`} done="Fault removed">
          Remove
        </Act>
      </div>
    </li>
  )
}

interface Preset {
  title: string
  text: string
  fault: Omit<CreateApiFault, 'match'> | Omit<CreateWebhookFault, 'match'>
}

const PRESETS: readonly Preset[] = [
  {
    title: 'Error 503',
    text: 'The call gets a 503 and has no effect.',
    fault: { on: 'api', then: { status: 503 } },
  },
  {
    title: 'Gateway error',
    text: 'The call gets a 502 with an HTML page, as from a proxy, and has no effect.',
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
    title: 'Too many requests',
    text: 'The call gets a 429 with Retry-After: 1.',
    fault: { on: 'api', then: { status: 429, headers: { 'retry-after': '1' } } },
  },
  {
    title: 'Slow API',
    text: 'The response comes 5 seconds late.',
    fault: { on: 'api', then: { delay: '5s' } },
  },
  {
    title: 'Response lost',
    text: 'The call takes effect, but the connection breaks before the response arrives.',
    fault: { on: 'api', then: { connection: 'lost' } },
  },
  {
    title: 'Connection reset',
    text: 'The connection breaks before the call takes effect.',
    fault: { on: 'api', then: { connection: 'reset' } },
  },
  {
    title: 'Webhook twice',
    text: 'The webhook is sent twice, with the same event id.',
    fault: { on: 'webhook', then: { duplicate: true } },
  },
  {
    title: 'Late webhook',
    text: 'The webhook is sent 5 seconds late.',
    fault: { on: 'webhook', then: { delay: '5s' } },
  },
  {
    title: 'Webhook lost',
    text: 'The webhook is not sent at all.',
    fault: { on: 'webhook', then: { drop: true } },
  },
  {
    title: 'Webhooks out of order',
    text: 'The webhook is sent after the one that follows it.',
    fault: { on: 'webhook', then: { reorder: true } },
  },
  {
    title: 'Webhook before the response',
    text: 'The webhook arrives before the response to the call that causes it.',
    fault: { on: 'webhook', then: { beforeResponse: true } },
  },
  {
    title: 'Bad signature',
    text: 'The webhook is signed with another secret; your receiver should reject it.',
    fault: { on: 'webhook', then: { mutate: 'signature' } },
  },
]

const [FIRST] = PRESETS as [Preset]
const EVENTS = [['', 'Any event'] as const, ...EVENT_TYPES]

/** The form that adds a fault: what goes wrong, where, and how often. */
const NewFault = () => {
  const [chosen, choose] = useState(FIRST)
  const { title, text, fault } = chosen
  const send = async (fields: object) =>
    // The form keeps what was chosen, since the same fault is often added again.
    (await act({ call: '/_sandbox/faults', body: fault, done: `Added: ${title}` }, fields)) ?? []
  const find = (name: string) => PRESETS.find((preset) => preset.title === name) ?? FIRST
  return (
    <Form class="stack" label="Add a fault" submit="Add" kind="primary" onSend={send}>
      <label class="field">
        What goes wrong
        <select onChange={({ currentTarget }) => choose(find(currentTarget.value))}>
          {(['api', 'webhook'] as const).map((on) => (
            <optgroup key={on} label={on === 'api' ? 'Calls' : 'Webhooks'}>
              {PRESETS.filter((preset) => preset.fault.on === on).map((preset) => (
                <option key={preset.title} selected={preset === chosen}>
                  {preset.title}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <span class="hint">{text}</span>
      </label>
      {fault.on === 'api' ? (
        <ApiMatch />
      ) : (
        <Field key="type" name="match.type" label="For which webhooks" options={EVENTS} />
      )}
      <div class="row">
        <Field name="times" type="number" label="How many times" value="1" />
        <Field name="skip" type="number" label="Let pass first" value="0" />
      </div>
    </Form>
  )
}

const ApiMatch = () => {
  const groups = useDocument('/openapi.json')?.groups ?? []
  const ids = groups.flatMap(({ operations }) => operations).filter(({ isWebhook }) => !isWebhook)
  const options = [['', 'Any call'] as const, ...ids.map(({ id }) => id).sort()]
  return <Field key="call" name="match.operation" label="For which calls" options={options} />
}

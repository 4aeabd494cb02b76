import { useEffect, useState } from 'preact/hooks'
import type { CreateApiFault, CreateWebhookFault, FaultRecord } from '../../control-api/wire.ts'
import { act } from '../lib/act.ts'
import { Act, Field, Form, Options } from '../lib/form.tsx'
import { useRead } from '../lib/live.ts'
import { Badge, Card, Empty, PageHead, Quiet } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import { useDocument } from './reference/document.ts'
import { EVENT_TYPES } from './words.tsx'

/** Faults, with how often each was applied. */
export const Faults = () => {
  const { data } = useRead<'faults.list'>('/faults')
  const faults = data?.items
  const active = faults?.filter(isLeft).length
  return (
    <>
      <PageHead title="Faults" count={faults && `${active} active`}>
        <p>
          Each fault applies a set number of times. If several match, the first one added applies.
          The page of a request names the fault that applied to it. To add any other fault, see{' '}
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
              <Act call="DELETE /faults" done="All faults removed">
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
              <p>Add one to see how your app copes with it.</p>
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
        <Quiet
          text={`applied ${hits} of ${times} times${skip > 0 ? `, skipping the first ${skip}` : ''}`}
        />
        {!isLeft(fault) && <Badge status="spent" tone="quiet" />}
        <Act call={`DELETE /faults/${id}`} done="Fault removed">
          Remove
        </Act>
      </div>
    </li>
  )
}

/** What a fault does, in the words of the form. */
const PRESETS: Readonly<
  Record<string, Omit<CreateApiFault, 'match'> | Omit<CreateWebhookFault, 'match'>>
> = {
  'Error 503, call not run': { on: 'api', then: { status: 503 } },
  'Gateway error: 502 with HTML, call not run': {
    on: 'api',
    then: {
      status: 502,
      body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
      headers: { 'content-type': 'text/html' },
    },
  },
  'Too many requests: 429 with Retry-After': {
    on: 'api',
    then: { status: 429, headers: { 'retry-after': '1' } },
  },
  'Slow API: response after 5 s': { on: 'api', then: { delay: '5s' } },
  'Response lost after the call took effect': { on: 'api', then: { connection: 'lost' } },
  'Connection reset before the call takes effect': { on: 'api', then: { connection: 'reset' } },
  'Webhook sent twice': { on: 'webhook', then: { duplicate: true } },
  'Webhook 5 s late': { on: 'webhook', then: { delay: '5s' } },
  'Webhook lost': { on: 'webhook', then: { drop: true } },
  'Webhook sent after the next one': { on: 'webhook', then: { reorder: true } },
  'Webhook sent before the response': { on: 'webhook', then: { beforeResponse: true } },
  'Webhook with a wrong signature': { on: 'webhook', then: { mutate: 'signature' } },
}

const TITLES = Object.keys(PRESETS)
const EVENTS = [['', 'Any event'] as const, ...EVENT_TYPES]

/** The form that adds a fault: what goes wrong, where, and how often. */
const NewFault = () => {
  const [title = '', choose] = useState(TITLES[0])
  const fault = PRESETS[title]
  const send = async (fields: object) =>
    // The form keeps what was chosen, since the same fault is often added again.
    (await act({ call: '/faults', body: { ...fault }, done: `Added: ${title}` }, fields)) ?? []
  return (
    <Form class="stack" label="Add a fault" submit="Add" kind="primary" onSend={send}>
      <label class="field">
        What goes wrong
        <select value={title} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <Options of={TITLES} />
        </select>
      </label>
      {fault?.on === 'api' ? (
        <ApiMatch />
      ) : (
        <Field key="type" name="match.type" label="For which webhooks" options={EVENTS} />
      )}
      <div class="row">
        <Field name="times" type="number" label="How many times" value="1" />
        <Field name="skip" type="number" label="Matches to skip first" value="0" />
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

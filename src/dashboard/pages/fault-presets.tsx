import { Act } from '../forms.tsx'
import { Card } from '../parts.tsx'

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
    text: 'Each of the next 3 answers 503 and does nothing.',
    fault: { on: 'api', times: 3, then: { status: 503 } },
  },
  {
    title: 'Answer lost',
    text: 'The next POST is done, but the connection breaks before its answer.',
    fault: { on: 'api', match: { method: 'POST' }, then: { connection: 'lost' } },
  },
  {
    title: 'Slow API',
    text: 'The next call is answered 5 seconds late.',
    fault: { on: 'api', then: { delay: '5s' } },
  },
  {
    title: 'Too many requests',
    text: 'The next call answers 429 with Retry-After: 1.',
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
    title: 'Webhook before the answer',
    text: 'The next webhook arrives before the call that causes it is answered.',
    fault: { on: 'webhook', then: { beforeResponse: true } },
  },
  {
    title: 'Bad signature',
    text: 'The next webhook is signed with another secret; your receiver should reject it.',
    fault: { on: 'webhook', then: { signature: 'bad' } },
  },
]

export const Presets = () => (
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

import { diagnoseOutcome } from '../../webhooks/outcome-diagnosis.ts'
import type { Integrator } from '../../world/state.ts'
import { formatDelivery } from '../format.ts'
import { Act, CallForm, Field, Submit } from '../forms.tsx'
import { Badge, Card, Empty, Id, PageHead, Problem, Table, Time } from '../parts.tsx'
import { journalRows, newest } from '../rows.ts'
import type { RenderPage, View } from '../view.ts'
import { LegacyWebhooksCard } from './legacy-webhooks.tsx'

/** Deliveries that are searched for the last one of an integrator. */
const SCAN_MAX = 2_000
const CAUGHT_SHOWN = 8
const CATCH = 'me'
const CONFIGURATION = '/v2/webhook-configurations'

interface Props {
  view: View
  integrator: Integrator
}

/** Where the webhooks of an integrator go, and whether they get there. */
export const webhooks: RenderPage = (view, name) => {
  const { integrators, integratorsByName } = view.world
  const integrator = name === undefined ? integrators[0] : integratorsByName.get(name)
  if (!integrator) return undefined
  return {
    title: 'Webhooks',
    body: (
      <>
        <PageHead title="Webhooks">
          <p>
            Where this integrator’s events are sent. <code>PUT /v2/webhook-configurations</code>{' '}
            from your program sets the same URL.
          </p>
        </PageHead>
        {integrators.length > 1 && <Tabs view={view} integrator={integrator} />}
        <div class="halves">
          <div class="columns">
            <Destination view={view} integrator={integrator} />
            <LastDelivery view={view} integrator={integrator} />
            <Secret {...integrator} />
          </div>
          <div class="columns">
            <LegacyWebhooksCard view={view} integrator={integrator} url={catchUrl(view)} />
          </div>
        </div>
        <Receiver view={view} />
      </>
    ),
  }
}

const Tabs = ({ view, integrator }: Props) => (
  <nav class="tabs" aria-label="Integrators">
    {view.world.integrators.map(({ name }) => (
      <a
        href={view.page(`webhooks/${encodeURIComponent(name)}`)}
        aria-current={name === integrator.name ? 'page' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
)

const catchUrl = (view: View) => `${view.baseUrl}/_sandbox/catch/${CATCH}`

const Destination = ({ view, integrator: { apiKey, webhook } }: Props) => {
  const isBuiltIn = webhook?.url === catchUrl(view)
  return (
    <Card
      title="Events (v2)"
      aside={<Badge status={webhook ? 'on' : 'off'} tone={webhook ? 'good' : 'quiet'} />}
    >
      <CallForm
        method="PUT"
        path={CONFIGURATION}
        apiKey={apiKey}
        done="Events go there from now on"
        class="stack"
        label="URL of v2 events"
      >
        <Field
          label="URL"
          name="url"
          required
          inputmode="url"
          value={webhook?.url ?? ''}
          placeholder="http://localhost:3000/webhooks"
          hint="https://, or http:// to this machine and to hosts named with --allow-webhook-host."
        />
        <div class="actions">
          <Submit text="Save" kind="primary" />
          <Act
            path={`${CONFIGURATION}/test`}
            apiKey={apiKey}
            disabled={!webhook}
            title={webhook ? undefined : 'Set a URL first'}
            done="Test event: {data.deliveredStatusCode} {data.deliveredStatusText}"
          >
            Send test event
          </Act>
          <Act
            method="PUT"
            path={CONFIGURATION}
            body={{ url: catchUrl(view) }}
            apiKey={apiKey}
            disabled={isBuiltIn}
            done="Events go to the built-in receiver"
          >
            {isBuiltIn ? 'Built-in receiver is used' : 'Use built-in receiver'}
          </Act>
          {webhook && (
            <Act
              method="DELETE"
              path={CONFIGURATION}
              apiKey={apiKey}
              kind="danger"
              sure="Stop sending?"
              done="Events are not sent any more"
            >
              Turn off
            </Act>
          )}
        </div>
      </CallForm>
    </Card>
  )
}

const Secret = ({ name, apiKey, signingSecret }: Integrator) => (
  <Card title="Signing secret">
    {signingSecret ? (
      <div class="stack">
        <Id id={signingSecret} what={`the signing secret of ${name}`} />
        <div class="actions">
          <Act
            path={`${CONFIGURATION}/signing-secret/rotate`}
            apiKey={apiKey}
            sure="Replace it?"
            done="The secret is rotated"
          >
            Rotate
          </Act>
        </div>
        <p class="hint">
          Signs v2 and legacy webhooks. After a rotation the old one signs nothing any more.
        </p>
      </div>
    ) : (
      <p class="hint">None yet: the first URL that is saved comes with one.</p>
    )}
  </Card>
)

const LastDelivery = ({ view, integrator }: Props) => {
  const rows = newest(journalRows(view.services.outbox.journal), SCAN_MAX)
  const delivery = rows.find((row) => row.integrator === integrator.name)
  const problem = delivery && diagnoseOutcome(view.world, delivery)
  return (
    <Card title="Last delivery" aside={delivery && <Badge status={delivery.outcome} />}>
      {delivery ? (
        <div class="stack">
          <p class="row">
            <a href={view.page(`deliveries/${delivery.id}`)}>{formatDelivery(delivery)}</a>
            <span class="quiet">
              <Time at={delivery.occurredAt} now={view.world.now} />
            </span>
          </p>
          {problem && <Problem {...problem} />}
          {problem && (
            <div class="actions">
              <Act path={`/_sandbox/webhooks/deliveries/${delivery.id}/resend`} done="Sent again">
                Resend
              </Act>
            </div>
          )}
        </div>
      ) : (
        <p class="hint">Nothing has happened yet that sends one.</p>
      )}
    </Card>
  )
}

/** What the built-in receiver got. */
const Receiver = ({ view }: { view: View }) => {
  const rows = newest(journalRows(view.services.catcher.open(CATCH).requests), CAUGHT_SHOWN)
  return (
    <Card
      title="Built-in receiver"
      aside={<Id id={catchUrl(view)} what="the URL of the receiver" />}
    >
      {rows.length > 0 ? (
        <Table
          head={['Received', 'Signature', 'Body']}
          rows={rows.map(({ receivedAt, signature, body }) => [
            <Time at={receivedAt} now={receivedAt} />,
            <Badge status={signature} tone={signature === 'valid' ? 'good' : 'bad'} />,
            <code class="cut" title={body}>
              {body}
            </code>,
          ])}
        />
      ) : (
        <Empty title="Nothing received yet.">
          <p>It takes any request, checks the signature, and answers 200.</p>
        </Empty>
      )}
    </Card>
  )
}

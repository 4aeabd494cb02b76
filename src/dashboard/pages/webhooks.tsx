import {
  allLegacyWebhooks,
  type Integrator,
  LEGACY_HOOKS,
  type LegacyHook,
} from '../../world/state.ts'
import { describeSunset } from '../../world/sunset.ts'
import { Act, CallForm, Field } from '../forms.tsx'
import { Badge, Card, Id } from '../parts.tsx'
import { keptQuery } from '../split.tsx'
import type { View } from '../view.ts'

const CONFIGURATION = '/v2/webhook-configurations'
const catchUrl = (view: View) => `${view.baseUrl}/_sandbox/catch/me`

/** The webhook settings of an integrator; open until there is a URL. */
export const Configuration = ({ view }: { view: View }) => {
  const { integrators, integratorsByName } = view.world
  const asked = view.query.get('integrator')
  const integrator = integratorsByName.get(asked ?? '') ?? integrators[0]
  if (!integrator) return null
  const { name, webhook } = integrator
  const isInUse = integrators.some((each) => each.webhook || each.legacyWebhooks)
  return (
    <details class="custom configuration" id="configuration" open={!isInUse || asked !== null}>
      <summary>
        Configuration{' '}
        <span class="quiet">{webhook ? `${name} → ${webhook.url}` : 'no URL yet'}</span>
      </summary>
      {integrators.length > 1 && (
        <nav class="tabs" aria-label="Integrators">
          {integrators.map((each) => (
            <a
              href={view.page('webhooks', { ...keptQuery(view), integrator: each.name })}
              aria-current={each === integrator ? 'page' : undefined}
            >
              {each.name}
            </a>
          ))}
        </nav>
      )}
      <div class="grid">
        <div class="columns">
          {showDestination(view, integrator)}
          {showSecret(integrator)}
        </div>
        {showLegacyWebhooks(view, integrator)}
      </div>
    </details>
  )
}

function showDestination(view: View, { apiKey, webhook }: Integrator) {
  const isBuiltIn = webhook?.url === catchUrl(view)
  return (
    <Card
      title="Events (v2)"
      aside={<Badge status={webhook ? 'on' : 'off'} tone={webhook ? 'good' : 'quiet'} />}
    >
      <CallForm
        call={`PUT ${CONFIGURATION}`}
        apiKey={apiKey}
        done="Events now go to this URL"
        class="stack"
        label="URL of v2 events"
        submit="Save"
        kind="primary"
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
      </CallForm>
      <div class="actions">
        <Act
          call={`${CONFIGURATION}/test`}
          apiKey={apiKey}
          disabled={!webhook}
          title={webhook ? undefined : 'Set a URL first'}
          done="Test event: {data.deliveredStatusCode} {data.deliveredStatusText}"
        >
          Send test event
        </Act>
        <Act
          call={`PUT ${CONFIGURATION}`}
          body={{ url: catchUrl(view) }}
          apiKey={apiKey}
          disabled={isBuiltIn}
          done="Events now go to the built-in receiver"
        >
          {isBuiltIn ? 'Built-in receiver in use' : 'Use built-in receiver'}
        </Act>
        {webhook && (
          <Act
            call={`DELETE ${CONFIGURATION}`}
            apiKey={apiKey}
            sure="Stop sending?"
            done="Events are no longer sent"
          >
            Turn off
          </Act>
        )}
      </div>
    </Card>
  )
}

const showSecret = ({ name, apiKey, signingSecret }: Integrator) =>
  signingSecret && (
    <Card title="Signing secret">
      <div class="row">
        <Id id={signingSecret} what={`the signing secret of ${name}`} />
        <Act
          call={`${CONFIGURATION}/signing-secret/rotate`}
          apiKey={apiKey}
          sure="Replace it?"
          done="Secret rotated"
        >
          Rotate
        </Act>
      </div>
    </Card>
  )

const HOOKS: Record<LegacyHook, string> = {
  verifiedEmail: 'A user is verified',
  transactionInitiated: 'A transaction is created',
  transactionComplete: 'A transaction is complete',
  transactionStatusUpdate: 'A transaction changes status',
}

function showLegacyWebhooks(view: View, { legacyWebhooks }: Integrator) {
  const hooks = legacyWebhooks ?? allLegacyWebhooks()
  const count = LEGACY_HOOKS.filter((hook) => hooks[`${hook}Enabled`]).length
  const urlOf = (hook: LegacyHook) => (hooks[`${hook}Enabled`] ? hooks[`${hook}Url`] : 'off')
  return (
    <Card
      title="Legacy webhooks (v1)"
      aside={
        <Badge status={count > 0 ? `${count} on` : 'off'} tone={count > 0 ? 'good' : 'quiet'} />
      }
      fields={Object.fromEntries(LEGACY_HOOKS.map((hook) => [HOOKS[hook], urlOf(hook)]))}
    >
      <a class="button" href={view.link('/_sandbox/reference/v1PatchWebhooks')}>
        Change them
      </a>
      <p class="hint">{describeSunset(view.world).sentence}</p>
    </Card>
  )
}

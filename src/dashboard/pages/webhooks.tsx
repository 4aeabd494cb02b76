import { LEGACY_HOOKS, type LegacyHook, noLegacyWebhooks } from '../../world/legacy-webhooks.ts'
import type { Integrator } from '../../world/state.ts'
import { describeSunset } from '../../world/sunset.ts'
import { Act, CallForm, Field, Submit } from '../forms.tsx'
import { Badge, Card, Fields, Id } from '../parts.tsx'
import { keptQuery } from '../split.tsx'
import type { View } from '../view.ts'

const CATCH = 'me'
const CONFIGURATION = '/v2/webhook-configurations'

interface Props {
  view: View
  integrator: Integrator
}

/** Where the webhooks of an integrator go; open until there is a URL. */
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
      {integrators.length > 1 && <Tabs view={view} integrator={integrator} />}
      <div class="halves">
        <div class="columns">
          <Destination view={view} integrator={integrator} />
          <Secret {...integrator} />
        </div>
        <LegacyWebhooksCard view={view} integrator={integrator} />
      </div>
    </details>
  )
}

const Tabs = ({ view, integrator }: Props) => (
  <nav class="tabs" aria-label="Integrators">
    {view.world.integrators.map(({ name }) => (
      <a
        href={view.page('webhooks', { ...keptQuery(view), integrator: name })}
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

const Secret = ({ name, apiKey, signingSecret }: Integrator) =>
  signingSecret && (
    <Card title="Signing secret">
      <div class="row">
        <Id id={signingSecret} what={`the signing secret of ${name}`} />
        <Act
          path={`${CONFIGURATION}/signing-secret/rotate`}
          apiKey={apiKey}
          sure="Replace it?"
          done="The secret is rotated"
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
  transactionStatusUpdate: 'A transaction changes its status',
}

const LegacyWebhooksCard = ({ view, integrator }: Props) => {
  const { apiKey, legacyWebhooks } = integrator
  const hooks = legacyWebhooks ?? noLegacyWebhooks()
  const count = LEGACY_HOOKS.filter((hook) => hooks[hook].enabled).length
  return (
    <Card
      title="Legacy webhooks (v1)"
      aside={
        <Badge status={count > 0 ? `${count} on` : 'off'} tone={count > 0 ? 'good' : 'quiet'} />
      }
    >
      <div class="stack">
        <Fields
          rows={Object.fromEntries(
            LEGACY_HOOKS.map((hook) => [
              HOOKS[hook],
              hooks[hook].enabled ? hooks[hook].url : 'off',
            ]),
          )}
        />
        <div class="actions">
          <AllLegacy apiKey={apiKey} url={catchUrl(view)} />
          {count > 0 && <AllLegacy apiKey={apiKey} />}
          <a class="button" href={view.link('/_sandbox/reference/v1PatchWebhooks')}>
            Set each of them
          </a>
        </div>
        <p class="hint">{describeSunset(view.world).sentence}</p>
      </div>
    </Card>
  )
}

/** Turns all four on, to one URL, or off. */
const AllLegacy = ({ apiKey, url }: { apiKey: string; url?: string }) => {
  const fields = LEGACY_HOOKS.flatMap((hook) => [
    [`${hook}Enabled`, url !== undefined],
    ...(url ? [[`${hook}Url`, url]] : []),
  ])
  return (
    <Act
      method="PATCH"
      path="/webhooks"
      body={Object.fromEntries(fields)}
      apiKey={apiKey}
      done={url ? 'Legacy webhooks go to the built-in receiver' : 'Legacy webhooks are off'}
    >
      {url ? 'Use built-in receiver for all' : 'Turn all off'}
    </Act>
  )
}

import { useState } from 'preact/hooks'
import type { WebhookSettings, Wire, WorldInfo } from '../../control-api/wire.ts'
import { Choices } from '../lib/filters.tsx'
import { Act, CallForm, Field } from '../lib/form.tsx'
import { useRead } from '../lib/live.ts'
import { Badge, Card, Fields, Id, Quiet } from '../lib/parts.tsx'
import { query, urlOf } from '../lib/router.ts'
import { info } from './info.ts'

const CONFIGURATION = '/v2/webhook-configurations'
const CATCH = 'me'

/** The webhook settings of an integrator; open until there is a URL. */
export const Configuration = () => {
  const { data } = useRead<'webhooks.settings'>('/webhooks/settings')
  return data && info.value ? <Settings {...data} /> : null
}

const Settings = ({ integrators, receiverUrl }: Wire['webhooks.settings']['response']) => {
  const asked = query.value.get('integrator')
  const chosen = integrators.find((each) => each.integrator === asked) ?? integrators[0]
  const integrator = info.value?.integrators.find(({ name }) => name === chosen?.integrator)
  const isInUse = integrators.some(({ url, legacy }) => url !== null || legacy !== null)
  // Only at first: what is opened or closed then stays so.
  const [isOpen] = useState(!isInUse || asked !== null)
  if (!chosen || !integrator) return null
  const line = chosen.url ? `${integrator.name} → ${chosen.url}` : 'no URL yet'
  return (
    <details class="custom configuration" id="configuration" open={isOpen}>
      <summary>
        Configuration <Quiet text={line} />
      </summary>
      {integrators.length > 1 && (
        <Choices
          label="Integrators"
          name="integrator"
          options={integrators.map((each) => each.integrator)}
          chosen={integrator.name}
        />
      )}
      <div class="grid" key={integrator.name}>
        <div class="columns">
          <Destination of={chosen} {...integrator} receiverUrl={receiverUrl} />
          <Secret of={chosen} apiKey={integrator.apiKey} />
        </div>
        <LegacyWebhooks of={chosen} />
      </div>
    </details>
  )
}

type DestinationProps = { of: WebhookSettings; receiverUrl: string | null } & Pick<
  WorldInfo['integrators'][number],
  'apiKey'
>

const Destination = ({ of: { url }, apiKey, receiverUrl }: DestinationProps) => {
  const catchUrl = `${receiverUrl ?? `${info.value?.controlUrl}/catch`}/${CATCH}`
  const isBuiltIn = url === catchUrl
  return (
    <Card
      title="Events (v2)"
      aside={<Badge status={url ? 'on' : 'off'} tone={url ? 'good' : 'quiet'} />}
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
          inputMode="url"
          value={url ?? ''}
          placeholder="http://localhost:3000/webhooks"
          hint="https://, or http:// to this machine and to hosts named with --allow-webhook-host."
        />
      </CallForm>
      <div class="actions">
        <Act
          call={`${CONFIGURATION}/test`}
          apiKey={apiKey}
          disabled={!url}
          title={url ? undefined : 'Set a URL first'}
          done="Test event"
        >
          Send test event
        </Act>
        <Act
          call={`PUT ${CONFIGURATION}`}
          body={{ url: catchUrl }}
          apiKey={apiKey}
          disabled={isBuiltIn}
          done="Events now go to the built-in receiver"
        >
          {isBuiltIn ? 'Built-in receiver in use' : 'Use built-in receiver'}
        </Act>
        {url && (
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

const Secret = ({ of, apiKey }: { of: WebhookSettings; apiKey: string }) => {
  if (!of.signingSecret) return null
  return (
    <Card title="Signing secret">
      <div class="row">
        <Id id={of.signingSecret} what={`the signing secret of ${of.integrator}`} />
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
}

const LegacyWebhooks = ({ of: { legacy } }: { of: WebhookSettings }) => {
  const all: Readonly<Record<string, unknown>> = legacy ?? {}
  const urls = Object.keys(all).filter(
    (name) => name.endsWith('Url') && all[name] && all[name.replace('Url', 'Enabled')],
  )
  return (
    <Card
      title="Legacy webhooks (v1)"
      aside={
        <Badge
          status={urls.length > 0 ? `${urls.length} on` : 'off'}
          tone={urls.length > 0 ? 'good' : 'quiet'}
        />
      }
    >
      <Fields rows={Object.fromEntries(urls.map((name) => [name, String(all[name])]))} />
      <a class="button" href={urlOf('reference/v1PatchWebhooks')}>
        Change them
      </a>
      <p class="hint">{info.value?.v1.sentence}</p>
    </Card>
  )
}

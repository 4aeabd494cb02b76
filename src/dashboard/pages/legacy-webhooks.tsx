import {
  LEGACY_HOOKS,
  type LegacyHook,
  type LegacyWebhooks,
  noLegacyWebhooks,
} from '../../world/legacy-webhooks.ts'
import type { Integrator } from '../../world/state.ts'
import { describeSunset } from '../../world/sunset.ts'
import { Act, CallForm, Check, Field, Submit } from '../forms.tsx'
import { Badge, Card } from '../parts.tsx'
import type { View } from '../view.ts'

interface Props {
  view: View
  integrator: Integrator
  /** Of the built-in receiver. */
  url: string
}

const HOOKS: Record<LegacyHook, string> = {
  verifiedEmail: 'A user is verified',
  transactionInitiated: 'A transaction is created',
  transactionComplete: 'A transaction is complete',
  transactionStatusUpdate: 'A transaction changes its status',
}

export const LegacyWebhooksCard = ({ view, integrator, url }: Props) => {
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
      <CallForm
        method="PATCH"
        path="/webhooks"
        apiKey={apiKey}
        done="The legacy webhooks are saved"
        class="stack"
        label="Legacy webhooks"
      >
        {LEGACY_HOOKS.map((hook) => (
          <LegacyFields hook={hook} {...hooks[hook]} />
        ))}
        <div class="actions">
          <Submit text="Save" kind="primary" />
          <AllLegacy apiKey={apiKey} url={url} />
          {count > 0 && <AllLegacy apiKey={apiKey} />}
        </div>
        <p class="hint">{describeSunset(view.world).sentence}</p>
      </CallForm>
    </Card>
  )
}

const LegacyFields = ({
  hook,
  enabled,
  url,
}: { hook: LegacyHook } & LegacyWebhooks[LegacyHook]) => (
  <div class="legacy">
    <Check label={HOOKS[hook]} name={`${hook}Enabled`} checked={enabled} />
    <Field
      label={`URL of ${hook}`}
      name={`${hook}Url`}
      data-empty="text"
      inputmode="url"
      value={url}
      placeholder="http://localhost:3000/v1-webhooks"
    />
  </div>
)

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

import { countActive, countUnsuccessful, maximumCad } from '../../world/limits.ts'
import type { User } from '../../world/state.ts'
import { formatLength, formatNumber } from '../format.ts'
import { Act, CallForm, Field, Submit } from '../forms.tsx'
import { Card } from '../parts.tsx'
import type { View } from '../view.ts'

interface Props {
  view: View
  user: User
}

export const LimitsCard = ({ view, user }: Props) => {
  const { world } = view
  const { settings } = world
  const window = formatLength(settings['limits.window'])
  const maximum = maximumCad(world, user)
  return (
    <Card title="Limits">
      <div class="stack">
        <Meter
          text="Active at once"
          count={countActive(world, user)}
          maximum={settings['limits.active']}
        />
        <Meter
          text={`Cancelled or expired in ${window}`}
          count={countUnsuccessful(world, user)}
          maximum={settings['limits.cancelled']}
        />
        <p class="hint">
          {`Each from ${formatNumber(settings['limits.minimum'])} to ${formatNumber(maximum)} CAD`}
          {user.maximumCad !== null && ', which is this account’s own maximum'}.
        </p>
      </div>
    </Card>
  )
}

const Meter = ({ text, count, maximum }: { text: string; count: number; maximum: number }) => (
  <div class={`meter ${count >= maximum ? 'full' : ''}`}>
    <div class="words">
      <span>{text}</span>
      <b>
        {count} of {maximum}
      </b>
    </div>
    <progress value={Math.min(count, maximum)} max={Math.max(maximum, 1)} aria-label={text} />
  </div>
)

export const AccountCard = ({ view, user }: Props) => {
  const { id, autodeposit, keyAccess, maximumCad: own, loginCode } = user
  const path = `/_sandbox/simulate/users/${id}/account`
  const accessibleBy = keyAccess ? ['jwt'] : ['jwt', 'apiKey']
  return (
    <Card title="Account">
      <div class="actions">
        <Act
          view={view}
          path={path}
          body={{ autodeposit: !autodeposit }}
          done={`Autodeposit is ${autodeposit ? 'off' : 'on'}`}
        >
          {autodeposit ? 'Autodeposit on: switch off' : 'Autodeposit off: switch on'}
        </Act>
        <Act
          view={view}
          path={`/_sandbox/simulate/users/${id}/access`}
          body={{ accessibleBy }}
          done={keyAccess ? 'Key-only access is taken back' : 'Key-only access is granted'}
        >
          {keyAccess ? 'Take key-only access back' : 'Grant key-only access'}
        </Act>
      </div>
      <CallForm view={view} path={path} done="The account is changed" class="stack" label="Account">
        <Field
          label="Own maximum per transaction, in CAD"
          name="maximumCad"
          type="number"
          min="0"
          step="any"
          data-type="number"
          data-empty="null"
          value={own ?? ''}
          placeholder="the general one"
        />
        <Field
          label="Fixed login code"
          name="loginCode"
          inputmode="numeric"
          pattern="[0-9]{4}"
          data-empty="null"
          value={loginCode ?? ''}
          placeholder="a new one each time"
        />
        <div>
          <Submit text="Save" />
        </div>
      </CallForm>
    </Card>
  )
}

import { countActive, countUnsuccessful, maximumCad } from '../../world/limits.ts'
import type { User } from '../../world/state.ts'
import { formatLength, formatNumber } from '../format.ts'
import { Act, CallForm, Field, NumberField, Submit } from '../forms.tsx'
import { Card, Countdown } from '../parts.tsx'
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
  const { active, unsuccessful } = world.transactionsOfUser(user.id)
  const [oldestActive] = active
  const [oldestUnsuccessful] = unsuccessful
  return (
    <Card title="Limits">
      <div class="stack">
        <Meter
          view={view}
          text={`Active, created in the last ${window}`}
          count={countActive(world, user)}
          maximum={settings['limits.active']}
          oldest={oldestActive?.createdAt}
        />
        <Meter
          view={view}
          text={`Cancelled or expired in the last ${window}`}
          count={countUnsuccessful(world, user)}
          maximum={settings['limits.cancelled']}
          oldest={oldestUnsuccessful?.closedAt ?? undefined}
        />
        <p class="hint">
          {`Each transaction from ${formatNumber(settings['limits.minimum'])} to ${formatNumber(maximum)} CAD`}
          {user.maximumCad !== null && ', which is this user’s own maximum'}.
        </p>
      </div>
    </Card>
  )
}

interface MeterProps {
  view: View
  text: string
  count: number
  maximum: number
  /** When the oldest that counts began to. */
  oldest: number | undefined
}

/** A count against its maximum, and when the next one leaves the window. */
const Meter = ({ view: { world }, text, count, maximum, oldest }: MeterProps) => (
  <div class={`meter ${count >= maximum ? 'full' : ''}`}>
    <div class="words">
      <span>{text}</span>
      <b>
        {count} of {maximum}
      </b>
    </div>
    <progress value={Math.min(count, maximum)} max={Math.max(maximum, 1)} aria-label={text} />
    {count > 0 && oldest !== undefined && (
      <p class="hint">
        The oldest leaves the window{' '}
        <Countdown at={oldest + world.settings['limits.window']} now={world.now} />.
      </p>
    )}
  </div>
)

export const AccountCard = ({ user }: Pick<Props, 'user'>) => {
  const { id, autodeposit, keyAccess, maximumCad: own, loginCode } = user
  const path = `/_sandbox/simulate/users/${id}/account`
  const accessibleBy = keyAccess ? ['jwt'] : ['jwt', 'apiKey']
  return (
    <Card title="Account">
      <div class="actions">
        <Act
          path={path}
          body={{ autodeposit: !autodeposit }}
          done={`Autodeposit is ${autodeposit ? 'off' : 'on'}`}
        >
          {autodeposit ? 'Autodeposit on: switch off' : 'Autodeposit off: switch on'}
        </Act>
        <Act
          path={`/_sandbox/simulate/users/${id}/access`}
          body={{ accessibleBy }}
          done={keyAccess ? 'Key-only access revoked' : 'Key-only access granted'}
        >
          {keyAccess ? 'Revoke key-only access' : 'Grant key-only access'}
        </Act>
      </div>
      <CallForm path={path} done="The account is changed" class="stack" label="Account">
        <NumberField
          label="Own maximum per transaction, in CAD"
          name="maximumCad"
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

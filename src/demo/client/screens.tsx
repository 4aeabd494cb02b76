import { useState } from 'hono/jsx/dom'
import { enter, goHome, identify, order, register, verifyCode } from './flow.ts'
import { badgeTone, formatAmount, Press, Problem, ScreenForm } from './parts.tsx'
import { change, state } from './store.ts'

export const Welcome = () => (
  <ScreenForm submit="Continue" step="enter" act={() => enter(state.email)}>
    <div class="hero">
      <div class="logo" aria-hidden="true">
        <i />
      </div>
      <h1>Example Wallet</h1>
      <p class="quiet">Dollars you can send anywhere, bought with an e-transfer.</p>
    </div>
    <label class="field">
      E-mail address
      <input
        type="email"
        required
        value={state.email}
        onInput={(event: Event) => change({ email: (event.target as HTMLInputElement).value })}
      />
    </label>
  </ScreenForm>
)

const FIELDS = [
  ['firstName', 'First name', 'Ana'],
  ['lastName', 'Last name', 'Silva'],
  ['dob', 'Date of birth', '1992-03-14'],
  ['phone', 'Phone', '4165550142'],
  ['addressLine1', 'Street', '77 Example Street'],
  ['city', 'City', 'Toronto'],
  ['province', 'Province', 'ON'],
  ['postalCode', 'Postal code', 'M5V 3L9'],
  ['occupation', 'Occupation', 'Designer'],
] as const

export const Profile = () => (
  <ScreenForm
    submit="Create my account"
    step="register"
    act={(fields) => register({ ...Object.fromEntries(fields), pep: false, tpd: false })}
  >
    <h1>About you</h1>
    <div class="profile">
      {FIELDS.map(([name, label, value]) => (
        <label key={name} class="field">
          {label}
          <input name={name} value={value} required autocomplete="off" />
        </label>
      ))}
    </div>
  </ScreenForm>
)

const WAITING: Record<string, string> = {
  'in-review': 'A reviewer looks at it now. This takes a moment.',
  upload: 'More documents are needed.',
  rejected: 'Your identity could not be verified.',
}

export const Identify = () => (
  <div class="screen framed">
    {WAITING[state.userStatus] && (
      <div class="banner" role="status">
        <span>{WAITING[state.userStatus]}</span>
        <Press step="again" act={identify}>
          Try again
        </Press>
      </div>
    )}
    <Problem />
    <iframe src={state.kycUrl} title="Identity check" />
  </div>
)

export const Code = () => {
  const [code, setCode] = useState('')
  return (
    <ScreenForm
      submit="Log in"
      act={() => verifyCode(code)}
      hint="Tap the message above to use its code."
    >
      <h1>Enter your code</h1>
      <p class="quiet">{`We sent four digits to ${state.email}.`}</p>
      <input
        class="code-input"
        inputmode="numeric"
        pattern="[0-9]{4}"
        maxlength={4}
        required
        aria-label="Login code"
        value={code}
        onInput={(event: Event) => setCode((event.target as HTMLInputElement).value)}
      />
    </ScreenForm>
  )
}

export const Home = () => (
  <div class="screen">
    <h1>Hello</h1>
    <p class="quiet">{state.email}</p>
    <div class="pair">
      <Press step="buy" kind="primary" act={() => order('buy')}>
        Buy
      </Press>
      <Press step="sell" kind="primary" act={() => order('sell')}>
        Sell
      </Press>
    </div>
    <Problem />
    <Limits />
    <h2>Last transactions</h2>
    <ul class="trades">
      {state.transactions.map((row) => (
        <li key={row.id}>
          <button type="button" onClick={() => change({ transaction: row, screen: screenOf(row) })}>
            <span>{`${formatAmount(row.leftSideValue, row.leftSideLabel)} → ${formatAmount(row.rightSideValue, row.rightSideLabel)}`}</span>
            <span class={`badge ${badgeTone(row.status)}`}>{row.status.split(' ')[0]}</span>
          </button>
        </li>
      ))}
      {state.transactions.length === 0 && <li class="hint">None yet. Buy something.</li>}
    </ul>
    <Press step="refresh" act={goHome}>
      Refresh
    </Press>
  </div>
)

const Limits = () => {
  const { minimum, maximum } = state.limits?.CAD ?? {}
  return maximum === undefined ? null : (
    <p class="hint">{`From ${formatAmount(minimum, 'CAD')} to ${formatAmount(maximum, 'CAD')} each.`}</p>
  )
}

const screenOf = ({ status }: { status: string }) =>
  status.startsWith('pending') || status.startsWith('processing') ? 'pay' : 'done'

import { useState } from 'preact/hooks'
import { formatMoment } from './format.ts'
import type { IconName } from './icons.tsx'
import {
  checkAgain,
  enter,
  identify,
  PROFILE_FIELDS,
  PROVINCES,
  register,
  sendCode,
  verifyCode,
} from './onboarding.ts'
import { Foot, Logo, Outcome, Press, ScreenForm, Top, Track, WebPage } from './parts.tsx'
import { WRONG_CODE } from './queue.ts'
import { change, state } from './store.ts'
import { theme } from './theme.ts'

export const Welcome = () => (
  <ScreenForm submit="Continue" step="enter" act={enter}>
    <div class="hero">
      <Logo size={76} />
      <h1>{theme.name}</h1>
      <p class="quiet">Buy and sell stablecoins from your bank account.</p>
    </div>
    <label class="field">
      E-mail address
      <input
        type="email"
        name="email"
        required
        autocomplete="off"
        aria-invalid={state.problemField === 'email' ? 'true' : undefined}
        value={state.email}
        onInput={(event: Event) => change({ email: (event.target as HTMLInputElement).value })}
      />
    </label>
  </ScreenForm>
)

/** Hints of fields whose label does not say what is accepted. */
const HELP: Readonly<Record<string, string>> = {
  dob: 'you must be 18 or over.',
  phone: 'ten digits, such as 416 555 0142.',
  postalCode: 'use the form M5V 3L9.',
}

export const Profile = () => (
  <ScreenForm submit="Create my account" step="register" act={register}>
    <Top title="About you" back={() => change({ screen: 'welcome' })} />
    <p class="quiet">Canadian law requires us to know our customers.</p>
    <div class="profile">
      {PROFILE_FIELDS.map(([name, label, value]) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the component is one
        <label key={name} class={`field field-${name}`}>
          {label}
          <ProfileField name={name} value={value} />
          <span id={`help-${name}`} class="help" role="alert">
            {state.problemField === name && `${label}: ${HELP[name] ?? 'please check this.'}`}
          </span>
        </label>
      ))}
    </div>
  </ScreenForm>
)

const ProfileField = ({ name, value }: { name: string; value: string }) => {
  const help = `help-${name}`
  if (name === 'province') {
    return (
      <select name={name} aria-describedby={help}>
        {PROVINCES.map((code) => (
          <option key={code} value={code} selected={code === value}>
            {code}
          </option>
        ))}
      </select>
    )
  }
  const field = {
    name,
    defaultValue: value,
    required: true,
    maxlength: 100,
    autocomplete: 'off' as const,
    'aria-invalid': state.problemField === name ? ('true' as const) : undefined,
    'aria-describedby': help,
  }
  if (name === 'dob') return <input type="date" {...field} />
  return <input type="text" inputmode={name === 'phone' ? 'tel' : 'text'} {...field} />
}

/** The page of the identity provider, as the wallet opens it. */
export const Identify = () => (
  <WebPage
    host="identity-check.example"
    src={state.kycUrl}
    title="Verify your identity"
    close={() => change({ screen: 'review' })}
  />
)

const UNFINISHED: readonly [string, string, string?] = [
  'Verify your identity',
  'You need an identity document and about two minutes.',
  'Start',
]
const REVIEWS: Readonly<Record<string, typeof UNFINISHED>> = {
  'in-review': [
    'We are reviewing your documents',
    'You can close the app. We will let you know when we are done.',
  ],
  upload: [
    'We need one more thing',
    'The reviewer needs another photo of your document.',
    'Add documents',
  ],
  rejected: [
    'We could not verify your identity',
    'We sent you an e-mail with the reason. You can try again at any time.',
    'Try again',
  ],
}
const ICONS: Readonly<Record<string, IconName>> = { 'in-review': 'clock', rejected: 'cross' }

/** Progress of the identity check, as webhooks tell it. */
export const Review = () => {
  const { userStatus, userStatusAt } = state
  const [title, text, again] = REVIEWS[userStatus] ?? UNFINISHED
  const moment = userStatusAt > 0 ? formatMoment(userStatusAt) : ''
  return (
    <div class="screen">
      <Outcome
        icon={ICONS[userStatus] ?? 'person'}
        tone={userStatus === 'rejected' ? 'bad' : 'busy'}
        title={title}
        text={text}
      />
      {userStatus === 'in-review' && (
        <Track
          now={1}
          steps={[
            ['Documents received', moment],
            ['A reviewer checks them', 'We will let you know'],
            ['You can buy and sell', ''],
          ]}
        />
      )}
      <Foot>
        {userStatus === 'rejected' && state.mail && (
          <Press step="mail" text="Read the message" act={() => change({ isReading: true })} />
        )}
        {again && <Press step="again" text={again} kind="primary" act={identify} />}
        <Press step="check-again" text="Check again" act={checkAgain} />
      </Foot>
    </div>
  )
}

export const Code = () => {
  const [code, setCode] = useState('')
  const { code: sent, email } = state
  return (
    <ScreenForm submit="Log in" step="log-in" act={() => verifyCode(code)}>
      <Top title="Enter your code" back={() => change({ screen: 'welcome', code: '' })} />
      <p class="quiet">{`We sent four digits to ${email}.`}</p>
      <input
        class="code-field"
        name="code"
        aria-invalid={state.problem === WRONG_CODE ? 'true' : undefined}
        inputmode="numeric"
        pattern="[0-9]{4}"
        maxlength={4}
        required
        aria-label="Login code"
        autocomplete="one-time-code"
        value={code}
        onInput={(event: Event) => setCode((event.target as HTMLInputElement).value)}
      />
      {sent !== '' && (
        <Press
          class="suggestion"
          step="use-code"
          text={`From Messages: ${sent}`}
          act={() => verifyCode(sent)}
        />
      )}
      <Press step="resend" text="Send a new code" act={sendCode} />
    </ScreenForm>
  )
}

import { useState } from 'hono/jsx/dom'
import { checkAgain, enter, identify, register, sendCode, verifyCode } from './onboarding.ts'
import { Logo, Outcome, Press, Problem, ScreenForm, Top, WebBar } from './parts.tsx'
import { PROFILE_FIELDS } from './profile.ts'
import { change, state } from './store.ts'
import { theme } from './theme.ts'
import { t, type WordKey } from './words.ts'

export const Welcome = () => (
  <ScreenForm submit={t('next')} step="enter" what="signs in with an e-mail address" act={enter}>
    <div class="hero">
      <Logo size={76} />
      <h1>{theme.name}</h1>
      <p class="quiet">{t('tagline')}</p>
    </div>
    <label class="field">
      {t('email')}
      <input
        type="email"
        name="email"
        required
        autocomplete="off"
        value={state.email}
        onInput={(event: Event) => change({ email: (event.target as HTMLInputElement).value })}
      />
    </label>
  </ScreenForm>
)

export const Profile = () => (
  <ScreenForm
    submit={t('createAccount')}
    step="register"
    what="creates an account"
    act={(fields) => register(Object.fromEntries(fields))}
  >
    <Top title={t('about')} back={() => change({ screen: 'welcome' })} />
    <p class="quiet">{t('aboutWhy')}</p>
    <div class="profile">
      {PROFILE_FIELDS.map(([name, label, value]) => (
        <label key={name} class={`field field-${name}`}>
          {t(label)}
          <input
            name={name}
            type={TYPES[name] ?? 'text'}
            value={value}
            required
            maxlength={100}
            autocomplete="off"
            aria-invalid={state.problemField === name ? 'true' : undefined}
            aria-describedby={`help-${name}`}
          />
          <span id={`help-${name}`} class="help" role="alert">
            {state.problemField === name && t('fieldWrong', { field: t(label) })}
          </span>
        </label>
      ))}
    </div>
  </ScreenForm>
)

const TYPES: Readonly<Record<string, string>> = { dob: 'date', phone: 'tel' }

/** The page of the identity provider, as the wallet opens it. */
export const Identify = () => (
  <div class="screen framed">
    <WebBar host="identity-check.example" close={() => change({ screen: 'review' })} />
    <iframe src={state.kycUrl} title={t('unfinished')} />
  </div>
)

const REVIEWS: Readonly<Record<string, [WordKey, WordKey, WordKey | '']>> = {
  'in-review': ['reviewing', 'reviewingText', ''],
  upload: ['moreNeeded', 'moreNeededText', 'addDocuments'],
  rejected: ['rejected', 'rejectedText', 'tryAgain'],
}

/** What the wallet shows of the identity check, from the webhooks alone. */
export const Review = () => {
  const { userStatus } = state
  const [title, text, again] = REVIEWS[userStatus] ?? ['unfinished', 'unfinishedText', 'start']
  const isBad = userStatus === 'rejected'
  return (
    <div class="screen">
      <Outcome
        icon={isBad ? 'cross' : userStatus === 'in-review' ? 'clock' : 'person'}
        tone={isBad ? 'bad' : 'busy'}
        title={t(title)}
        text={t(text)}
      />
      <div class="foot">
        <Problem />
        {again !== '' && (
          <Press step="again" what="starts the identity check" kind="primary" act={identify}>
            {t(again)}
          </Press>
        )}
        <Press step="check-again" what="checks again" act={checkAgain}>
          {t('checkAgain')}
        </Press>
      </div>
    </div>
  )
}

export const Code = () => {
  const [code, setCode] = useState('')
  const { code: sent, email } = state
  return (
    <ScreenForm submit={t('logIn')} step="log-in" what="logs in" act={() => verifyCode(code)}>
      <Top title={t('enterCode')} />
      <p class="quiet">{t('codeSent', { email })}</p>
      <input
        class="code-field"
        name="code"
        aria-invalid={state.problem === 'problemCode' ? 'true' : undefined}
        inputmode="numeric"
        pattern="[0-9]{4}"
        maxlength={4}
        required
        aria-label={t('codeLabel')}
        autocomplete="one-time-code"
        value={code}
        onInput={(event: Event) => setCode((event.target as HTMLInputElement).value)}
      />
      {sent === '' ? (
        <Press step="resend" what="asks for another code" act={sendCode}>
          {t('tryAgain')}
        </Press>
      ) : (
        <Press
          class="suggestion"
          step="use-code"
          what="taps the code that arrived"
          act={() => verifyCode(sent)}
        >
          {t('useCode', { code: sent })}
        </Press>
      )}
    </ScreenForm>
  )
}

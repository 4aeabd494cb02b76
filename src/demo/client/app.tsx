import { useEffect, useState } from 'hono/jsx/dom'
import { Amount } from './amount.tsx'
import { pathTo } from './api.ts'
import { Confirm } from './confirm.tsx'
import { Caption, Controls } from './controls.tsx'
import { Home } from './home.tsx'
import { Icon, PhoneSigns } from './icons.tsx'
import { Panel } from './panel.tsx'
import { Bank, Progress } from './progress.tsx'
import { Receipt } from './receipt.tsx'
import { Server } from './server.tsx'
import { Code, Identify, Profile, Review, Welcome } from './sign-up.tsx'
import { Simulate } from './simulate.tsx'
import { change, listen, type Screen, state } from './store.ts'
import { formatTime, language, t } from './words.ts'

const isWalletOnly = new URLSearchParams(location.search).get('view') === 'wallet'

const SCREENS = {
  welcome: Welcome,
  profile: Profile,
  identify: Identify,
  review: Review,
  code: Code,
  home: Home,
  amount: Amount,
  confirm: Confirm,
  progress: Progress,
  bank: Bank,
  receipt: Receipt,
} as const

/** The phone, what is simulated outside of it, and what the integrator's server does. */
export const App = () => {
  const [, redraw] = useState(0)
  useEffect(() => listen(() => redraw((count) => count + 1)), [])
  if (isWalletOnly) {
    return (
      <main class="demo-page wallet-only">
        <Phone />
      </main>
    )
  }
  return (
    <div class={`demo-page ${state.isPresenting ? 'presenting' : ''}`}>
      <header class="demo-bar">
        <a class="inspector-link" href={pathTo('/')}>
          ‹ Inspector
        </a>
        <span class="title">Demo wallet</span>
        <Panel />
        <Controls />
      </header>
      {state.isGone && (
        <p class="failing" role="alert">
          The sandbox does not answer. It may have been stopped; this page comes back by itself.
        </p>
      )}
      {state.warnings.map((text) => (
        <p key={text} class="warning" role="note">
          {text}
        </p>
      ))}
      <Caption />
      <main class="demo-main">
        <Simulate />
        <Phone />
        <Server />
      </main>
    </div>
  )
}

const Phone = () => {
  const { screen } = state
  const Screen = SCREENS[screen]
  useEffect(() => focusOn(screen), [screen])
  return (
    <section class="phone" aria-label="The wallet on a phone" lang={language}>
      <div class="status-bar">
        <span>{formatTime(state.now)}</span>
        <PhoneSigns />
      </div>
      {state.notice !== '' && <Notice />}
      {state.isGone && <p class="offline">{t('offline')}</p>}
      <Screen key={`${state.screen} ${state.kycUrl} ${state.transaction?.id}`} />
      <span class="home-line" aria-hidden="true" />
    </section>
  )
}

/** A screen is read from its top: the button that led to it is gone. */
function focusOn(screen: Screen): void {
  const { activeElement } = document
  const isElsewhere = activeElement !== document.body && !activeElement?.closest('.phone')
  const shown = document.querySelector<HTMLElement>('.phone .screen')
  if (!shown || isElsewhere || screen === 'welcome') return
  shown.tabIndex = -1
  shown.focus({ preventScroll: true })
}

/** A message that arrives: it moves what is below it, and covers nothing. */
const Notice = () => (
  <button
    type="button"
    class="notice"
    onClick={() => change({ notice: '' })}
    aria-label={`${t('message')}: ${state.notice}. ${t('close')}`}
  >
    <Icon name="message" size={18} />
    <span role="status">{state.notice}</span>
    <Icon name="cross" size={14} />
  </button>
)

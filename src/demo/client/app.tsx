import { useEffect, useState } from 'hono/jsx/dom'
import { formatInstant } from '../../dashboard/format.ts'
import { pathTo } from './api.ts'
import { playAll } from './autoplay.ts'
import { attempt, fastForward, settle, startAsNewUser, verifyCode } from './flow.ts'
import { Panel } from './panel.tsx'
import { Code, Home, Identify, Profile, Welcome } from './screens.tsx'
import { change, listen, state } from './store.ts'
import { Done, Order, Pay } from './trade.tsx'

const SCREENS = {
  welcome: Welcome,
  profile: Profile,
  identify: Identify,
  code: Code,
  home: Home,
  order: Order,
  pay: Pay,
  done: Done,
} as const

/** The phone, the simulations beside it, and the log of calls and webhooks. */
export const App = () => {
  const [, redraw] = useState(0)
  useEffect(() => listen(() => redraw((count) => count + 1)), [])
  const Screen = SCREENS[state.screen]
  return (
    <div class="demo-page">
      <Bar />
      <main class="demo-main">
        <div class="left">
          <section class="phone" aria-label="The app on a phone">
            <Notice />
            <Screen key={`${state.screen} ${state.kycUrl}`} />
          </section>
          <Outside />
        </div>
        <Panel />
      </main>
    </div>
  )
}

const Bar = () => (
  <header class="demo-bar">
    <a class="brand" href={pathTo('/')}>
      ‹ Inspector
    </a>
    <span class="title">Demo wallet</span>
    <span class="clock quiet">{`${formatInstant(state.now)} UTC, ${state.mode}`}</span>
    <button
      type="button"
      class="button"
      data-step="new"
      onClick={() => void attempt(startAsNewUser)}
    >
      Start over
    </button>
    {state.isPlaying ? (
      <button type="button" class="button danger" onClick={() => change({ isPlaying: false })}>
        Stop
      </button>
    ) : (
      <button type="button" class="button primary" id="play" onClick={() => void playAll()}>
        Play it all
      </button>
    )}
  </header>
)

/** A message that arrives on the phone. */
const Notice = () => {
  const { notice } = state
  if (!notice) return null
  const tap = () =>
    notice.code && state.screen === 'code'
      ? void attempt(() => verifyCode(notice.code))
      : change({ notice: null })
  return (
    <button type="button" class="notice" data-step="notice" onClick={tap}>
      <b>Message</b>
      <span>{notice.text}</span>
    </button>
  )
}

/** What happens outside the app: time, and what others do. */
const Outside = () => {
  const isProcessing = state.screen === 'pay' && state.transaction?.status.startsWith('processing')
  const go = (target: object) => () => void attempt(() => fastForward(target))
  return (
    <fieldset class="outside" aria-label="Simulate">
      <legend>Simulate</legend>
      {isProcessing && (
        <button
          type="button"
          class="button primary"
          data-step="settle"
          disabled={state.isBusy}
          onClick={() => void attempt(settle)}
        >
          The provider settles
        </button>
      )}
      <button type="button" class="button" onClick={go({ by: '10m' })}>
        +10 min
      </button>
      <button type="button" class="button" onClick={go({ by: '1h' })}>
        +1 h
      </button>
      <button type="button" class="button" onClick={go({ toNext: true })}>
        Fast forward to the next task
      </button>
    </fieldset>
  )
}

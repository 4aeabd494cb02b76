import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import type { HostedCall } from '../hosted/hosted.ts'
import { messageOf } from '../lib/api.ts'
import { drawWith } from '../lib/draw.ts'
import { Amount, Confirm } from './amount.tsx'
import { pathTo, pretty } from './api.ts'
import { Caption, More, StoryPick } from './controls.tsx'
import { customer } from './customer.ts'
import { formatTime } from './format.ts'
import { Home } from './home.tsx'
import { Icon, PhoneSigns } from './icons.tsx'
import { QrSheet } from './on-phone.tsx'
import { Bank, Order } from './order.tsx'
import { MailSheet } from './parts.tsx'
import { listenToKeys, player } from './player.ts'
import { enqueue } from './queue.ts'
import { Server } from './server.tsx'
import { resumeSession } from './session.ts'
import { Code, Identify, Profile, Review, Welcome } from './sign-up.tsx'
import { Simulate } from './simulate.tsx'
import { change, log, newStory, state } from './store.ts'
import { isStory, reopenWallet, startNew } from './stories.ts'
import { listenToWorld } from './stream.ts'
import { applyTheme } from './theme.ts'
import { isWalletOnly } from './view.ts'
import { enterWorld } from './world.ts'

const query = new URLSearchParams(location.search)

const SCREENS = {
  welcome: Welcome,
  profile: Profile,
  identify: Identify,
  review: Review,
  code: Code,
  home: Home,
  amount: Amount,
  confirm: Confirm,
  order: Order,
  bank: Bank,
} as const

const App = () => {
  const { failure, isPresenting, isSharing, world } = state
  if (failure !== '') return <Alert text={failure} />
  if (isWalletOnly) {
    return (
      <main class="demo-page wallet-only">
        <Phone />
      </main>
    )
  }
  return (
    <div class={`demo-page ${isPresenting ? 'presenting' : ''}`}>
      <header class="demo-bar">
        <a class="inspector-link" href={pathTo('/')}>
          ‹ Inspector
        </a>
        <span class="title">
          Demo wallet <span class="quiet">{world.name !== '' && `in world ${world.name}`}</span>
        </span>
        <StoryPick />
        <More />
      </header>
      {state.isGone && <Alert text={GONE} />}
      <Caption />
      {isSharing && <QrSheet />}
      <main class="demo-main">
        <Simulate />
        <Phone />
        <Server />
      </main>
    </div>
  )
}

const Alert = ({ text }: { text: string }) => (
  <p class="failing" role="alert">
    {text}
  </p>
)

const GONE = 'The sandbox is not responding. This page reconnects by itself.'

const Phone = () => {
  const { screen, kycUrl, transaction } = state
  const Screen = SCREENS[screen]
  const shown = `${screen} ${kycUrl} ${transaction?.id} ${transaction?.status}`
  useEffect(readFromTop, [shown])
  return (
    <section
      class="phone"
      aria-label="The wallet on a phone"
      onPointerDown={(event: Event) => player.pauseForTouch(event)}
      onKeyDown={(event: Event) => player.pauseForTouch(event)}
    >
      <div class="status-bar">
        <span>{formatTime(state.now)}</span>
        <PhoneSigns />
      </div>
      {state.notice !== '' && <Notice text={state.notice} />}
      {state.isGone && <p class="offline">No connection. Trying again …</p>}
      <Screen key={screen === 'bank' ? screen : shown} />
      {state.isReading && <MailSheet />}
      <span class="home-line" aria-hidden="true" />
    </section>
  )
}

/** Moves the focus to a new screen, because the button that had it is gone. */
function readFromTop(): void {
  const { activeElement } = document
  const isElsewhere = activeElement !== document.body && !activeElement?.closest('.phone')
  const shown = document.querySelector<HTMLElement>('.phone .screen')
  if (!shown || isElsewhere || state.screen === 'welcome') return
  shown.tabIndex = -1
  shown.focus({ preventScroll: true })
}

/** Says what came, and opens the mail about it. */
const Notice = ({ text }: { text: string }) => (
  <div class="notice">
    <Icon name="message" size={18} />
    <button
      type="button"
      class="said"
      aria-label={`Messages: ${text}`}
      onClick={() => change({ notice: '', isReading: state.mail !== null })}
    >
      <span role="status">{text}</span>
    </button>
    <button type="button" class="shut" aria-label="Close" onClick={() => change({ notice: '' })}>
      <Icon name="cross" size={14} />
    </button>
  </div>
)

const KEYS = {
  p: () => player.togglePresenter(),
  q: () => change({ isSharing: !state.isSharing }),
  escape: () => change({ isSharing: false }),
}

const root = document.getElementById('app')
if (root) {
  applyTheme()
  drawWith(() => render(<App />, root))
  listenToKeys(KEYS)
  window.addEventListener('hosted-call', (event) => onHostedCall((event as CustomEvent).detail))
  void start()
}

async function start() {
  const story = findAsked()
  try {
    const isResumed = await resumeSession()
    if (!isResumed) await enterWorld()
    listenToWorld()
    if (story) change({ player: newStory(story) })
    change({ isPresenting: query.has('present') })
    const run = isResumed ? reopenWallet : startNew
    await enqueue({ kind: 'tap', title: 'The customer opens the wallet', run })
  } catch (error) {
    return change({ failure: `The demo could not be opened. ${messageOf(error)}` })
  } finally {
    document.body.inert = false
  }
  if (story && !state.isPresenting) await player.play(story)
}

/** The story that the address asks for; a reload goes on with the one of before. */
function findAsked() {
  const [navigation] = performance.getEntriesByType('navigation')
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload'
  const name = query.get('story')
  return isStory(name) && !isReload ? name : undefined
}

/** Logs what the user does on a framed page of the identity check or the bank. */
function onHostedCall({ path, body, response }: HostedCall) {
  const name = customer().name || 'The customer'
  const isBank = path.includes('/bank/')
  const run = async () => {
    await response
    const title = `POST ${path.replace(state.world.prefix, '')}`
    log({ kind: 'outside', title, result: 'done', parts: [['Sent', pretty(body)]] })
  }
  const title = `${name} ${isBank ? 'decides at the bank' : 'sends the documents'}`
  void enqueue({ kind: 'tap', title, run })
}

import { render, useEffect, useState } from 'hono/jsx/dom'
import type { HostedCall } from '../../dashboard/client/hosted.ts'
import { Amount, Confirm } from './amount.tsx'
import { pathTo, prefix, pretty } from './api.ts'
import { browserBack } from './browser-back.ts'
import { Caption, Controls, chosenStory } from './controls.tsx'
import { forkPage } from './fork-page.ts'
import { Home } from './home.tsx'
import { Icon, PhoneSigns } from './icons.tsx'
import { Bank, Order } from './order.tsx'
import { Panel, QrSheet } from './panel.tsx'
import { MailSheet } from './parts.tsx'
import { listenToKeys, player } from './player.ts'
import { enqueue } from './queue.ts'
import { Server } from './server.tsx'
import { Code, Identify, Profile, Review, Welcome } from './sign-up.tsx'
import { Simulate } from './simulate.tsx'
import { split } from './split.ts'
import { FoldedSimulate, ForkPhone, SplitBar, SplitServers, WhatIf } from './split-view.tsx'
import { change, listen, listenByFrame, log, state } from './store.ts'
import { isStory, reopenWallet } from './stories.ts'
import { listenToWorld } from './stream.ts'
import { applyTheme } from './theme.ts'
import { isFork, isWalletOnly } from './view.ts'
import { isChoice, listChoices } from './what-if.ts'
import { formatTime, t } from './words.ts'

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
  const [, redraw] = useState(0)
  useEffect(() => listenByFrame(() => redraw((count) => count + 1)), [])
  if (isFork) {
    return (
      <main class="fork-page">
        <FoldedSimulate />
        <Phone />
      </main>
    )
  }
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
          {`‹ ${t('Inspector')}`}
        </a>
        <span class="title">{t('Demo wallet')}</span>
        <Panel />
        <Controls />
      </header>
      <Warnings />
      <Caption />
      {state.isSharing && <QrSheet />}
      {state.isAsking && <WhatIf />}
      <Stage />
    </div>
  )
}

const Warnings = () => (
  <>
    {state.isGone && (
      <p class="failing" role="alert">
        {t('The sandbox is not responding. This page reconnects by itself.')}
      </p>
    )}
    {state.needsToken && (
      <p class="warning" role="note">
        {t('Sign-up needs a token here, which nobody has before the identity check. Start with:')}{' '}
        <code>
          --set auth.updateUser=key-until-verified --set auth.createKycLink=key-until-verified
        </code>
      </p>
    )}
  </>
)

/** One phone with Simulate and its server, or two phones with their servers. */
const Stage = () => {
  const { fork, phone } = state
  const isSplit = fork?.isReady === true
  return (
    <main class={isSplit ? `demo-main forked ${phone}` : 'demo-main'}>
      {isSplit && <SplitBar key="bar" fork={fork} />}
      {isSplit ? <FoldedSimulate key="folded" /> : <Simulate key="simulate" />}
      <Phone key="phone" />
      {fork && <ForkPhone key={fork.src} fork={fork} />}
      {isSplit ? <SplitServers key="servers" fork={fork} /> : <Server key="server" />}
    </main>
  )
}

const Phone = () => {
  const { screen, kycUrl, transaction } = state
  const Screen = SCREENS[screen]
  const shown = `${screen} ${kycUrl} ${transaction?.id} ${transaction?.status}`
  useEffect(readFromTop, [shown])
  return (
    <section
      class="phone"
      aria-label={t('The wallet on a phone')}
      onPointerDown={(event: Event) => player.takeOver(event)}
      onKeyDown={(event: Event) => isFork || player.takeOver(event)}
    >
      <div class="status-bar">
        <span>{formatTime(state.now)}</span>
        <PhoneSigns />
      </div>
      {state.notice !== '' && <Notice text={t(state.notice)} />}
      {state.isGone && <p class="offline">{t('No connection. Trying again …')}</p>}
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
  // The presenter's keys go to the page that split.
  const isAside = isFork && !document.hasFocus()
  if (!shown || isElsewhere || isAside || state.screen === 'welcome') return
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
      aria-label={`${t('Messages')}: ${text}`}
      onClick={() => change({ notice: '', isReading: state.mail !== null })}
    >
      <span role="status">{text}</span>
    </button>
    <button
      type="button"
      class="shut"
      aria-label={t('Close')}
      onClick={() => change({ notice: '' })}
    >
      <Icon name="cross" size={14} />
    </button>
  </div>
)

const KEYS = {
  p: () => player.togglePresenter(chosenStory()),
  q: () => change({ isSharing: !state.isSharing }),
  w: () => change({ isAsking: !state.isAsking }),
  escape: () => change({ isSharing: false, isAsking: false }),
}

const root = document.getElementById('demo')
if (root) {
  applyTheme()
  render(<App />, root)
  void start()
  listenToWorld()
  if (!isFork) listenToKeys(KEYS)
  notifyPage()
  window.addEventListener('hosted-call', (event) => onHostedCall((event as CustomEvent).detail))
}

async function start() {
  await enqueue({ kind: 'tap', title: t('The customer comes back'), run: reopenWallet })
  document.body.inert = false
  if (isFork) await forkPage.start()
  else {
    browserBack.start()
    await follow()
  }
}

/** Opens what the address asks for: a story, a step of it, and a “What if …?” there. */
async function follow() {
  const [story, choice] = [query.get('story'), query.get('whatif')]
  const step = Number(query.get('step'))
  if (query.has('present')) player.togglePresenter(isStory(story) ? story : chosenStory())
  else if (isStory(story) && step > 0) await player.begin(story)
  else if (isStory(story)) return player.play(story)
  await player.settle()
  await player.goTo(step)
  if (!isChoice(choice) || !listChoices().includes(choice)) return
  await split.open(choice)
  if (state.player && !state.isPresenting) await player.resume()
}

/** Logs what the user does on a framed page of the identity check or the bank. */
function onHostedCall({ path, body, response }: HostedCall) {
  const { name } = state
  const isBank = path.includes('/bank/')
  const run = async () => {
    await response
    const title = `POST ${path.replace(prefix, '')}`
    log({ kind: 'outside', title, result: t('done'), parts: [['Sent', pretty(body)]] })
  }
  const title = isBank ? '{name} decides at the bank' : '{name} sends the documents'
  void enqueue({ kind: 'tap', title: t(title, { name }), run })
}

/** Posts messages to the page that frames the wallet, without tokens and names. */
function notifyPage() {
  const allowed: string[] = JSON.parse(document.body.dataset.frames ?? '[]')
  const { ancestorOrigins } = location
  const framer = ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin)
  const origin = allowed.find((one) => one === framer)
  if (window.parent === window || origin === undefined) return
  const tell = (type: string, data: object = {}) =>
    window.parent.postMessage({ source: 'ramp-wallet', type, ...data }, origin)
  const told = new Map<string, string>()
  const isNew = (id: string, status: string) => told.get(id) !== status && told.set(id, status)
  listen(() => {
    const { userId, userStatus, transactions } = state
    if (userStatus === 'verified' && isNew(userId, userStatus)) tell('verified', { userId })
    for (const { id, status } of transactions) {
      if (isNew(id, status)) tell('transaction', { id, status })
    }
  })
  tell('ready')
}

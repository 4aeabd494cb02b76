import { render } from 'hono/jsx/dom'
import type { HostedCall } from '../../dashboard/client/hosted.ts'
import { prefix, pretty } from './api.ts'
import { App } from './app.tsx'
import { chosenStory } from './controls.tsx'
import { listenToKeys, play, togglePresenter } from './player.ts'
import { enqueue } from './queue.ts'
import { listen, log, state } from './store.ts'
import { isStory, reopenWallet } from './stories.ts'
import { listenToWorld } from './stream.ts'
import { applyTheme } from './theme.ts'
import { t } from './words.ts'

const root = document.getElementById('demo')
if (root) {
  applyTheme()
  render(<App />, root)
  void start()
  listenToWorld()
  listenToKeys(chosenStory)
  tellPage()
  window.addEventListener('hosted-call', (event) => onHostedCall((event as CustomEvent).detail))
}

async function start() {
  await enqueue({ kind: 'tap', title: t('A new customer'), run: reopenWallet })
  document.body.inert = false
  const query = new URLSearchParams(location.search)
  const story = query.get('story')
  if (query.has('present')) togglePresenter(isStory(story) ? story : chosenStory())
  else if (isStory(story)) await play(story)
}

/** What the user does on a framed page of the identity check or the bank. */
function onHostedCall({ path, body, answer }: HostedCall) {
  const { name } = state
  const isBank = path.includes('/bank/')
  const run = async () => {
    await answer
    const title = `POST ${path.replace(prefix, '')}`
    log({ kind: 'outside', title, result: t('done'), parts: [['Sent', pretty(body)]] })
  }
  const title = isBank ? '{name} decides at the bank' : '{name} sends the documents'
  void enqueue({ kind: 'tap', title: t(title, { name }), run })
}

/** Says to the page that frames the wallet what happened in it; never a token or a name. */
function tellPage() {
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

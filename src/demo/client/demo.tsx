import { render } from 'hono/jsx/dom'
import type { HostedCall } from '../../dashboard/client/hosted.ts'
import { prefix, pretty } from './api.ts'
import { App } from './app.tsx'
import { chosenStory } from './controls.tsx'
import { tellPage } from './page-events.ts'
import { play } from './player.ts'
import { listenToKeys, togglePresenter } from './presenter.ts'
import { enqueue } from './queue.ts'
import { log, state } from './store.ts'
import { isStory, reopenWallet } from './stories.ts'
import { listenToWorld } from './stream.ts'
import { applyTheme } from './theme.ts'

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
  await enqueue({ kind: 'tap', title: 'A new user', run: reopenWallet })
  document.body.inert = false
  const query = new URLSearchParams(location.search)
  const story = query.get('story')
  if (query.has('present')) togglePresenter(isStory(story) ? story : chosenStory())
  else if (isStory(story)) await play(story)
}

/** What the user does on a framed page of the identity check or the bank. */
function onHostedCall({ path, body, answer }: HostedCall) {
  const what = path.includes('/bank/') ? 'approves at the bank' : 'sends the documents'
  const run = async () => {
    await answer
    const title = `POST ${path.replace(prefix, '')}`
    const parts = [['Sent', pretty(body)]] as const
    log({ kind: 'outside', title, result: 'done', ok: true, note: '', parts })
  }
  void enqueue({ kind: 'tap', title: `${state.name} ${what}`, run })
}

import type { Json } from '../../client/http.ts'
import { pathTo, readControl } from './api.ts'
import { onTransactionUpdate, onUserUpdate } from './flow.ts'
import { change, log, state } from './store.ts'

/** How long a message is shown that needs no answer. */
const NOTICE_MS = 4_000

/** Follows the webhooks that an integrator's server would get, and the user's messages. */
export function listenToWorld(): void {
  const source = new EventSource(pathTo('/events/stream'))
  on(source, 'delivery', onDelivery)
  on(source, 'message', onMessage)
  on(source, 'clock', readClock)
  on(source, 'reset', () => location.reload())
  setInterval(tick, 1000)
}

function on(source: EventSource, kind: string, listener: (data: Json) => void) {
  source.addEventListener(kind, ({ data }) => listener(JSON.parse(data)))
}

function onDelivery({ ref, type, outcome, request, response, hook, generation }: Json) {
  const body = JSON.parse(request.body)
  const { status, email } = body.payload ?? body
  if (email !== state.email) return
  log({
    kind: 'webhook',
    title: `${generation === 'v1' ? hook : type}: ${status}`,
    result: outcome,
    ok: outcome === 'delivered',
    sent: body,
    answered: response && { status: response.status },
  })
  if (generation !== 'v2') return
  if (type === 'user.update') void onUserUpdate(status)
  else void onTransactionUpdate(ref)
}

function onMessage({ to, text, kind, code }: Json) {
  if (to !== state.email) return
  const isCode = kind === 'login-code'
  const notice = isCode ? { text: `Your login code is ${code}`, code } : { text, code: '' }
  change({ notice })
  if (!isCode) setTimeout(() => state.notice === notice && change({ notice: null }), NOTICE_MS)
}

let readAt = performance.now()
let readNow = 0

async function readClock() {
  const { now, mode } = await readControl('/clock')
  readAt = performance.now()
  readNow = Date.parse(now)
  change({ now: readNow, mode })
}

function tick() {
  if (readNow === 0) readNow = state.now
  if (state.mode === 'running') change({ now: readNow + performance.now() - readAt })
}

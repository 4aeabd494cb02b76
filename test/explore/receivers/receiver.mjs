// node receiver.mjs PORT STORE [MISTAKE]: credits a wallet once a buy completes.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { call, logIn } from '../api.mjs'

const [, , port, file, mistake] = process.argv
const { env } = process
let place = {
  url: env.RAMP_SANDBOX_URL,
  apiKey: env.RAMP_SANDBOX_API_KEY,
  signingSecret: env.RAMP_SANDBOX_SIGNING_SECRET,
}
const RANKS = { pending: 1, processing: 2, complete: 3, expired: 3, cancelled: 3 }
const rankOf = (status = '') => RANKS[status.split(' ')[0]] ?? 0

const EMPTY = { events: [], orders: {}, wallet: 0, inbox: [] }
const read = () =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : structuredClone(EMPTY)
function write(state) {
  writeFileSync(`${file}.new`, JSON.stringify(state))
  renameSync(`${file}.new`, file)
}

/** A status only moves on, whatever the order in which events come. */
function apply(state, { id, status, coins }) {
  const known = state.orders[id]
  const isOlder = rankOf(status) <= rankOf(known)
  const isLate = mistake === 'overwrites' ? rankOf(known) === 3 : isOlder
  const isPaidAgain = mistake === 'twice' && status === 'complete'
  if (rankOf(status) === 0 || (isLate && !isPaidAgain)) return
  state.orders[id] = status
  if (status === 'complete') state.wallet += coins
}

const parts = {
  isGenuine(headers, body) {
    const { 'x-service-timestamp': timestamp, 'x-service-signature': given = '' } = headers
    const signed = mistake === 're-serialised' ? JSON.stringify(JSON.parse(body)) : body
    const hmac = createHmac('sha256', place.signingSecret).update(`${timestamp}.`).update(signed)
    const expected = `v1=${hmac.digest('hex')}`
    const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300
    return (
      isRecent &&
      given.length === expected.length &&
      timingSafeEqual(Buffer.from(given), Buffer.from(expected))
    )
  },

  async take({ id, eventId = id, type, payload }) {
    if (type !== 'transaction.update') return
    const event = {
      id: payload.transactionId,
      status: payload.status,
      coins: payload.rightSideValue,
    }
    const state = read()
    if (mistake !== 'twice' && state.events.includes(eventId)) return
    state.events.push(eventId)
    if (mistake === 'queue') {
      state.inbox.push(event)
      write(state)
      void work()
      return
    }
    const before = state.wallet
    apply(state, event)
    if (mistake === 'two-writes') {
      write({ ...state, wallet: before })
      await pause(100)
    }
    write({ ...read(), ...state })
  },
}

/** Works on what is stored in the inbox, 150 ms a job. */
let working = Promise.resolve()
function work() {
  working = working.then(async () => {
    await pause(150)
    const state = read()
    const [event] = state.inbox
    if (event === undefined) return
    state.inbox.shift()
    apply(state, event)
    write(state)
  })
  return working
}

async function reconcile() {
  const token = await logIn(place, 'alice@example.com')
  const { data } = await call(place, '/v2/transactions?limit=100', { token })
  const state = read()
  for (const { id, status, rightSideValue } of data.items) {
    if (rankOf(state.orders[id]) < 3) apply(state, { id, status, coins: rightSideValue })
  }
  write(state)
}

async function respond({ method, url, headers }, body) {
  if (url === '/state') {
    const { orders, wallet } = read()
    return [200, JSON.stringify({ orders, wallet })]
  }
  if (method !== 'POST') return [404]
  if (url === '/reset') [place] = [JSON.parse(body), write(structuredClone(EMPTY))]
  if (url === '/reconcile') await reconcile()
  if (url !== '/hooks') return [204]
  if (!parts.isGenuine(headers, body)) return [401]
  const event = JSON.parse(body)
  if (mistake === 'responds-first') setTimeout(() => parts.take(event), 100)
  else await parts.take(event)
  return [204]
}

for (const _ of read().inbox) void work()
createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const [status, text] = await respond(request, Buffer.concat(chunks).toString()).catch((error) => [
    500,
    String(error),
  ])
  response.writeHead(status).end(text)
}).listen(Number(port), '127.0.0.1')

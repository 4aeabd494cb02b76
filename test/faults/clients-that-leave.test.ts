import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { OPERATIONS } from '../../src/host/operations.ts'
import { createSandbox } from '../../src/index.ts'
import { KEY } from '../helpers/app.ts'
import { holdPauses } from '../helpers/fake-timers.ts'
import { EVM_WALLET, logIn, quote } from '../helpers/story.ts'
import { openServed, type Served } from './served.ts'

const LEFT = 'The client disconnected before the response was sent.'
const JSON_TYPE = { 'content-type': 'application/json' }

interface SentCall {
  method?: string
  path: string
  body: object
  token?: string
  isChunked?: boolean
}

interface Row {
  status: number
  durationMs: number | null
  notes: string[]
}

const rowsOf = async (served: Served): Promise<Row[]> => (await served.get('/requests')).requests

/** Makes a call on a connection of its own, and leaves once all of it is sent. */
async function callAndLeave(served: Served, call: SentCall) {
  const { method = 'POST', path, body, token, isChunked = false } = call
  const before = (await rowsOf(served)).length
  const text = JSON.stringify(body)
  const sent = request(`${served.url}${path}`, {
    method,
    agent: false,
    headers: {
      ...JSON_TYPE,
      'x-api-key': KEY,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(!isChunked && { 'content-length': Buffer.byteLength(text) }),
    },
  })
  let response: IncomingMessage | undefined
  sent.on('response', (incoming) => (response = incoming))
  sent.on('error', () => undefined)
  const closed = new Promise((resolve) => sent.on('close', resolve))
  if (isChunked) for (const character of text) sent.write(character)
  sent.end(isChunked ? '' : text)
  await once(sent, 'finish')
  sent.destroy()
  await closed
  expect(response).toBeUndefined()
  await expect.poll(async () => (await rowsOf(served)).length).toBe(before + 1)
  await noticeEnds(served)
}

/** A later call is only answered once the server knows which connections have ended before it. */
async function noticeEnds(served: Served) {
  for (let i = 0; i < 2; i++) await served.get('/health')
}

/** The last call, once it has ended. */
async function lastCall(served: Served) {
  const read = async () => (await rowsOf(served)).at(-1)
  await expect.poll(async () => (await read())?.durationMs).toEqual(expect.any(Number))
  return read()
}

/** Holds every call until the result lets them go. */
async function delay(served: Served, then: object = {}) {
  await served.post('/faults', { on: 'api', times: 100, then: { delay: '600ms', ...then } })
  return holdPauses()
}

async function orderOf(served: Served) {
  const { token } = await logIn(served.app)
  const { quoteId } = await quote(served.app, {})
  const pair = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  return { path: '/v2/transactions', token, body: { ...pair, wallet: EVM_WALLET, quoteId } }
}

const ordersIn = async (served: Served) => (await served.get('/transactions')).items

it.each([
  ['in one piece', false],
  ['in chunks', true],
])(
  'an order that was sent %s is created although its client gave up waiting',
  async (_, isChunked) => {
    await using served = await openServed()
    const order = await orderOf(served)
    const pauses = await delay(served)
    await callAndLeave(served, { ...order, isChunked })
    pauses.end()
    expect(await lastCall(served)).toMatchObject({
      operation: 'createTransaction',
      status: 200,
      reason: null,
      request: { body: order.body },
      notes: [expect.stringContaining('waits 600ms'), LEFT],
    })
    expect(await ordersIn(served)).toHaveLength(1)
  },
)

const like = (text: string | RegExp) => expect.stringMatching(text)

it('an order is not created if its client left before a fault responded instead', async () => {
  await using served = await openServed()
  const order = await orderOf(served)
  const pauses = await delay(served, { status: 503 })
  await callAndLeave(served, order)
  pauses.end()
  expect(await lastCall(served)).toMatchObject({
    status: 503,
    reason: { code: 'fault' },
    notes: [like('responds with 503'), LEFT],
  })
  expect(await ordersIn(served)).toHaveLength(0)
})

it('every operation with a body, of v1 too, runs although its client left', async () => {
  await using served = await openServed()
  const { id, token } = await logIn(served.app)
  const pauses = await delay(served)
  const body = { email: 'new@example.com' }
  const operations = OPERATIONS.filter((row) => row.dialect.isContract && row.body)
  for (const { method, path } of operations) {
    await callAndLeave(served, { method, path: path.replace(':userId', id), body, token })
  }
  pauses.end()
  await lastCall(served)
  const rows = (await rowsOf(served)).slice(-operations.length)
  expect(rows).toEqual(
    operations.map((row) =>
      expect.objectContaining({ operation: row.id, request: expect.objectContaining({ body }) }),
    ),
  )
  expect(rows.map(({ notes }) => notes.at(-1))).toEqual(rows.map(() => LEFT))
})

it('every pipelined call runs although the client left before the first response', async () => {
  await using served = await openServed()
  const pauses = await delay(served)
  const toText = (email: string) => {
    const text = JSON.stringify({ email })
    const head = `POST /v2/users HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${KEY}\r\n`
    return `${head}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  }
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  const texts = ['a', 'b', 'c'].map((name) => toText(`${name}@example.com`))
  socket.write(texts.join(''), () => socket.destroy())
  await once(socket, 'close')
  await noticeEnds(served)
  const readRows = async () => {
    pauses.end()
    return (await rowsOf(served)).map(({ status, notes }) => [status, notes.at(-1)])
  }
  await expect.poll(readRows).toEqual([200, 200, 200].map((status) => [status, LEFT]))
})

it('a call without a socket runs even if its signal was aborted', async () => {
  await using sandbox = await createSandbox({ listen: false })
  await sandbox.faults.add({ on: 'api', then: { delay: '300ms' } })
  const pauses = holdPauses()
  const leaving = new AbortController()
  const headers = { ...JSON_TYPE, 'x-api-key': sandbox.apiKey }
  const body = new Blob(['{"email":"new@example.com"}']).stream()
  const init = { method: 'POST', headers, body, duplex: 'half', signal: leaving.signal }
  const call = sandbox.fetch('/v2/users', init as RequestInit)
  leaving.abort(new Error('gave up'))
  await expect(call).rejects.toThrow('gave up')
  const readRow = async () => {
    pauses.end()
    return (await sandbox.requests.list())[0]
  }
  const notes = [like('waits 300ms'), LEFT]
  await expect.poll(readRow).toMatchObject({ status: 200, notes })
})

import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { CALLS_MAX, FOLLOWERS_MAX } from '../../src/engine/journal.ts'
import { fakeSandboxTimers } from '../helpers/fake-timers.ts'
import { type Control, openControl } from './control.ts'
import { type Live, openLive } from './live.ts'
import { readSse, type SseReader } from './sse.ts'

const STREAM = '/_sandbox/events/stream'

async function follow({ url }: Live, query = '', headers = {}): Promise<SseReader> {
  return readSse(await fetch(`${url}${STREAM}${query}`, { headers }))
}

const kindsOf = (events: { event: string }[]) => events.map(({ event }) => event)
const review = (control: Control, status: string) =>
  control.post('/simulate/users/alice@example.com/kyc', { status })

/** Whether one more reader would be refused. */
async function isFull({ url }: Live): Promise<boolean> {
  const response = await fetch(`${url}${STREAM}`)
  await response.body?.cancel()
  return response.status === 429
}

it('the event stream sends everything as it happens, in order', async () => {
  await using live = await openLive()
  const reader = await follow(live)
  await review(live, 'in-review')
  const events = await reader.take(6)
  const caused = ['event', 'delivery', 'event', 'delivery', 'message']
  expect(kindsOf(events)).toEqual([...caused, 'action'])
  expect(events[0]?.data).toMatchObject({ type: 'user.update', status: 'in-review' })
  expect(events[1]?.data).toMatchObject({ outcome: 'suppressed', eventId: events[0]?.data.id })
  expect(events[4]?.data).toMatchObject({ kind: 'kyc-result', to: 'alice@example.com' })
  expect(events[0]?.data.cause).toMatchObject({ id: events[5]?.data.id, kind: 'simulation' })
  await live.app.call('GET /v2/users', { query: { email: 'alice@example.com' } })
  expect(await reader.next()).toMatchObject({
    event: 'request',
    data: { operation: 'findUsers', status: 200 },
  })
  await live.post('/clock/advance', { by: '1h' })
  expect(await reader.next()).toMatchObject({
    event: 'clock',
    data: { now: '2026-07-01T13:00:00.000Z', mode: 'frozen' },
  })
  expect(await reader.next()).toMatchObject({
    event: 'action',
    data: { operation: 'advanceClock', until: '2026-07-01T13:00:00.000Z' },
  })
  await live.post('/clock/resume')
  expect((await reader.next()).data.mode).toBe('running')
  expect((await reader.next()).data.operation).toBe('resumeClock')
  await live.post('/reset')
  expect(await reader.next()).toMatchObject({
    event: 'reset',
    data: { world: 'default', fixture: 'verified-user', now: '2026-07-01T12:00:00.000Z' },
  })
  await reader.close()
})

it('the event stream begins after a cursor of the journal, or where a reader that reconnects left off', async () => {
  await using live = await openLive()
  const { cursor } = await live.get('/journal?after=end')
  await review(live, 'in-review')
  const first = await follow(live, `?after=${cursor}`)
  const rows = await first.take(6)
  expect(kindsOf(rows)).toEqual(['event', 'delivery', 'event', 'delivery', 'message', 'action'])
  await first.close()
  const second = await follow(live, `?after=${cursor}`, { 'last-event-id': rows[4]?.id })
  expect(kindsOf(await second.take(1))).toEqual(['action'])
  await second.close()
  const refused = await fetch(`${live.url}${STREAM}?after=f1`)
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('after must be a cursor of readJournal'),
  ])
})

it('the event stream continues where a reader that reconnects left off', async () => {
  await using live = await openLive()
  const first = await follow(live)
  await review(live, 'in-review')
  const { id = '' } = (await first.take(2)).at(-1) ?? {}
  await first.close()
  await live.post('/clock/advance', { by: '1s' })
  const second = await follow(live, '', { 'last-event-id': id })
  expect(kindsOf(await second.take(4))).toEqual(['event', 'delivery', 'message', 'action'])
  await second.close()
})

it('the event stream starts with the reset for a reader that connected before it', async () => {
  await using live = await openLive()
  const first = await follow(live)
  await review(live, 'in-review')
  const { id = '' } = await first.next()
  await first.close()
  await live.post('/reset')
  await live.post('/clock/advance', { by: '1s' })
  for (const from of [id, 'f999999']) {
    const second = await follow(live, '', { 'last-event-id': from })
    expect(kindsOf(await second.take(2))).toEqual(['reset', 'clock'])
    await second.close()
  }
})

it('the event stream keeps a quiet connection alive', async () => {
  fakeSandboxTimers('setTimeout', 'clearTimeout')
  await using control = openControl()
  const { body } = await control.open('/events/stream')
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const text = async () => (await reader?.read())?.value
  expect(await text()).toBe('retry: 1000\n\n')
  for (let beat = 0; beat < 3; beat++) {
    const next = text()
    await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(15_000)
    expect(await next).toBe(':\n\n')
  }
  await reader?.cancel()
})

it('the event stream drops a reader that takes nothing for a minute', async () => {
  fakeSandboxTimers('setTimeout', 'clearTimeout')
  await using control = openControl()
  const { body } = await control.open('/events/stream')
  for (let i = 0; i < 3; i++) await review(control, i % 2 === 0 ? 'in-review' : 'rejected')
  vi.advanceTimersByTime(60_000)
  const text = await new Response(body).text()
  expect(text).toContain('retry: 1000')
  expect(text).not.toContain('"status":"rejected"')
})

it('the event stream tells a reader that reconnects too late that it has missed something', async () => {
  await using control = openControl()
  const first = readSse(await control.open('/events/stream'))
  await review(control, 'in-review')
  const { id = '' } = await first.next()
  await first.close()
  const find = () => control.app.call('GET /v2/users', { query: { email: 'alice@example.com' } })
  for (let i = 0; i <= CALLS_MAX; i++) await find()
  const headers = { 'last-event-id': id }
  const second = readSse(await control.open('/events/stream?only=request', { headers }))
  expect(await second.next()).toMatchObject({ event: 'lost' })
  const rest = await second.take(CALLS_MAX)
  expect([rest[0]?.data.id, rest.at(-1)?.data.id]).toEqual(['req_2', `req_${CALLS_MAX + 1}`])
  await second.close()
})

it('the event stream limits its readers, and a disconnected reader frees its slot', async () => {
  await using live = await openLive()
  const streams: Response[] = []
  for (let i = 1; i < FOLLOWERS_MAX; i++) streams.push(await live.open('/events/stream'))
  expect(streams.every(({ status }) => status === 200)).toBe(true)
  const head = await fetch(live.url + STREAM, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await isFull(live)).toBe(false)
  const port = Number(new URL(live.url).port)
  for (const path of [STREAM, '/_sandbox/events?timeout=60s']) {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    await expect.poll(() => isFull(live)).toBe(true)
    socket.destroy()
    await expect.poll(() => isFull(live)).toBe(false)
  }
  for (const { body } of streams) await body?.cancel()
})

import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { logIn } from '../helpers/story.ts'
import { type Control, openControl } from './control.ts'
import { openLive } from './live.ts'

const HOOKS = '/catch/hooks'
const PATH = `/_sandbox${HOOKS}`

async function configure(control: Control, url: string): Promise<string> {
  const body = { url }
  const { signingSecret = '' } = await control.app.call('PUT /v2/webhook-configurations', { body })
  return signingSecret
}

it('a catch receives webhooks, and sees that they are signed', async () => {
  await using live = await openLive()
  await configure(live, live.url + PATH)
  const alice = await logIn(live.app)
  const waiting = live.get(`${HOOKS}/requests?count=2&timeout=30s`)
  const { id } = await alice.buy()
  await alice.cancel(id)
  const { matched, requests, total, cursor } = await waiting
  expect({ matched, total }).toEqual({ matched: true, total: 2 })
  expect(requests).toMatchObject([
    { method: 'POST', path: PATH, signature: 'valid' },
    { method: 'POST', path: PATH, signature: 'valid' },
  ])
  const statuses = requests.map(({ body }: { body: string }) => JSON.parse(body).payload.status)
  expect(statuses.at(-1)).toBe('cancelled')
  expect((await live.get(`${HOOKS}/requests?after=${cursor}`)).requests).toEqual([])
})

it('a catch distinguishes a wrong signature, a stale one and none', async () => {
  const now = Date.parse('2026-07-01T12:00:00Z')
  await using control = openControl({ wallClock: () => now })
  const secret = await configure(control, 'http://127.0.0.1:9/')
  const body = '{"é":"漢"}'
  const post = async (ageSeconds: number, key: string | null) => {
    const timestamp = String(now / 1000 - ageSeconds)
    const digest = createHmac('sha256', key ?? '')
      .update(`${timestamp}.${body}`)
      .digest('hex')
    const signed = { 'x-service-timestamp': timestamp, 'x-service-signature': `v1=${digest}` }
    const headers = key === null ? {} : signed
    await control.open(HOOKS, { method: 'POST', body, headers })
    return (await control.get(`${HOOKS}/requests`)).requests.at(-1).signature
  }
  expect(await post(0, secret)).toBe('valid')
  expect(await post(300, secret)).toBe('valid')
  expect(await post(301, secret)).toBe('stale')
  expect(await post(-301, secret)).toBe('stale')
  expect(await post(0, 'whsec_other')).toBe('wrong')
  expect(await post(0, null)).toBe('missing')
})

it('a catch takes any method and any type of body, without a token', async () => {
  await using control = openControl({ controlToken: 'secret' })
  const bytes = new Uint8Array([0xff, 0x00, 0xfe])
  const headers = { 'content-type': 'text/plain' }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE']) {
    const response = await control.open(`${HOOKS}?of=${method}`, { method, headers, body: 'é' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  }
  await control.open(HOOKS)
  await control.open(HOOKS, { method: 'POST', body: bytes })
  const authorization = 'Bearer secret'
  const response = await control.open(`${HOOKS}/requests`, { headers: { authorization } })
  const { requests } = JSON.parse(await response.text())
  expect(requests.map(({ method }: { method: string }) => method)).toEqual([
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'],
    ...['GET', 'POST'],
  ])
  expect(requests[0]).toMatchObject({
    id: 'caught_1',
    path: `/_sandbox${HOOKS}?of=POST`,
    headers: { 'content-type': 'text/plain' },
    body: 'é',
    bodyEncoding: 'utf-8',
  })
  expect(requests[6]).toMatchObject({ body: '/wD+', bodyEncoding: 'base64' })
})

it('a catch responds with what was set, for a number of requests or for good', async () => {
  await using control = openControl()
  const response = async () => {
    const { status, headers, text } = await control.app.send(`/_sandbox${HOOKS}`)
    return [status, headers.get('content-type'), text]
  }
  await control.post(`${HOOKS}/respond`, { status: 503, body: { busy: true }, times: 2 })
  expect(await response()).toEqual([503, 'application/json', '{"busy":true}'])
  expect(await response()).toEqual([503, 'application/json', '{"busy":true}'])
  expect((await response())[0]).toBe(200)
  const headers = { 'Content-Type': 'text/plain' }
  const teapot = await control.post(`${HOOKS}/respond`, { status: 418, body: 'teapot', headers })
  expect(teapot).toEqual({ name: 'hooks', status: 418, body: 'teapot', headers, times: null })
  for (let i = 0; i < 3; i++) expect(await response()).toEqual([418, 'text/plain', 'teapot'])
  await control.post(`${HOOKS}/respond`, { status: 204 })
  expect((await response())[0]).toBe(204)
})

it('a catch responds with no page that could act as the inspector, whatever was set', async () => {
  await using control = openControl()
  const protection = async () => {
    const { headers } = await control.app.send(`/_sandbox${HOOKS}`)
    return [headers.get('content-security-policy'), headers.get('x-content-type-options')]
  }
  expect(await protection()).toEqual(['sandbox', 'nosniff'])
  const headers = { 'Content-Type': 'text/html', 'Retry-After': '1', 'X-RateLimit-Reset': '5' }
  await control.post(`${HOOKS}/respond`, { status: 200, body: '<script>1</script>', headers })
  expect(await protection()).toEqual(['sandbox', 'nosniff'])
})

it('a catch can be cleared, and continues its ids', async () => {
  await using control = openControl()
  await control.open(HOOKS)
  await control.post(`${HOOKS}/respond`, { status: 500 })
  const { cursor } = await control.get(`${HOOKS}/requests`)
  expect(await control.delete(`${HOOKS}/requests`)).toEqual({ cleared: 'hooks' })
  expect(await control.get(`${HOOKS}/requests`)).toMatchObject({ requests: [], total: 0 })
  expect((await control.open(HOOKS)).status).toBe(200)
  const { requests, total } = await control.get(`${HOOKS}/requests?after=${cursor}`)
  expect([requests[0].id, total]).toEqual(['caught_2', 1])
})

it('a catch takes a body of a mebibyte and refuses one byte more', async () => {
  await using live = await openLive()
  const mebibyte = 1024 * 1024
  const post = async (length: number, isStream: boolean) => {
    const whole = Buffer.alloc(length, 'x')
    const body = isStream ? new Blob([whole]).stream() : whole
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    return (await fetch(`${live.url}/_sandbox${HOOKS}`, init)).status
  }
  expect([await post(mebibyte, false), await post(mebibyte, true)]).toEqual([200, 200])
  expect([await post(mebibyte + 1, false), await post(mebibyte + 1, true)]).toEqual([413, 413])
  expect((await live.get(`${HOOKS}/requests?count=1`)).requests[0].body).toHaveLength(mebibyte)
})

it('all catches together keep 32 MiB, and drop the oldest requests', async () => {
  await using control = openControl()
  const body = Buffer.alloc(1024 * 1024 - 1_000, 'x')
  for (let i = 0; i < 40; i++) {
    await control.open(`/catch/c${i % 20}`, { method: 'POST', body })
  }
  const counts: number[] = []
  for (let i = 0; i < 20; i++) {
    counts.push((await control.get(`/catch/c${i}/requests?count=1`)).total)
  }
  expect(counts).toEqual([...Array(8).fill(1), ...Array(12).fill(2)])
  const { requests } = await control.get('/catch/c0/requests')
  expect(requests.map(({ id }: { id: string }) => id)).toEqual(['caught_2'])
  await control.delete('/catch/c19/requests')
  for (let i = 0; i < 2; i++) await control.open('/catch/c0', { method: 'POST', body })
  expect((await control.get('/catch/c0/requests')).total).toBe(3)
})

it('a catch refuses what a page of another site makes a browser send', async () => {
  await using control = openControl()
  const sites = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]
  for (const headers of sites) {
    const sent = { method: 'POST', body: 'x', headers: headers as Record<string, string> }
    expect((await control.open(HOOKS, sent)).status).toBe(403)
  }
  expect((await control.get(`${HOOKS}/requests`)).total).toBe(0)
  expect((await control.open(HOOKS, { method: 'POST', body: 'x' })).status).toBe(200)
})

it.each(['/catch/-', '/catch/a b', '/catch/%2e%2ea', `/catch/${'x'.repeat(65)}`])(
  'a catch is not named %s',
  async (path) => {
    await using control = openControl()
    expect(await control.refused('POST', path)).toMatchObject({ status: 400 })
    expect(await control.refused('GET', `${path}/requests`)).toMatchObject({ status: 400 })
  },
)

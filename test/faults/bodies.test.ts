import { expect, it } from 'vitest'
import { expectNothingChanged } from '../helpers/state.ts'
import { openServed } from './served.ts'

const SEARCH = '/v2/users?email=alice@example.com'
const HTML = '<html><body><h1>502 Bad Gateway</h1><p>é 漢</p></body></html>'
const html = { 'content-type': 'text/html' }

it.each([
  ['v2', SEARCH],
  ['v1', '/apiFindUser?email=alice@example.com'],
])(
  'the body of a fault is sent unchanged in place of the error of %s, with its media type',
  async (_, path) => {
    await using served = await openServed()
    const then = { status: 502, body: HTML, headers: { ...html, 'Retry-After': '2' } }
    await served.post('/faults', { on: 'api', then })
    const outcome = await expectNothingChanged(served.app, () => served.call('GET', path))
    expect(outcome).toMatchObject({
      status: 502,
      body: HTML,
      headers: { 'content-type': 'text/html', 'retry-after': '2' },
    })
    expect(await served.get(`/requests/${outcome.headers['x-sandbox-request']}`)).toMatchObject({
      status: 502,
      response: { body: HTML },
      reason: { code: 'fault' },
      notes: [expect.stringContaining('with the body “<html><body><h1>502 Bad Gateway</h1>')],
    })
    expect(await served.call('GET', path)).toMatchObject({ status: 200 })
  },
)

it('the body of a fault may be empty, and may come with any status from 200', async () => {
  await using served = await openServed()
  const sent = [
    { status: 200, body: '{"success":tru' },
    { status: 302, body: '', headers: { location: 'https://login.example.com/' } },
    { status: 500, body: '' },
    { status: 599, body: 'down' },
  ]
  for (const then of sent) {
    await served.post('/faults', { on: 'api', then })
    const { status, body, headers } = await served.call('GET', SEARCH)
    expect({ status, body }).toEqual({ status: then.status, body: then.body })
    expect(headers['content-type']).toBe('text/plain;charset=UTF-8')
  }
})

it.each([204, 205, 304])(
  'the body of a fault is refused with status %i, which never has one',
  async (status) => {
    await using served = await openServed()
    const body = { on: 'api', then: { status, body: '' } }
    expect(await served.refused('POST', '/faults', { body })).toMatchObject({
      status: 400,
      errors: [
        { field: 'then.body', message: 'then.body cannot be sent with status 204, 205 or 304.' },
      ],
    })
    await served.post('/faults', { on: 'api', then: { status } })
    const outcome = await served.call('GET', SEARCH)
    expect(outcome).toMatchObject({ status, body: '', broken: null })
    expect(outcome.headers['content-type']).toBeUndefined()
  },
)

it('the body of a fault cannot act on the inspector, which has the same origin', async () => {
  await using served = await openServed()
  const headers = { ...html, 'content-security-policy': "default-src 'self'" }
  await served.post('/faults', { on: 'api', then: { status: 200, body: HTML, headers } })
  const outcome = await served.call('GET', SEARCH)
  expect(outcome.headers['content-security-policy']).toBe("default-src 'self', sandbox")
})

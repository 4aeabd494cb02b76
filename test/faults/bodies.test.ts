import { describe, expect, it } from 'vitest'
import { runInProcess } from '../helpers/in-process.ts'
import { expectNothingChanged } from '../helpers/state.ts'
import { openServed } from './served.ts'

const SEARCH = '/v2/users?email=alice@example.com'
const HTML = '<html><body><h1>502 Bad Gateway</h1><p>é 漢</p></body></html>'
const html = { 'content-type': 'text/html' }

describe('the body of a fault', () => {
  it.each([
    ['v2', SEARCH],
    ['v1', '/apiFindUser?email=alice@example.com'],
  ])('is sent as it is in place of the error of %s, with its media type', async (_, path) => {
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
  })

  it('may be empty, and may come with any status from 200', async () => {
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

  it.each([204, 205, 304])('is refused with status %i, which never has one', async (status) => {
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
  })

  it.each([
    [{ body: 'x' }, 'then.body', 'A body needs a status.'],
    [{ delay: '1s', body: 'x' }, 'then.body', 'A body needs a status.'],
    [
      { status: 500, body: 'x', error: { message: 'y' } },
      'then.body',
      'Give an error or a body, not both.',
    ],
    [{ status: 200 }, 'then.body', 'A status below 400 needs a body; it may be empty.'],
    [
      { status: 200, error: { message: 'y' } },
      'then.body',
      'A status below 400 needs a body; it may be empty.',
    ],
    [{ status: 199, body: '' }, 'then.status', 'then.status must be at least 200.'],
  ])('is refused where it makes no sense: %j', async (then, field, message) => {
    await using served = await openServed()
    const { errors } = await served.refused('POST', '/faults', { body: { on: 'api', then } })
    expect(errors).toContainEqual({ field, message })
  })

  it('cannot act on the inspector, which has the same origin', async () => {
    await using served = await openServed()
    const headers = { ...html, 'content-security-policy': "default-src 'self'" }
    await served.post('/faults', { on: 'api', then: { status: 200, body: HTML, headers } })
    const outcome = await served.call('GET', SEARCH)
    expect(outcome.headers['content-security-policy']).toBe("default-src 'self', sandbox")
  })
})

it('the command line adds a fault with a body and headers', async () => {
  await using served = await openServed()
  const run = (...args: string[]) =>
    runInProcess(['fault', 'add', 'api', ...args], { RAMP_SANDBOX_URL: served.url })
  const type = ['--header', 'content-type: text/html', '--header', 'retry-after:2']
  expect(await run('--status', '502', '--body', HTML, ...type)).toMatchObject({ code: 0, err: '' })
  expect(await served.call('GET', SEARCH)).toMatchObject({
    status: 502,
    body: HTML,
    headers: { 'content-type': 'text/html', 'retry-after': '2' },
  })
  for (const empty of [['--body', ''], ['--body=']]) {
    expect(await run('--status', '500', ...empty)).toMatchObject({ code: 0, err: '' })
    expect(await served.call('GET', SEARCH)).toMatchObject({ status: 500, body: '' })
  }
  const bad = await run('--status', '502', '--header', 'text/html')
  expect(bad).toMatchObject({ code: 2, err: expect.stringContaining('--header must be ') })
  expect((await run('--status', '502', '--body')).err).toContain('--body needs a value')
})

import { expect, it } from 'vitest'
import { logIn } from '../helpers/story.ts'
import { openControl } from './control.ts'

it('the request journal says why a call was rejected, by the id in its response', async () => {
  await using control = openControl()
  const response = await control.app.send('/v2/users?email=alice@example.com', {
    headers: { 'x-api-key': 'wrong' },
  })
  const id = response.headers.get('x-sandbox-request')
  expect(await control.get(`/requests/${id}`)).toMatchObject({
    id,
    at: '2026-07-01T12:00:00.000Z',
    method: 'GET',
    url: 'http://127.0.0.1:4100/v2/users?email=alice@example.com',
    operation: 'findUsers',
    integrator: null,
    userId: null,
    status: 401,
    request: { body: null },
    response: { body: JSON.parse(response.text) },
    reason: {
      code: 'unknown-key',
      field: 'x-api-key',
      message: expect.any(String),
      rule: 'Authentication: 1',
      hint: expect.stringContaining('sandbox-key'),
    },
    problems: [{ field: 'x-api-key', message: expect.any(String) }],
    notes: [],
  })
})

it('the request journal shows only the end and a known scheme of a secret header', async () => {
  await using control = openControl()
  const headers = {
    cookie: 'token=FIRST-SECRET; theme=DARK-AND-LONG',
    'x-secret': 'SECOND-SECRET and more words',
    authorization: 'THIRD-SECRET without-scheme',
    'proxy-authorization': 'Basic FOURTH-SECRET',
  }
  await control.app.send('/v2/users', { headers })
  const [request] = (await control.get('/requests')).requests
  expect(JSON.stringify(request)).not.toMatch(/FIRST|SECOND|THIRD|FOURTH/)
  expect(request.request.headers).toMatchObject({
    cookie: '…LONG',
    'proxy-authorization': 'Basic …CRET',
  })
})

it('the request journal shows no key or token that came in a query', async () => {
  await using control = openControl()
  const query = 'api_key=SECRET-1&email=a@example.com&access_token=SECRET-2&X-Api-Key=SECRET-3'
  await control.app.send(`/v2/users?${query}&token=SECRET-4`)
  const { requests } = await control.get('/requests')
  expect(JSON.stringify(requests)).not.toContain('SECRET')
  expect(requests[0].url).toContain('api_key=(not-kept)&email=a@example.com&access_token=(not-')
})

it('the request journal keeps no keys and no secrets', async () => {
  await using control = openControl()
  const { token } = await logIn(control.app)
  const body = { url: 'https://example.com/hooks' }
  const { signingSecret } = await control.app.call('PUT /v2/webhook-configurations', { body })
  const rotated = await control.app.call('POST /v2/webhook-configurations/signing-secret/rotate')
  const { requests } = await control.get('/requests?limit=1000')
  const text = JSON.stringify(requests)
  for (const secret of [token, signingSecret, rotated.signingSecret, 'sandbox-key']) {
    expect(text).not.toContain(secret)
  }
  const [verified] = (await control.get('/requests?operation=verifyLoginCode')).requests
  expect(verified.response.body.data).toMatchObject({
    accessToken: '(not kept)',
    tokenType: 'Bearer',
  })
})

it('the request journal filters by status, operation and refusal, and goes on from the cursor', async () => {
  await using control = openControl()
  for (const email of ['alice@example.com', 'nonsense', 'bob@example.com', 'more nonsense']) {
    await control.app.send(`/v2/users?email=${email}`, {
      headers: { 'x-api-key': 'sandbox-key' },
    })
  }
  const idsOf = async (query: string) =>
    (await control.get(`/requests?${query}`)).requests.map(({ id }: { id: string }) => id)
  expect(await idsOf('')).toEqual(['req_1', 'req_2', 'req_3', 'req_4'])
  expect(await idsOf('refused=true')).toEqual(['req_2', 'req_4'])
  expect(await idsOf('refused=false')).toEqual(['req_1', 'req_3'])
  expect(await idsOf('status=400')).toEqual(['req_2', 'req_4'])
  expect(await idsOf('status=401')).toEqual([])
  expect(await idsOf('operation=createUser')).toEqual([])
  const first = await control.get('/requests?refused=true&limit=1')
  expect(await idsOf(`refused=true&after=${first.cursor}`)).toEqual(['req_4'])
})

import { expect, it } from 'vitest'
import { openServed } from './served.ts'

const SEARCH = '/v2/users?email=alice@example.com'

it('the order of faults is that of their creation: the first that matches wins, and is counted', async () => {
  await using served = await openServed()
  const statuses = async (count: number) => {
    const outcomes: (number | null)[] = []
    while (outcomes.length < count) outcomes.push((await served.call('GET', SEARCH)).status)
    return outcomes
  }
  await served.post('/faults', { on: 'api', skip: 1, times: 2, then: { status: 500 } })
  await served.post('/faults', { on: 'api', match: { method: 'GET' }, then: { status: 503 } })
  await served.post('/faults', {
    on: 'api',
    match: { operation: 'getLimits' },
    then: { status: 504 },
  })
  expect(await statuses(5)).toEqual([503, 500, 500, 200, 200])
  const { items } = await served.get('/faults')
  expect(items).toMatchObject([
    { seen: 3, hits: 2 },
    { seen: 1, hits: 1 },
    { seen: 0, hits: 0 },
  ])
})

it('the order of faults is per integrator if a fault names one', async () => {
  await using served = await openServed()
  await served.post('/faults', {
    on: 'api',
    match: { integrator: 'second' },
    then: { status: 503 },
  })
  expect((await served.call('GET', SEARCH)).status).toBe(200)
  const headers = { 'x-api-key': 'sandbox-key-2' }
  expect((await served.app.send(SEARCH, { headers })).status).toBe(503)
})

it.each([
  ['/v2/users', true],
  ['*users', true],
  ['/v2/users*', true],
  ['/v2.users', false],
  [`${'*s'.repeat(200)}`, false],
])('the path %s of a fault matches /v2/users: %s', async (path, fits) => {
  await using served = await openServed()
  await served.post('/faults', { on: 'api', match: { path }, then: { status: 503 } })
  expect((await served.call('GET', SEARCH)).status).toBe(fits ? 503 : 200)
})

it('the path of a fault is relative to the base URL of the world', async () => {
  await using served = await openServed()
  const fault = { on: 'api', match: { path: '/v2/users' }, then: { status: 503 } }
  await served.app.world('other').control('POST', '/faults', fault)
  expect((await served.call('GET', `/w/other${SEARCH}`)).status).toBe(503)
})

const then = { status: 503 }

it.each([
  ['then', { on: 'api', then: {} }],
  ['then.error', { on: 'api', then: { error: { field: 'a', message: 'b' } } }],
  ['then.status', { on: 'api', then: { status: 600 } }],
  ['then.connection', { on: 'api', then: { ...then, connection: 'lost' } }],
  ['then.headers.a', { on: 'api', then: { ...then, headers: { a: 'b\r\nc: d' } } }],
  ['then.delay', { on: 'api', then: { delay: '61s' } }],
  ['times', { on: 'api', then, times: 0 }],
  ['match.operation', { on: 'api', match: { operation: 'createTransactions' }, then }],
  ['match.method', { on: 'api', match: { operation: 'createTransaction', method: 'GET' }, then }],
  ['then.drop', { on: 'webhook', then: { drop: true, delay: '1s' } }],
  ['then.reorder', { on: 'webhook', then: { reorder: true, beforeResponse: true } }],
  ['match.hook', { on: 'webhook', match: { hook: 'verified' }, then: { drop: true } }],
  ['then.status', { on: 'webhook', then: { duplicate: true, status: 503 } }],
])('a fault that could never take effect is refused at %s: %j', async (field, body) => {
  await using served = await openServed()
  const { errors } = await served.refused('POST', '/faults', { body })
  expect(errors).toMatchObject([{ field }])
  expect((await served.get('/faults')).total).toBe(0)
})

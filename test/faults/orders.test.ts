import { describe, expect, it } from 'vitest'
import { openServed } from './served.ts'

const SEARCH = '/v2/users?email=alice@example.com'

describe('the order of faults', () => {
  it('is that in which they were made: the first that fits wins, and is counted', async () => {
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

  it('ends with a reset, after which their numbers begin anew', async () => {
    await using served = await openServed()
    const order503 = () => served.post('/faults', { on: 'api', then: { status: 503 } })
    expect((await order503()).id).toBe('fault_1')
    await served.post('/reset')
    expect(await served.get('/faults')).toEqual({ items: [], total: 0 })
    expect((await served.call('GET', SEARCH)).status).toBe(200)
    expect((await order503()).id).toBe('fault_1')
  })

  it('is of one world only', async () => {
    await using served = await openServed()
    await served.post('/faults', { on: 'api', then: { status: 503 }, times: 2 })
    expect((await served.call('GET', `/w/other${SEARCH}`)).status).toBe(200)
    expect((await served.call('GET', SEARCH)).status).toBe(503)
  })

  it('goes by the integrator where that is asked for', async () => {
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
})

describe('a path of a fault', () => {
  it.each([
    ['/v2/users', true],
    ['/v2/*', true],
    ['*', true],
    ['*users', true],
    ['/v2/u*rs', true],
    ['/*/*', true],
    ['/v2/users*', true],
    ['/v2/user', false],
    ['v2/users', false],
    ['/v2/*/users', false],
    ['/V2/users', false],
    ['/v2/users/*', false],
    ['/v2/us*sers', false],
    ['/v2.users', false],
    [`${'*s'.repeat(200)}`, false],
  ])('%s fits /v2/users: %s', async (path, fits) => {
    await using served = await openServed()
    await served.post('/faults', { on: 'api', match: { path }, then: { status: 503 } })
    expect((await served.call('GET', SEARCH)).status).toBe(fits ? 503 : 200)
  })

  it('is below the base URL of the world', async () => {
    await using served = await openServed()
    const fault = { on: 'api', match: { path: '/v2/users' }, then: { status: 503 } }
    await served.app.world('other').control('POST', '/faults', fault)
    expect((await served.call('GET', `/w/other${SEARCH}`)).status).toBe(503)
  })
})

describe('a fault that could never be met', () => {
  it.each([
    [{ on: 'api', then: {} }, 'then', 'must do something'],
    [{ on: 'api', then: { error: { field: 'a', message: 'b' } } }, 'then.error', 'status'],
    [{ on: 'api', then: { headers: { a: 'b' } } }, 'then.headers', 'status'],
    [{ on: 'api', then: { status: 399 } }, 'then.status', '400'],
    [{ on: 'api', then: { status: 600 } }, 'then.status', '599'],
    [{ on: 'api', then: { status: 503, connection: 'lost' } }, 'then.connection', 'done'],
    [{ on: 'api', then: { status: 503, connection: 'reset' } }, 'then.connection', 'before'],
    [
      { on: 'api', then: { status: 503, headers: { 'Content-Length': '1' } } },
      'then.headers.Content-Length',
      'frames',
    ],
    [{ on: 'api', then: { status: 503, headers: { 'a b': '1' } } }, 'then.headers.a b', 'letters'],
    [{ on: 'api', then: { status: 503, headers: { a: 'b\r\nc: d' } } }, 'then.headers.a', 'ASCII'],
    [{ on: 'api', then: { delay: '61s' } }, 'then.delay', '60s'],
    [{ on: 'api', then: { status: 503, drop: true } }, 'then.drop', 'not a field'],
    [{ on: 'api', then: { status: 503 }, times: 0 }, 'times', '1'],
    [{ on: 'api', then: { status: 503 }, skip: -1 }, 'skip', '0'],
    [
      { on: 'api', match: { operation: 'createTransactions' }, then: { status: 503 } },
      'match.operation',
      'createTransaction?',
    ],
    [
      { on: 'api', match: { operation: 'reset' }, then: { status: 503 } },
      'match.operation',
      'no reset',
    ],
    [
      { on: 'api', match: { integrator: 'mine' }, then: { status: 503 } },
      'match.integrator',
      'main?',
    ],
    [{ on: 'webhook', then: { drop: true, delay: '1s' } }, 'then.drop', 'nothing'],
    [{ on: 'webhook', then: { reorder: true, beforeResponse: true } }, 'then.reorder', 'response'],
    [
      { on: 'webhook', match: { type: 'user.updated' }, then: { drop: true } },
      'match.type',
      'user.update',
    ],
    [
      { on: 'webhook', match: { hook: 'verified' }, then: { drop: true } },
      'match.hook',
      'verifiedEmail',
    ],
    [{ on: 'webhook', then: { duplicate: true, status: 503 } }, 'then.status', 'not a field'],
    [{ on: 'sms', then: { drop: true } }, 'on', ''],
  ])('is refused: %j', async (body, field, words) => {
    await using served = await openServed()
    const { errors } = await served.refused('POST', '/faults', { body })
    expect(errors).toMatchObject([{ field, message: expect.stringContaining(words) }])
    expect((await served.get('/faults')).total).toBe(0)
  })
})

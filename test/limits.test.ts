import { describe, expect, it } from 'vitest'
import { CAUGHT_LENGTH_MAX, createCatcher } from '../src/http/catcher.ts'
import { createRequestJournal, REQUESTS_LENGTH_MAX } from '../src/http/requests.ts'
import { createBudget, type Long } from '../src/webhooks/budget.ts'
import { openControl } from './control/control.ts'
import { KEY } from './helpers/door.ts'

describe('what is long and kept', () => {
  it('is shortened, the oldest first, once there is too much of it', () => {
    const shortened: number[] = []
    const keep = createBudget(100)
    const long = (id: number, length: number): Long => ({
      length,
      shorten: () => void shortened.push(id),
    })
    keep(long(1, 60))
    keep(long(2, 40))
    expect(shortened).toEqual([])
    keep(long(3, 1))
    expect(shortened).toEqual([1])
    keep(long(4, 1_000))
    expect(shortened).toEqual([1, 2, 3, 4])
    keep(long(5, 100))
    expect(shortened).toEqual([1, 2, 3, 4])
  })

  it('is counted over every catch of every world, headers and all', () => {
    const budget = createBudget(10_000)
    const [one, other] = [createCatcher(budget), createCatcher(budget)]
    const came = {
      method: 'POST',
      path: '/',
      headers: { a: 'x'.repeat(3_000) },
      bytes: Buffer.from('y'.repeat(3_000)),
      receivedAt: 0,
      signature: 'missing',
    } as const
    const first = one.keep('a', came)
    const second = other.keep('b', came)
    expect(first).toMatchObject({ headers: {}, body: expect.stringContaining('too much came') })
    expect(second).toMatchObject({ headers: came.headers, body: 'y'.repeat(3_000) })
    expect(CAUGHT_LENGTH_MAX).toBeLessThanOrEqual(64 * 1024 * 1024)
  })

  it('is counted over the calls of every world, and what is short is left alone', () => {
    const budget = createBudget(10_000)
    const [one, other] = [
      createRequestJournal(undefined, budget),
      createRequestJournal(undefined, budget),
    ]
    const record = (journal: typeof one, answer: string) => {
      const opened = journal.open('GET', '/', 0)
      opened.answer = answer
      journal.close(opened)
      return opened
    }
    const short = record(one, 'x'.repeat(1_000))
    const first = record(one, 'x'.repeat(6_000))
    const second = record(other, 'x'.repeat(6_000))
    expect(short.answer).toHaveLength(1_000)
    expect(first.answer).toContain('too much came')
    expect(second.answer).toHaveLength(6_000)
    expect(REQUESTS_LENGTH_MAX).toBeLessThanOrEqual(64 * 1024 * 1024)
  })

  it('leaves a row that can still be read', { timeout: 60_000 }, async () => {
    await using control = openControl()
    const { door, get } = control
    const email = 'x'.repeat(63 * 1024)
    const count = Math.ceil(REQUESTS_LENGTH_MAX / (63 * 1024)) + 1
    // Every world remembers a thousand calls, so that it takes several to fill what they share.
    for (let i = 0; i < count; i++) {
      await door.world(`w${Math.floor(i / 900)}`).send('/v2/users', {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      })
    }
    const inFirst = await door.world('w0').control('GET', '/requests/req_1')
    expect(inFirst.request.body).toContain('too much came')
    expect(inFirst.reason.field).toBe('email')
    await get('/requests')
  })
})

describe('a text that fills the longest body', () => {
  it.each(['email', 'phone', 'dob', 'postalCode', 'province'])(
    'is refused at once as %s',
    async (field) => {
      await using control = openControl()
      for (const part of ['x', 'a@', '1/', '-']) {
        const body = { email: 'a@example.com', [field]: part.repeat(900_000 / part.length) }
        const { status } = await control.door.send('/v2/users', {
          method: 'POST',
          headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        expect(status).toBe(400)
      }
    },
  )
})

describe('a host that is allowed', () => {
  it('is so in any case of letters, and at any port', async () => {
    await using control = openControl({ allowHosts: ['Sandbox.internal'] })
    for (const host of ['sandbox.internal', 'SANDBOX.internal:4100']) {
      const { status } = await control.door.send('/_sandbox/health', { headers: { host } })
      expect(status).toBe(200)
    }
    const refused = await control.refused('GET', '/health', { headers: { host: 'internal' } })
    expect(refused.code).toBe('host-not-allowed')
  })
})

import { describe, expect, it } from 'vitest'
import { CAUGHT_LENGTH_MAX, createCatcher } from '../src/engine/catcher.ts'
import {
  createRequestJournal,
  REQUESTS_LENGTH_MAX,
  REQUESTS_MAX,
} from '../src/engine/request-journal.ts'
import { createBudget } from '../src/webhooks/budget.ts'
import { TASKS_PER_USER_MAX } from '../src/world/tasks.ts'
import { openControl } from './control/control.ts'
import { KEY } from './helpers/app.ts'
import { logIn } from './helpers/story.ts'

describe('what is long and kept', () => {
  it('is shortened, the oldest first, once there is too much of it', () => {
    const rows = [60, 40, 1, 1_000, 100].map((length) => ({ length, isShort: false }))
    const [first, second, third, fourth, fifth] = rows
    const budget = createBudget(100)
    const keep = (row = { length: 0, isShort: false }) =>
      budget(row, row.length, (long) => {
        long.isShort = true
      })
    const shortened = () => rows.filter(({ isShort }) => isShort)
    keep(first)
    keep(second)
    expect(shortened()).toEqual([])
    keep(third)
    expect(shortened()).toEqual([first])
    keep(fourth)
    expect(shortened()).toEqual([first, second, third, fourth])
    keep(fifth)
    expect(shortened()).toEqual([first, second, third, fourth])
  })

  it('is counted over every catch of every world, headers and all', () => {
    const budget = createBudget(10_000)
    const [one, other] = [createCatcher(budget), createCatcher(budget)]
    const request = {
      method: 'POST',
      path: '/',
      headers: { a: 'x'.repeat(3_000) },
      bytes: Buffer.from('y'.repeat(3_000)),
      receivedAt: 0,
      signature: 'missing',
    } as const
    const first = one.keep('a', request)
    const second = other.keep('b', request)
    expect(first).toMatchObject({
      headers: {},
      body: expect.stringContaining('too much was received'),
    })
    expect(second).toMatchObject({ headers: request.headers, body: 'y'.repeat(3_000) })
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
    expect(first.answer).toContain('too much was received')
    expect(second.answer).toHaveLength(6_000)
    expect(REQUESTS_LENGTH_MAX).toBeLessThanOrEqual(64 * 1024 * 1024)
  })

  it('gives its room back when its row is pushed out of the journal', () => {
    const budget = createBudget(10_000)
    const journal = createRequestJournal(undefined, budget)
    const call = (answer: string) => {
      const opened = journal.open('GET', '/', 0)
      opened.answer = answer
      journal.close(opened)
      return opened
    }
    call('x'.repeat(6_000))
    for (let i = 0; i < REQUESTS_MAX - 1; i++) call('')
    const second = call('x'.repeat(6_000))
    const third = call('x'.repeat(3_000))
    expect([second.answer?.length, third.answer?.length]).toEqual([6_000, 3_000])
    call('x'.repeat(3_000))
    expect(second.answer).toContain('too much was received')
  })

  it('gives back the room of a slow call when its own row is pushed out, and no other', () => {
    const budget = createBudget(10_000)
    const journal = createRequestJournal(undefined, budget)
    const end = (opened: ReturnType<typeof journal.open>, answer: string) => {
      Object.assign(opened, { status: 200, answer })
      journal.close(opened)
    }
    const slow = journal.open('POST', '/slow', 0)
    const quick = journal.open('GET', '/quick', 0)
    end(quick, 'x'.repeat(3_000))
    end(slow, 'x'.repeat(5_000))
    for (let i = 3; i <= REQUESTS_MAX; i++) end(journal.open('GET', '/', 0), '')
    // In the row that the slow one had.
    const fresh = journal.open('GET', '/fresh', 0)
    end(fresh, 'x'.repeat(6_900))
    expect(fresh.answer).toHaveLength(6_900)
    expect(quick.answer).toHaveLength(3_000)
    const late = journal.open('GET', '/late', 0)
    end(late, 'x'.repeat(3_000))
    expect([fresh, late].map(({ answer }) => answer?.length)).toEqual([6_900, 3_000])
  })

  it('has a row of its own for each call, slow ones included', () => {
    const journal = createRequestJournal()
    const slow = journal.open('POST', '/slow', 0)
    const call = (url: string) => {
      const opened = journal.open('GET', url, 0)
      expect(opened).toMatchObject({
        status: 0,
        body: null,
        problem: null,
        answer: null,
        notes: [],
      })
      Object.assign(opened, { status: 200, sent: url, answer: url, notes: [url] })
      journal.close(opened)
      return opened
    }
    for (let i = 2; i <= 2 * REQUESTS_MAX; i++) call(`/${i}`)
    Object.assign(slow, { status: 503, answer: 'late' })
    journal.close(slow)
    expect(slow).toMatchObject({ id: 'req_1', url: '/slow', answer: 'late' })
    const kept = journal.after(0)
    expect(kept).toHaveLength(REQUESTS_MAX)
    for (const { id, cursor, url, answer, notes } of kept) {
      expect({ id, url, answer, notes }).toEqual({
        id: `req_${cursor}`,
        url: `/${cursor}`,
        answer: `/${cursor}`,
        notes: [`/${cursor}`],
      })
    }
  })

  it('leaves a row that can still be read', { timeout: 60_000 }, async () => {
    await using control = openControl()
    const { app, get } = control
    const email = 'x'.repeat(63 * 1024)
    const count = Math.ceil(REQUESTS_LENGTH_MAX / (63 * 1024)) + 1
    // Every world remembers a thousand calls, so that it takes several to fill what they share.
    for (let i = 0; i < count; i++) {
      await app.world(`w${Math.floor(i / 900)}`).send('/v2/users', {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      })
    }
    const inFirst = await app.world('w0').control('GET', '/requests/req_1')
    expect(inFirst.request.body).toContain('too much was received')
    expect(inFirst.reason.field).toBe('email')
    await get('/requests')
  })
})

describe('what is kept beside a journal', () => {
  it('is let go with the row that is pushed out, however little there is of it', () => {
    const rows = [60, 40, 60, 1].map((length) => ({ length, isShort: false }))
    const budget = createBudget(100)
    const keep = (index: number) =>
      budget(rows[index] ?? {}, rows[index]?.length ?? 0, () => {
        shortened.push(index)
      })
    const shortened: number[] = []
    const drop = keep(0)
    keep(1)
    drop()
    drop()
    keep(2)
    expect(shortened).toEqual([])
    keep(3)
    expect(shortened).toEqual([1])
  })

  it('counts the path of what was caught, which may be as long as its headers', () => {
    const catcher = createCatcher(createBudget(1_000))
    const request = {
      method: 'GET',
      path: `/${'x'.repeat(2_000)}`,
      headers: {},
      bytes: Buffer.from(''),
      receivedAt: 0,
      signature: 'missing',
    } as const
    expect(catcher.keep('a', request).path).toContain('too much was received')
  })
})

describe('a user', () => {
  it('keeps a thousand outcomes at most', async () => {
    await using control = openControl()
    const { app } = control
    const path = '/simulate/users/alice@example.com/kyc'
    const body = { status: 'in-review', after: '1h' }
    for (let i = 0; i < TASKS_PER_USER_MAX; i++) await app.control('POST', path, body)
    const { status, errors } = await control.refused('POST', path, { body })
    expect([status, errors[0]?.field]).toEqual([400, 'after'])
    await app.advance('1h')
    await app.control('POST', path, body)
  })

  it.each(['checked', 'any'])('has wallets of a bounded length (%s)', async (setting) => {
    await using control = openControl({ settings: { 'transactions.wallet': setting } })
    const alice = await logIn(control.app)
    const { errors } = await alice.refusedBuy({ wallet: 'x'.repeat(501) })
    expect(errors[0]?.message).toBe('wallet may be at most 500 characters long.')
  })
})

describe('a text that fills the longest body', () => {
  it.each(['email', 'phone', 'dob', 'postalCode', 'province'])(
    'is refused at once as %s',
    async (field) => {
      await using control = openControl()
      for (const part of ['x', 'a@', '1/', '-']) {
        const body = { email: 'a@example.com', [field]: part.repeat(900_000 / part.length) }
        const { status } = await control.app.send('/v2/users', {
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
      const { status } = await control.app.send('/_sandbox/clock', { headers: { host } })
      expect(status).toBe(200)
    }
    const refused = await control.refused('GET', '/clock', { headers: { host: 'internal' } })
    expect(refused.code).toBe('host-not-allowed')
  })

  it.each(['fd00::2', '[fd00::2]'])('may be an IPv6 address, given as %s', async (address) => {
    await using control = openControl({ allowHosts: [address] })
    const ask = (host: string) => control.app.send('/_sandbox/clock', { headers: { host } })
    expect((await ask('[fd00::2]:4100')).status).toBe(200)
    expect((await ask('[fd00::3]:4100')).status).toBe(403)
  })
})

describe('the health of a sandbox with a control token', () => {
  it('is open to everyone, and the rest of it to the holder of the token', async () => {
    await using control = openControl({ controlToken: 'secret' })
    const ask = async (headers: Record<string, string>) =>
      JSON.parse((await control.app.send('/_sandbox/health', { headers })).text)
    const bare = { status: 'ok', version: expect.any(String) }
    const probes: Record<string, string>[] = [
      {},
      { authorization: 'Bearer other' },
      { host: '10.1.2.3' },
    ]
    for (const headers of probes) {
      expect(await ask(headers)).toEqual(bare)
    }
    expect(await ask({ authorization: 'Bearer secret' })).toMatchObject({ world: 'default' })
  })
})

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openControl } from '../control/control.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { readState } from '../helpers/state.ts'
import { logIn } from '../helpers/story.ts'

const COUNT = isFullDepth ? 100_000 : 2_000
const USERS = isFullDepth ? 20_000 : 2_000

describe('a document', () => {
  it.each([
    ['that is not JSON', '{"formatVersion":1,', 'body'],
    ['that is no object', '[]', 'formatVersion'],
    [
      'nested without end',
      `{"formatVersion":1,"users":${'['.repeat(9e4)}${']'.repeat(9e4)}}`,
      'body',
    ],
  ])('%s is refused with its place', async (_, text, field) => {
    await using control = openControl()
    const { status, errors } = await control.refused('PUT', '/state', { text })
    expect([status, errors[0]?.field]).toEqual([400, field])
  })

  it('must be UTF-8, and not compressed', async () => {
    await using control = openControl()
    const headers = { 'content-type': 'application/json' }
    const body = Buffer.from('{"formatVersion":1,"users":[{"city":"Montréal"}]}', 'latin1')
    const latin1 = await control.app.send('/_sandbox/state', { method: 'PUT', headers, body })
    expect([latin1.status, latin1.text]).toEqual([400, expect.stringContaining('UTF-8')])
    const packed = { ...headers, 'content-encoding': 'gzip' }
    const { status } = await control.refused('PUT', '/state', { text: '{}', headers: packed })
    expect(status).toBe(415)
  })

  it('has a bound in bytes, that the response names', async () => {
    await using control = openControl()
    const headers = { 'content-length': String(2 ** 28 + 1) }
    const rejected = await control.refused('PUT', '/state', { text: '{}', headers })
    expect(rejected).toMatchObject({ status: 413, code: 'body-too-large' })
    expect(rejected.title).toContain(String(2 ** 28))
  })

  it(`of ${COUNT} transactions is imported and exported unchanged`, {
    timeout: 120_000,
  }, async () => {
    await using control = openControl()
    await (await logIn(control.app)).buy({ externalSessionId: 'é漢🙂 "]}\\' })
    const state = JSON.parse(await readState(control.app))
    const [transaction] = state.transactions
    for (let i = 1; i < COUNT; i++) {
      const id = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
      state.transactions.push({ ...transaction, id })
    }
    state.users[0].transactionCount = COUNT
    await control.put('/state', state)
    expect((await control.get('/transactions?limit=1')).total).toBe(COUNT)
    const exported = await readState(control.app)
    expect(exported === JSON.stringify(state)).toBe(true)
  })
})

describe('a state that is exported while it changes', () => {
  it('is that of one moment, and lets others have their turn', { timeout: 60_000 }, async () => {
    const users = Array.from({ length: USERS }, (_, i) => ({ email: `u${i}@example.com` }))
    await using control = openControl({ fixture: { users } })
    const exported = readState(control.app)
    let isOver = false
    void exported.then(() => (isOver = true))
    let changes = 0
    for (; !isOver; changes++) {
      const path = `/simulate/users/u${changes % USERS}@example.com/kyc`
      await control.post(path, { status: changes < USERS ? 'in-review' : 'verified' })
      await new Promise((resolve) => setImmediate(resolve))
    }
    // Written in one turn, it would let in a single one; few rows take no longer than a turn.
    expect(changes).toBeGreaterThan(isFullDepth ? 2 : 0)
    const state = JSON.parse(await exported)
    const changed = state.users.filter(({ status }: { status: string }) => status === 'in-review')
    expect(state.users).toHaveLength(users.length)
    expect(state.eventCount).toBe(changed.length)
    await control.put('/state', state)
  })
})

it('exports a large state while a test of the same process has fake timers', async () => {
  const users = Array.from({ length: 5_000 }, (_, i) => ({ email: `u${i}@example.com` }))
  await using control = openControl({ fixture: { users } })
  vi.useFakeTimers({ toFake: ['setImmediate'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(JSON.parse(await readState(control.app)).users).toHaveLength(users.length)
})

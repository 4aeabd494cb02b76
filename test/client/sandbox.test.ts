import { describe, expect, it, onTestFinished } from 'vitest'
import { connectSandbox, createSandbox, type Sandbox } from '../../src/index.ts'
import { ALICE, buy } from './buy.ts'

const FIXTURE = { fixture: 'verified-user', clock: '2026-07-01T12:00:00Z' }

const services: [string, () => Promise<Sandbox>][] = [
  ['createSandbox without a socket', () => createSandbox({ ...FIXTURE, listen: false })],
  [
    'connectSandbox',
    async () => {
      const served = await createSandbox(FIXTURE)
      onTestFinished(() => served.close())
      return connectSandbox(served.url)
    },
  ],
]

describe.each(services)('a sandbox from %s', (_, open) => {
  async function start(): Promise<Sandbox> {
    const sandbox = await open()
    onTestFinished(() => sandbox.close())
    return sandbox
  }

  it('a sandbox takes a buy from its creation to its completion', async () => {
    const sandbox = await start()
    const id = await buy(sandbox)
    const received = await sandbox.simulate.fundsReceived(id, { deliver: 'wait' })
    const settled = await sandbox.simulate.settled(id)

    expect(received.to).toBe('processing request money transfer')
    expect(settled).toMatchObject({ from: received.to, to: 'complete', eventCount: 1, pending: 0 })
    const event = await sandbox.events.next({ type: 'transaction.update', status: 'complete' })
    expect(event.payload).toMatchObject({ transactionId: id, rightSideValue: 708.98 })
    expect(await sandbox.transactions.get(id)).toMatchObject({ side: 'buy', status: 'complete' })
  })

  it('a sandbox advances its clock and returns the tasks that ran', async () => {
    const sandbox = await start()
    const id = await buy(sandbox)
    expect((await sandbox.clock.advance('59m')).fired).toEqual([])
    const { fired } = await sandbox.clock.advance({ toNext: true })
    expect(fired).toEqual([{ at: '2026-07-01T13:00:00.000Z', kind: 'expire-transaction', ref: id }])
    expect(await sandbox.clock.now()).toEqual(new Date('2026-07-01T13:00:00Z'))

    await sandbox.clock.advance({ to: new Date('2026-07-02T00:00:00Z') })
    await sandbox.clock.advance(1)
    expect((await sandbox.clock.read()).now).toBe('2026-07-02T00:00:00.001Z')
    expect((await sandbox.clock.resume()).mode).toBe('running')
    expect((await sandbox.clock.freeze()).mode).toBe('frozen')
  })

  it('a sandbox simulates reviewers, accounts, banks and users', async () => {
    const { simulate, users, transactions, ...sandbox } = await start()
    expect(await simulate.kyc(ALICE, 'in-review')).toMatchObject({
      from: 'verified',
      eventCount: 2,
    })
    const delayed = await simulate.kyc(ALICE, 'verified', { after: '1h' })
    expect(delayed).toMatchObject({ to: 'verified', due: '2026-07-01T13:00:00.000Z' })
    await sandbox.clock.advance('1h')
    expect((await users.get(ALICE)).status).toBe('verified')

    await simulate.access(ALICE, ['jwt', 'apiKey'])
    await simulate.account(ALICE, { autodeposit: true, maximumCad: 2000, loginCode: '0042' })
    expect(await users.get(ALICE)).toMatchObject({
      keyAccess: true,
      account: { autodeposit: true, maximumCad: 2000, loginCode: '0042' },
    })
    expect(await simulate.shareToken('bob@example.com')).toMatch(/^_act-/)
    expect((await transactions.list()).length).toBe(0)
    expect((await users.list({ status: 'verified' })).map(({ email }) => email)).toEqual([ALICE])
  })

  it('a sandbox says why a call was rejected', async () => {
    const sandbox = await start()
    const response = await sandbox.fetch('/v2/limits', { headers: { 'x-api-key': 'wrong' } })
    const { reason } = await sandbox.requests.get(response.headers.get('x-sandbox-request') ?? '')
    expect(reason?.field).toBe('x-api-key')
    expect(await sandbox.requests.list({ refused: true })).toHaveLength(1)
    expect(await sandbox.requests.list({ refused: false })).toEqual([])
  })

  it('a sandbox restores a snapshot and waits for what happens after it', async () => {
    const sandbox = await start()
    const id = await buy(sandbox)
    await sandbox.snapshots.take('bought')
    await sandbox.simulate.settled(id, { through: true })
    await sandbox.events.next({ status: 'complete' })

    await sandbox.snapshots.restore('bought')

    expect((await sandbox.transactions.get(id)).status).toBe('pending request money transfer')
    await sandbox.simulate.settled(id, { through: true })
    const { status } = await sandbox.events.next()
    expect(status).toBe('processing request money transfer')
    await sandbox.events.next({ status: 'complete' })
    expect(await sandbox.snapshots.list()).toHaveLength(1)
    await sandbox.snapshots.delete('bought')
    expect(await sandbox.snapshots.list()).toEqual([])
  })

  it('a sandbox keeps worlds apart, and deletes one that is closed', async () => {
    const sandbox = await start()
    const other = sandbox.world('other')
    expect(other.url).toBe(`${sandbox.url}/w/other`)
    const id = await buy(other)
    await other.events.next({ ref: id })
    expect(await sandbox.events.list()).toEqual([])
    expect(other.world('third').url).toBe(`${sandbox.url}/w/third`)

    await other.close()

    await expect(other.info()).rejects.toMatchObject({ code: 'closed' })
    expect(await sandbox.world('other').events.list()).toEqual([])
  })

  it('a sandbox can be reset to another fixture, seed and clock, and then uses the API key of the fixture', async () => {
    const sandbox = await start()
    await sandbox.login(ALICE)
    await sandbox.reset({
      fixture: { integrators: [{ name: 'mine', apiKey: 'my-key' }] },
      seed: 'another',
      clock: '2026-01-01T00:00:00Z',
      settings: { 'quotes.ttl': '1m' },
    })
    expect(sandbox.apiKey).toBe('my-key')
    expect(await sandbox.info()).toMatchObject({ seed: 'another', now: '2026-01-01T00:00:00.000Z' })
    expect((await sandbox.settings.get('quotes.ttl')).value).toBe('1m')
    await sandbox.reset({ fixture: 'fixtures/cast.json' })
    expect(await sandbox.users.list()).toHaveLength(5)
  })

  it('a sandbox throws refusals of the control API with their code and fields', async () => {
    const sandbox = await start()
    const id = await buy(sandbox)
    await expect(sandbox.simulate.kyc('nobody@example.com', 'verified')).rejects.toMatchObject({
      name: 'SandboxError',
      code: 'not-found',
      status: 404,
    })
    await expect(sandbox.simulate.settled(id)).rejects.toMatchObject({
      code: 'illegal-transition',
      status: 409,
      from: 'pending request money transfer',
      allowed: expect.arrayContaining(['processing request money transfer']),
    })
    await expect(sandbox.clock.advance('soon' as never)).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ field: 'by', message: expect.stringContaining('1h') }],
    })
    await expect(sandbox.control('GET', '/nothing')).rejects.toThrow('/_sandbox/nothing')
  })
})

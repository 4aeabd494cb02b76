import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/client/client.ts'
import { connectSandbox } from '../../src/client/connect.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { State } from '../../src/world/state.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { validKyb } from '../helpers/kyb.ts'
import { PROFILE } from '../helpers/story.ts'
import { playHere } from './play-here.ts'

const EMAIL = 'alice@example.com'
const NOON = '2026-07-01T12:00:00Z'
const folder = createFolder()

describe('a session of a running sandbox', () => {
  it('is saved as a scenario that plays, without its keys, tokens and ids', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: NOON })
    const id = await buy(sandbox)
    const file = join(folder, 'mine.mjs')
    const saved = await runInProcess(['save', '--scenario', file, '--url', sandbox.url])
    expect(saved).toMatchObject({ code: 0, err: '' })
    const text = readFileSync(file, 'utf8')
    for (const secret of [id, sandbox.apiKey, 'eyJ']) {
      expect(text).not.toContain(secret)
    }
    const titles = Array.from(text.matchAll(/step\('(.*)'\)/g), ([, title]) => title)
    expect(titles).toEqual([
      'alice@example.com logs in',
      'Create transaction',
      'Receive the e-transfer of a buy',
      'Complete a transaction',
      'A webhook was sent for each status',
    ])
    expect(await runInProcess(['play', file])).toMatchObject({ code: 0 })
  })

  it('is saved with a count of what it leaves out, and not at all if that is everything', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: NOON })
    const file = join(folder, 'partly.mjs')
    const args = ['save', '--scenario', file, '--url', sandbox.url]
    const headers = { 'x-api-key': sandbox.apiKey }
    await fetch(`${sandbox.url}/v2/no-such-path`, { headers })
    const none = await runInProcess(args)
    expect(none.err).toContain('There is no call that a scenario could make.')
    expect(none.code).toBe(2)
    await fetch(`${sandbox.url}/v2/limits`, { headers })
    const { out } = await runInProcess(args)
    expect(out).toContain('1 call, and 1 left out, as its comments say; play it with')
    expect(readFileSync(file, 'utf8')).toContain('// Left out: GET /v2/no-such-path, which the')
    const json = await runInProcess([...args, '--json'])
    expect(JSON.parse(json.out)).toEqual({ scenario: file, calls: 1, leftOut: 1 })
  })

  it('is saved with the logins of a second integrator, whose tokens are its own', async () => {
    const fixture = {
      integrators: ['one', 'two'].map((name) => ({ name, apiKey: `live-key-${name}` })),
      users: [{ email: EMAIL, status: 'verified' as const, profile: PROFILE }],
    }
    await using sandbox = await createSandbox({ fixture, clock: NOON })
    const other = connectSandbox(sandbox.url, { apiKey: 'live-key-two' })
    for (const integrator of [sandbox, other]) {
      const alice = await integrator.login(EMAIL)
      await alice.get('/v2/limits')
      await alice.buy({ cad: 100 })
    }
    const file = join(folder, 'two.mjs')
    await runInProcess(['save', '--scenario', file, '--url', sandbox.url])
    const text = readFileSync(file, 'utf8')
    expect(text).toContain("await login('alice@example.com', api.with({ 'x-api-key': 'key-2' }))")
    expect(await playSaved(file)).toMatchObject({ outcome: 'passed', problem: null })
  })

  it('is saved as calls of v1 where it was one, which play', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: NOON })
    await liveInV1(sandbox)
    const file = join(folder, 'v1.mjs')
    await runInProcess(['save', '--scenario', file, '--url', sandbox.url])
    const text = readFileSync(file, 'utf8')
    expect(text).toContain("alice.post('/transaction'")
    expect(text).toContain('transaction.body.tx')
    expect(await playSaved(file)).toMatchObject({ outcome: 'passed', problem: null })
  })

  it('is saved with a profile as it was before the session changed it', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: NOON })
    const { id } = await sandbox.users.get(EMAIL)
    const alice = await sandbox.login(EMAIL)
    const requirements = `/v2/users/${id}/requirements`
    expect((await alice.get(requirements)).data).toMatchObject({ complete: true })
    await alice.patch(`/v2/users/${id}`, { dob: '1950-01-01' })
    expect((await alice.get(requirements)).data).toMatchObject({ complete: false })
    const file = join(folder, 'older.mjs')
    await runInProcess(['save', '--scenario', file, '--url', sandbox.url])
    expect(await playSaved(file)).toMatchObject({ outcome: 'passed', problem: null })
  })

  it('is saved by the buttons of the inspector, too', async () => {
    const settings = { preset: 'contract', 'quotes.fee': 0.02 } as const
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: NOON, settings })
    await buy(sandbox)
    const page = await (await sandbox.fetch('/_sandbox/ui/world')).text()
    const links = Array.from(
      page.matchAll(/href="([^"]*\/saved\/[^"]*)"/g),
      ([, link = '']) => link,
    )
    expect(links).toHaveLength(2)
    const [scenario, fixture] = await Promise.all(
      links.map(async (link) => (await sandbox.fetch(link)).text()),
    )
    const file = join(folder, 'button.mjs')
    writeFileSync(file, scenario ?? '')
    expect(await playSaved(file)).toMatchObject({ outcome: 'passed', problem: null })
    await using again = await createSandbox({ fixture: JSON.parse(fixture ?? '') })
    expect(await again.transactions.list()).toMatchObject([{ status: 'complete' }])
  })

  it('is saved with a warning where its first actions are kept no longer', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: NOON })
    for (let n = 0; n <= 1_000; n++)
      await sandbox.simulate.access(EMAIL, n % 2 ? ['jwt'] : ['apiKey', 'jwt'])
    await sandbox.fetch('/v2/users?email=a@b.ca', { headers: { 'x-api-key': sandbox.apiKey } })
    const args = ['save', '--scenario', join(folder, 'cut.mjs'), '--url', sandbox.url]
    expect((await runInProcess(args)).err).toContain('kept no longer')
  })

  it('cannot be saved without a call, nor without a file to write', async () => {
    await using sandbox = await createSandbox()
    const args = ['save', '--scenario', join(folder, 'none.mjs'), '--url', sandbox.url]
    expect(await runInProcess(args)).toMatchObject({ code: 2 })
    expect(await runInProcess(['save'])).toMatchObject({ code: 2 })
  })
})

describe('a world that is saved as a fixture', () => {
  it('begins again with the same users and transactions', async () => {
    const settings = { preset: 'contract', 'quotes.fee': 0.02 } as const
    await using sandbox = await createSandbox({ fixture: 'cast', clock: NOON, settings })
    await sandbox.simulate.account(EMAIL, { autodeposit: true })
    await buy(sandbox)
    const { users, transactions } = await sandbox.control<State>('GET', '/state')
    const file = join(folder, 'mine.json')
    const { code } = await runInProcess(['save', '--fixture', file, '--url', sandbox.url])
    expect(code).toBe(0)
    await using again = await createSandbox({ fixture: file })
    const state = await again.control<State>('GET', '/state')
    expect(state.users.map(essenceOfUser)).toEqual(users.map(essenceOfUser))
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
    expect(state.transactions.map(essenceOf).sort(byId)).toEqual(
      transactions.map(essenceOf).sort(byId),
    )
  })
})

describe('a world that no fixture can hold whole', () => {
  async function saveFixture({ url }: Sandbox) {
    const file = join(folder, 'other.json')
    rmSync(file, { force: true })
    const ended = await runInProcess(['save', '--fixture', file, '--url', url])
    return { ...ended, isWritten: existsSync(file) }
  }

  it('is saved with a count of the transactions that will differ', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: NOON })
    await sandbox.buy(EMAIL, { cad: 100, settle: true })
    expect((await saveFixture(sandbox)).out).toMatch(/: 1 users, 1 transactions\n$/)
    await sandbox.rates.set({ USDC: { cad: 2 } })
    const { transaction } = await sandbox.buy(EMAIL, { cad: 100 })
    await sandbox.simulate.status(transaction, 'sending', { force: true })
    const { code, out } = await saveFixture(sandbox)
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/; 2 will have another amount or status\n$/),
    ])
  })

  it('is not saved as one that start refuses', async () => {
    const settings = { 'transactions.expiryLag': '1h' } as const
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: NOON, settings })
    await sandbox.buy(EMAIL, { cad: 100 })
    await sandbox.clock.advance('70m')
    await sandbox.settings.set({ 'transactions.expiryLag': '0ms' })
    const { code, err, isWritten } = await saveFixture(sandbox)
    expect([code, isWritten]).toEqual([2, false])
    expect(err).toContain('No fixture can begin with this world: transactions[0].createdAt: A buy')
  })
})

/** Plays it in a sandbox that knows nothing of the session. */
async function playSaved(file: string) {
  await using sandbox = await createSandbox()
  return await playHere(sandbox, file)
}

const essenceOfUser = (user: State['users'][0]) => {
  const { id, email, status, profile, integrators, autodeposit } = user
  return [id, email, status, profile, integrators, autodeposit]
}

const essenceOf = (row: State['transactions'][0]) => {
  const { id, userId, status, leftSide, rightSide, wallet, createdAt, closedAt, paymentId } = row
  return { id, userId, status, leftSide, rightSide, wallet, createdAt, closedAt, paymentId }
}

/** Buys to the end, and returns the id. */
async function buy(sandbox: Awaited<ReturnType<typeof createSandbox>>): Promise<string> {
  const alice = await sandbox.login(EMAIL)
  const { data } = await alice.buy({ cad: 100, externalSessionId: 'order-of-alice' })
  const { id } = data
  await sandbox.clock.advance('5m')
  await sandbox.simulate.fundsReceived(id)
  await alice.get(`/v2/transactions/${id}`)
  await sandbox.simulate.settled(id)
  await alice.get(`/v2/transactions/${id}`)
  return id
}

/** Fields that the responses of v1 have. */
interface V1Response {
  token: string
  quoteId: number
  gasId: number
  tx: string
}

/** Buys with v1, and submits a business twice, once with a mistake. */
async function liveInV1(sandbox: Awaited<ReturnType<typeof createSandbox>>) {
  const send = async (method: string, path: string, body?: object, token?: string) => {
    const headers = {
      'x-api-key': sandbox.apiKey,
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await sandbox.fetch(path, init)
    return (await response.json()) as V1Response
  }
  const email = `email=${encodeURIComponent(EMAIL)}`
  await send('POST', '/webhook-signing-secret')
  await send('PATCH', '/webhooks', {
    transactionInitiatedEnabled: true,
    transactionStatusUpdateEnabled: true,
    transactionCompleteEnabled: true,
    transactionStatusUpdateUrl: sandbox.webhooks.catch('mine').url,
  })
  await send('GET', '/webhooks')
  await send('GET', `/apiFindUser?${email}`)
  await send('POST', `/loginCodeSend?${email}`)
  const code = await sandbox.inbox.loginCode(EMAIL)
  const { token } = await send('POST', `/loginCodeVerify?${email}&login_code=${code}`)
  const pair = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  const query = new URLSearchParams({ ...pair, leftSideValue: '100.00' })
  const { quoteId, gasId } = await send('GET', `/priceQuote?${query}`)
  const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
  const { tx } = await send('POST', '/transaction', { ...pair, wallet, quoteId, gasId }, token)
  await sandbox.clock.advance('5m')
  await sandbox.simulate.settled(tx, { through: true })
  await send('GET', `/transaction?tx_id=${tx}`, undefined, token)
  await send('POST', '/submitKYB', validKyb())
  await send('POST', '/submitKYB', { ...validKyb(), corporation_number: 'none' })
}

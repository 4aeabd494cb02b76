import { expect, it, onTestFinished } from 'vitest'
import {
  type ContractOperationId,
  createSandbox,
  type Duration,
  type SandboxOptions,
} from '../../src/index.ts'
import { ALICE } from './buy.ts'

const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'

async function start(options: SandboxOptions = {}) {
  const clock = '2026-07-01T12:00:00Z'
  const sandbox = await createSandbox({
    fixture: 'verified-user',
    clock,
    listen: false,
    ...options,
  })
  onTestFinished(() => sandbox.close())
  return sandbox
}

it('buy and sell create a transaction for a user in one call', async () => {
  const sandbox = await start()
  const { transaction, events } = await sandbox.buy(ALICE, { cad: 250 })
  expect(transaction).toMatchObject({ status: PENDING, leftSideValue: 250, email: ALICE })
  expect(events.map(({ ref }) => ref)).toEqual([transaction.id])
  const sold = await sandbox.sell(ALICE, { coins: 50, coin: 'USDC-SOL', settle: true })
  expect(sold.transaction).toMatchObject({ status: 'complete', leftSideLabel: 'USDC-SOL' })
  const statuses = sold.events.map(({ status }) => status)
  expect(statuses).toEqual([PENDING, PROCESSING, 'complete'])
})

it('login responds with a token and a client that sends it', async () => {
  const sandbox = await start()
  const alice = await sandbox.login(ALICE)
  const { data } = await alice.buy({ cad: 100, externalSessionId: 'cart-1' })
  expect((await alice.get(`/v2/transactions/${data.id}`)).data.status).toBe(PENDING)
  expect((await alice.sell({ coins: 40, coin: 'USDC-SOL' })).data.rightSideLabel).toBe('CAD')
  const headers = { 'x-api-key': sandbox.apiKey, authorization: `Bearer ${alice.token}` }
  const response = await sandbox.fetch('/v2/transactions', { headers })
  expect(await response.json()).toMatchObject({ data: { total: 2 } })
  const anonymous = alice.with({ authorization: null })
  expect((await anonymous.get('/v2/transactions')).status).toBe(401)
})

it('login says why the service rejects it', async () => {
  const sandbox = await start()
  await sandbox.simulate.kyc(ALICE, 'in-review')
  await expect(sandbox.login(ALICE)).rejects.toMatchObject({ code: 'contract', status: 403 })
  const error = await sandbox.login('nobody@example.com').catch((reason) => reason)
  expect(error).toMatchObject({ code: 'contract', status: 404, problems: [{ field: 'email' }] })
  expect(error.message).toContain('POST /v2/auth/login-codes responded with 404')
})

it('a wait accepts the same lengths of time as HTTP', async () => {
  const sandbox = await start()
  for (const timeout of ['20ms', 20, 'PT0S'] satisfies Duration[]) {
    await expect(sandbox.events.next({}, { timeout })).rejects.toMatchObject({ code: 'timeout' })
  }
  const wrong = sandbox.events.next({}, { timeout: 'soon' as never })
  await expect(wrong).rejects.toMatchObject({
    code: 'invalid',
    problems: [{ field: 'timeout', message: expect.stringContaining('90s') }],
  })
  expect(await sandbox.webhooks.drain({ timeout: '1s' })).toMatchObject({ pending: 0 })
})

it('the types know ids, values, operations and lengths of time', async () => {
  const sandbox = await start({ settings: { 'quotes.ttl': '5m', 'status.created': 201 } })
  expect((await sandbox.settings.get('responses.fields')).value).toBe('full')
  const operation = 'createTransaction' satisfies ContractOperationId
  await sandbox.faults.add({ on: 'api', match: { operation }, then: { delay: '1ms' } })
  // @ts-expect-error there is no such setting
  const setting = sandbox.settings.set({ 'quotes.tll': '5m' })
  await expect(setting).rejects.toMatchObject({ code: 'invalid' })
  // @ts-expect-error there is no such value
  const value = sandbox.settings.set({ 'responses.fields': 'large' })
  await expect(value).rejects.toMatchObject({ code: 'invalid' })
  // @ts-expect-error no length of time
  await expect(sandbox.clock.advance('1 hour')).rejects.toMatchObject({ code: 'invalid' })
  // @ts-expect-error there is no such operation
  expect(await sandbox.requests.list({ operation: 'createTransactions' })).toEqual([])
  // @ts-expect-error the contract spells it `complete`
  const status = sandbox.events.list({ status: 'completed' })
  await expect(status).rejects.toThrow('did you mean complete?')
})

import { createReceiver, createSandbox, type Sandbox, type TransactionEvent } from 'ramp-sandbox'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
})

afterEach(() => sandbox.close())

test('a buy expires an hour after its creation', async () => {
  const receiver = await createReceiver<{ payload: TransactionEvent['payload'] }>()
  const { transaction } = await sandbox.buy('alice@example.com', { cad: 250 })
  await sandbox.fetch('/v2/webhook-configurations', {
    method: 'PUT',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url }),
  })

  await sandbox.clock.advance('1h')

  const { payload } = (await receiver.next()).json
  expect(payload).toMatchObject({ transactionId: transaction.id, status: 'expired' })
  await receiver.close()
})

test('the types know the names of settings', async () => {
  // @ts-expect-error there is no such setting
  const wrong = createSandbox({ settings: { 'quotes.tll': '5m' } })
  await expect(wrong).rejects.toThrow('quotes.tll')
})

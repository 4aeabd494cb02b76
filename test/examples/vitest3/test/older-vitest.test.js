import { createSandbox } from 'ramp-sandbox'
import { expect, test } from 'vitest'

test('the library works', async () => {
  const sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
  const { transaction } = await sandbox.buy('alice@example.com', { cad: 250 })
  expect(transaction.status).toBe('pending request money transfer')
  await sandbox.close()
})

test('the ready-made fixture says which Vitest it needs', async () => {
  await expect(import('ramp-sandbox/vitest')).rejects.toThrow('needs Vitest 4.1 or newer')
})

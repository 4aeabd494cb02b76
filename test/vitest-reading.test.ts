import { afterAll, describe } from 'vitest'
import { test } from '../src/vitest.ts'

// The fixture reads it when the first test asks for a world.
process.env.RAMP_SANDBOX_READING = JSON.stringify({ 'status.createUser': 201, 'quotes.ttl': '1h' })
afterAll(() => {
  delete process.env.RAMP_SANDBOX_READING
})

describe('the fixture of ramp-sandbox/vitest', () => {
  test('gives worlds the reading of exec', async ({ sandbox, expect }) => {
    const { 'status.createUser': status, 'quotes.ttl': ttl } = await sandbox.settings.get()
    expect([status, ttl]).toEqual([201, '1h'])
  })

  describe('where a test gives a setting', () => {
    test.override({ sandboxSetup: { settings: { 'quotes.ttl': '30m' } } })

    test('lets that win', async ({ sandbox, expect }) => {
      const { 'status.createUser': status, 'quotes.ttl': ttl } = await sandbox.settings.get()
      expect([status, ttl]).toEqual([201, '30m'])
    })
  })
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['{test,e2e}/*.test.js'], globalSetup: 'test/anvil.js', testTimeout: 20_000 },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The first test of a file also loads the sandbox; a busy CI machine takes seconds for that.
  test: { include: ['test/*.test.js'], maxWorkers: 4, testTimeout: 30_000 },
})

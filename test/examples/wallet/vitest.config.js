import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The first test of a file also loads the sandbox, which takes seconds on a busy CI machine.
  test: { include: ['test/*.test.js'], maxWorkers: 4, testTimeout: 30_000 },
})

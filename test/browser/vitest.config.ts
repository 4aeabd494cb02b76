import { defineConfig } from 'vitest/config'

// Needs Chromium and `npm run build`; `npm run test:browser` does the latter.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    // One browser at a time: what people see should not depend on how busy the machine is.
    fileParallelism: false,
    expect: { poll: { timeout: 6_000 } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})

import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Needs Chromium and `npm run build`; `npm run test:browser` does the latter.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    // One more than there are cores: pages wait for timers of their own.
    maxWorkers: availableParallelism() + 1,
    // The files of a worker share its browser.
    isolate: false,
    // A thread starts with less work than a process.
    pool: 'threads',
    // Files that have not changed are not transformed again; the cache lies in node_modules.
    experimental: { fsModuleCache: true },
    // A wait ends as soon as it may: these are for a machine of a quarter of the speed that is busy.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})

import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import manifest from './package.json' with { type: 'json' }

export default defineConfig({
  define: { __VERSION__: JSON.stringify(manifest.version) },
  test: {
    include: ['test/**/*.test.ts'],
    // These need Chromium, tools of their own or the packed package: .ci/run runs them.
    exclude: [
      ...configDefaults.exclude,
      ...['browser', 'examples'].map((folder) => `test/${folder}/**`),
    ],
    // One more than there are cores: many tests wait for processes and for timers.
    maxWorkers: availableParallelism() + 1,
    // Loading the sources anew for each file took half of the time; tests keep no state in modules.
    isolate: false,
    // Files that have not changed are not transformed again; the cache lies in node_modules.
    experimental: { fsModuleCache: true },
    // A wait ends as soon as it may: these are for a busy machine of half the speed.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
})

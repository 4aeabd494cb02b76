import { configDefaults, defineConfig } from 'vitest/config'
import manifest from './package.json' with { type: 'json' }

export default defineConfig({
  define: { __VERSION__: JSON.stringify(manifest.version) },
  test: {
    include: ['test/**/*.test.ts'],
    // The browser tests need Chromium and the examples the packed package: .ci/run runs those.
    exclude: [...configDefaults.exclude, 'test/browser/**', 'test/examples/**'],
    // By default one core is left idle, which is half of what CI has.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ['default'],
  },
})

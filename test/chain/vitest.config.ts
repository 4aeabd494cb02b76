import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

// Needs anvil, which `npm run test:chain` installs into this folder.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/chain/*.test.mjs'],
    exclude: configDefaults.exclude,
    testTimeout: 60_000,
  },
})

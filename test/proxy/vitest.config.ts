import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

// Needs the types that generate.mjs makes; `npm run test:proxy` runs both.
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/proxy/*.test.ts'], exclude: configDefaults.exclude },
})

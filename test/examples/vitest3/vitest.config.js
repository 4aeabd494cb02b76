import { defineConfig } from 'vitest/config'

// The first test also loads the sandbox; a busy CI machine takes seconds for that.
export default defineConfig({ test: { testTimeout: 30_000 } })

import { defineConfig } from 'vitest/config'

// The first test also loads the sandbox, which takes seconds on a busy CI machine.
export default defineConfig({ test: { testTimeout: 30_000 } })

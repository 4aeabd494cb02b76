import { test } from 'vitest'
import { createSandbox } from '../../dist/index.js'

// Each worker has a sandbox of its own, which takes what exec hands on.
const sandbox = await createSandbox()
process.env.RAMP_SANDBOX_URL = sandbox.url
const { runTest, TESTS } = await import('./story.mjs')

for (const [name, run] of Object.entries(TESTS)) test(name, () => runTest(run))

import { test } from 'node:test'
import { runTest, TESTS } from './story.mjs'

for (const [name, run] of Object.entries(TESTS)) test(name, () => runTest(run))

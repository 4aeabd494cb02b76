// The fixture for Vitest as an ES module, because Vitest cannot be required.
import { test as base } from 'vitest'
import { load } from './load.js'

export const test = load('./extend-test.cjs').extendTest(base)

import { expect, test } from 'vitest'
import * as library from '../../../dist/index.js'
import { EXPECTED, useSandbox } from './page.cjs'

test('a sandbox is controlled from this environment', async () => {
  expect(await useSandbox(library)).toEqual(EXPECTED)
})

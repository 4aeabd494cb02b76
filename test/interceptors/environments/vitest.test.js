import { expect, test } from 'vitest'
import * as library from '../../../dist/index.js'
import { EXPECTED, useSandbox } from './page.cjs'

test('controls a sandbox', async () => {
  expect(await useSandbox(library)).toEqual(EXPECTED)
})

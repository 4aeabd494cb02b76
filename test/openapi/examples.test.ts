import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/host/operations.ts'
import { findReasons } from '../../src/http/openapi/operations.ts'
import { createChecker } from './checker.ts'
import { documents } from './documents.ts'
import { recordStories } from './record-examples.ts'
import type { Recorder } from './recorder.ts'

const FILE = join(import.meta.dirname, '../../dist/examples.json')

const contract = createChecker(documents.contract)
let recorder: Recorder

beforeAll(async () => {
  recorder = await recordStories(contract, createChecker(documents.control))
}, 60_000)

it('the documents name the responses that each operation can give, and no others', () => {
  for (const operation of OPERATIONS) {
    const documented = [...findReasons(operation).keys()]
    const seen = [...(recorder.seen.get(operation.id) ?? [])].filter((status) => status >= 400)
    expect(seen.sort(), operation.id).toEqual(documented.sort())
  }
})

it('the documents were checked against a successful call of every operation', () => {
  const succeeded = (id: string) =>
    [...(recorder.seen.get(id) ?? [])].some((status) => status < 300)
  const missing = OPERATIONS.filter(({ id }) => !succeeded(id)).map(({ id }) => id)
  // These need a socket or a reader; tests of their own cover them.
  expect(missing).toEqual(['streamEvents', 'catch', 'playScenario'])
})

it('the documents show examples that were really sent and received, as the build recorded them', () => {
  const built = JSON.parse(readFileSync(FILE, 'utf8'))
  expect(built).toEqual(Object.fromEntries(recorder.examples))
})

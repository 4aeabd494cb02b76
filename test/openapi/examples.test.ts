import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/host/worlds.ts'
import { describeContract } from '../../src/http/openapi/index.ts'
import { findReasons } from '../../src/http/openapi/responses.ts'
import { toSettings } from '../../src/world/settings/index.ts'
import { createChecker } from './checker.ts'
import { makeDocuments } from './documents.ts'
import { createRecorder } from './recorder.ts'
import { playControl } from './story-control.ts'
import { playV1 } from './story-v1.ts'
import { playV2 } from './story-v2.ts'
import { playWebhooks } from './story-webhooks.ts'

const FILE = join(import.meta.dirname, '../../src/http/openapi/examples.json')
/** `UPDATE_EXAMPLES=1 npx vitest run test/openapi/examples.test.ts` writes the file anew. */
const isUpdate = process.env.UPDATE_EXAMPLES !== undefined

const documents = makeDocuments()
const contract = createChecker(documents.contract)
const recorder = createRecorder([contract, createChecker(documents.control)])

beforeAll(async () => {
  await playV2(recorder)
  await playV1(recorder)
  await playControl(recorder)
  await playWebhooks(recorder, contract)
}, 60_000)

describe('the documents', () => {
  it('name the answers that each operation can give, and no others', () => {
    for (const operation of OPERATIONS) {
      const documented = [...findReasons(operation, toSettings({})).keys()]
      const seen = [...(recorder.seen.get(operation.id) ?? [])].filter((status) => status >= 400)
      expect(seen.sort(), operation.id).toEqual(documented.sort())
    }
  })

  it('were held against a success of every operation', () => {
    const isMet = (id: string) => [...(recorder.seen.get(id) ?? [])].some((status) => status < 300)
    const unmet = OPERATIONS.filter(({ id }) => !isMet(id)).map(({ id }) => id)
    // These need a socket or a reader; the proxy test and their own tests meet them.
    expect(unmet).toEqual(['streamEvents', 'catch', 'playScenario'])
  })

  it('show examples that were really sent and answered', () => {
    const made = toText(Object.fromEntries([...recorder.examples].sort()))
    if (isUpdate) writeFileSync(FILE, made)
    expect(readFileSync(FILE, 'utf8')).toBe(made)
  })

  it('call what webhooks hold by the names that the settings give it', async () => {
    const settings = {
      'names.envelopeId': 'both',
      'names.securityAnswerField': 'securityAnswer',
      'names.headerPrefix': 'X-Ramp',
    }
    const options = { operations: OPERATIONS, version: '0.0.0', baseUrl: 'http://127.0.0.1:4100' }
    const renamed = describeContract({ ...options, settings: toSettings(settings) })
    await playWebhooks(recorder, createChecker(renamed), settings)
    expect(JSON.stringify(renamed.webhooks)).toContain('"X-Ramp-Signature"')
  })
})

const toText = (examples: object) => `${JSON.stringify(examples, null, 1)}\n`

import { OPERATIONS } from '../../src/host/operations.ts'
import { describeContract, describeControl } from '../../src/http/openapi/index.ts'
import { toSettings } from '../../src/world/settings/index.ts'

const BASE_URL = 'http://127.0.0.1:4100'

const made = new Map<string, ReturnType<typeof describe>>()

/** The documents of a world, whose settings are the defaults unless others are given. */
export function makeDocuments(changed: Record<string, string> = {}) {
  const key = JSON.stringify(changed)
  const documents = made.get(key) ?? describe(changed)
  made.set(key, documents)
  return documents
}

function describe(changed: Record<string, string>) {
  const settings = toSettings(changed)
  const options = { operations: OPERATIONS, settings, version: '0.0.0', baseUrl: BASE_URL }
  return { contract: describeContract(options), control: describeControl(options) }
}

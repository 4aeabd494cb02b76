import { OPERATIONS } from '../../src/host/worlds.ts'
import { describeContract, describeControl } from '../../src/http/openapi/index.ts'
import { toSettings } from '../../src/world/settings/index.ts'

const BASE_URL = 'http://127.0.0.1:4100'

/** The documents of a world, whose settings are the defaults unless others are given. */
export function makeDocuments(changed: Record<string, string> = {}) {
  const settings = toSettings(changed)
  const options = { operations: OPERATIONS, settings, version: '0.0.0', baseUrl: BASE_URL }
  return { contract: describeContract(options), control: describeControl(options) }
}

import { OPERATIONS } from '../host/worlds.ts'
import { describeContract, describeControl } from '../http/openapi/index.ts'
import { toSettings } from '../world/settings/index.ts'
import { createCommand } from './command.ts'

const BASE_URL = 'http://127.0.0.1:4100'

export const openapi = createCommand({
  usage: 'openapi [--control] [--url URL]',
  about:
    "Prints the OpenAPI document of the provider's API, with the default settings. A sandbox that\n" +
    'runs serves its own: GET /openapi.json and GET /_sandbox/openapi.json.',
  options: {
    control: { help: 'the document of the control API instead' },
    url: { value: 'URL', help: `the base URL in it; ${BASE_URL} by default` },
    json: { short: 'j', help: 'it is JSON in any case' },
  },
  act({ values }) {
    const describe = values.control ? describeControl : describeContract
    const baseUrl = values.url ?? BASE_URL
    const options = {
      operations: OPERATIONS,
      settings: toSettings({}),
      version: __VERSION__,
      baseUrl,
    }
    process.stdout.write(`${JSON.stringify(describe(options), null, 2)}\n`)
  },
})

import { OPERATIONS } from '../host/operations.ts'
import { describeContract, describeControl } from '../http/openapi/index.ts'
import { createCommand } from './command.ts'
import { printJson } from './terminal.ts'

const BASE_URL = 'http://127.0.0.1:4100'

export const openapi = createCommand({
  usage: 'openapi [--control] [--url URL]',
  about:
    "Prints the OpenAPI document of the provider's API. A sandbox that runs serves it, too:\n" +
    'GET /openapi.json and GET /_sandbox/openapi.json.',
  options: {
    control: { help: 'the document of the control API instead' },
    url: { value: 'URL', help: `the base URL in it; ${BASE_URL} by default` },
  },
  act({ values }) {
    const describe = values.control ? describeControl : describeContract
    const options = {
      operations: OPERATIONS,
      version: __VERSION__,
      baseUrl: values.url ?? BASE_URL,
    }
    printJson(describe(options))
  },
})

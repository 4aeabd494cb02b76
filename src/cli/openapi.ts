import { OPERATIONS } from '../host/operations.ts'
import { describeContract, describeControl } from '../http/openapi/index.ts'
import { createCommand } from './command.ts'
import { BASE_URL } from './option-values.ts'
import { printJson } from './terminal.ts'

const DEFAULT_URL = 'http://127.0.0.1:4100'

export const openapi = createCommand({
  usage: 'openapi [--control] [--url URL]',
  about:
    "print the OpenAPI document of the provider's API (a running sandbox serves it at /openapi.json,\n" +
    'and that of the control API at /_sandbox/openapi.json)',
  options: {
    control: { help: 'print the document of the control API instead' },
    url: { ...BASE_URL, help: `base URL in the document; ${DEFAULT_URL} by default` },
  },
  act({ values }) {
    const describe = values.control ? describeControl : describeContract
    const options = {
      operations: OPERATIONS,
      version: __VERSION__,
      baseUrl: values.url ?? DEFAULT_URL,
    }
    printJson(describe(options))
  },
})

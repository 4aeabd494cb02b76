import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATIONS } from '../host/operations.ts'
import { credentialsOf } from '../http/auth.ts'
import { type ExampleRequest, exampleOf } from '../http/openapi/examples.ts'
import { describeContract, describeControl } from '../http/openapi/index.ts'
import type { Operation } from '../http/operation.ts'
import { successOf } from '../http/status.ts'
import { toSettings } from '../world/settings/index.ts'
import { createCommand } from './command.ts'
import { orInvalid, writeOutput } from './option-values.ts'
import { printJson } from './terminal.ts'

const BASE_URL = 'http://127.0.0.1:4100'

export const openapi = createCommand({
  usage: 'openapi [--control] [--url URL] [--examples DIR]',
  about:
    "Prints the OpenAPI document of the provider's API, with the default settings. A sandbox that\n" +
    'runs serves its own: GET /openapi.json and GET /_sandbox/openapi.json.',
  options: {
    control: { help: 'the document of the control API instead' },
    url: { value: 'URL', help: `the base URL in it; ${BASE_URL} by default` },
    examples: { value: 'DIR', help: 'write recorded requests and responses to DIR instead' },
    json: { short: 'j', help: 'no effect: the output is always JSON' },
  },
  act({ values }) {
    if (values.examples !== undefined) return writeExamples(values.examples, values.control)
    const describe = values.control ? describeControl : describeContract
    const options = {
      operations: OPERATIONS,
      settings: toSettings({}),
      version: __VERSION__,
      baseUrl: values.url ?? BASE_URL,
    }
    printJson(describe(options))
  },
})

/** Writes a file for each operation of one API: pairs of a request and its response, one for each status. */
function writeExamples(folder: string, isControl: boolean | undefined) {
  orInvalid('--examples', '--examples cannot be written', () =>
    mkdirSync(folder, { recursive: true }),
  )
  const settings = toSettings({})
  const chosen = OPERATIONS.filter(({ dialect }) => dialect.isContract !== (isControl ?? false))
  for (const operation of chosen) {
    const { id } = operation
    const { request = {}, refused = {}, responses = {} } = exampleOf(id) ?? {}
    const bodies = { [successOf(operation, settings)]: undefined, ...responses }
    const pairs = Object.entries(bodies).map(([status, body]) => ({
      request: toRequest(operation, refused[status] ?? request),
      response: { status: Number(status), body },
    }))
    const file = join(folder, `${id}.json`)
    writeOutput('--examples', file, `${JSON.stringify({ operation: id, pairs }, null, 2)}\n`)
  }
  process.stderr.write(`${chosen.length} operations are in ${folder}.\n`)
}

function toRequest(
  operation: Operation,
  { path: named = {}, query, headers, body }: ExampleRequest,
) {
  const path = operation.path.replace(/:(\w+)/g, (all, name) => named[name] ?? all)
  const all = Object.entries({ ...headersOf(operation, body), ...headers })
  const sent = Object.fromEntries(all.filter(([, value]) => value !== null))
  return { method: operation.method, path, headers: sent, query, body }
}

function headersOf(operation: Operation, body: unknown) {
  const [needed = []] = credentialsOf(operation, toSettings({}))
  return {
    ...(needed.includes('apiKey') && { 'x-api-key': 'sandbox-key' }),
    ...(needed.includes('accessToken') && { authorization: 'Bearer <ACCESS_TOKEN>' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
}

import { OPERATIONS } from '../../src/host/operations.ts'
import { describeContract, describeControl } from '../../src/http/openapi/index.ts'
import { createChecker } from './checker.ts'

const BASE_URL = 'http://127.0.0.1:4100'

const OPTIONS = { operations: OPERATIONS, version: '0.0.0', baseUrl: BASE_URL }

let contract: ReturnType<typeof describeContract> | undefined
let control: ReturnType<typeof describeControl> | undefined

/** Each is made when a file of the worker first reads it. */
export const documents = {
  get contract() {
    contract ??= describeContract(OPTIONS)
    return contract
  },
  get control() {
    control ??= describeControl(OPTIONS)
    return control
  },
}

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

/** How many examples a document has, and those that are not as it says. */
export function checkExamples(document: Json): { count: number; wrong: string[] } {
  const checker = createChecker(document)
  const found = ['paths', 'webhooks'].flatMap((part) => findExamples(document[part], `/${part}`))
  const wrong = found.flatMap(({ pointer, example }) => {
    const validate = checker.validatorAt(`${pointer}/schema`)
    return validate(example) ? [] : [`${pointer} ${JSON.stringify(validate.errors)}`]
  })
  return { count: found.length, wrong }
}

interface Found {
  pointer: string
  example: unknown
}

function findExamples(value: Json, pointer: string): Found[] {
  if (value === null || typeof value !== 'object') return []
  if ('example' in value && 'schema' in value) return [{ pointer, example: value.example }]
  return Object.entries(value).flatMap(([key, part]) => {
    const step = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
    return key === 'schema' ? [] : findExamples(part, `${pointer}/${step}`)
  })
}

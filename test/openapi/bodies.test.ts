import { expect, it } from 'vitest'
import { sendTo } from '../helpers/app.ts'
import { createChecker } from './checker.ts'
import { documents } from './documents.ts'
import { EXAMPLES, openExample } from './example-calls.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

/** The example is a buy; only a sell of v1 may leave it out. */
const NEEDED: Readonly<Record<string, string>> = { v1CreateTransaction: 'wallet' }
const WITH_BODY = EXAMPLES.filter(({ body }) => body !== undefined).map(({ id }) => id)

const VALUES: unknown[] = ['x', 1]

/** Sends requests that are as the example shows but for one field, to one sandbox while it refuses them. */
function createSender(id: string) {
  let example: ReturnType<typeof openExample> | undefined
  return async function isTaken(field: object): Promise<boolean> {
    example ??= openExample(id)
    const { app, operation, target, sent } = await example
    const body = { ...Object(sent.body), ...field }
    const { status } = await sendTo(app, `${operation.method} ${target}`, { ...sent, body })
    if (status >= 400) return false
    await app.close()
    example = undefined
    return true
  }
}

const checker = createChecker(documents.contract)

/** The example of a body, and what the document says of others. */
async function documented(id: string) {
  const { app, operation, target, sent } = await openExample(id)
  await app.close()
  const found = checker.find(operation.method, target)
  const step = encodeURIComponent(found?.template.replaceAll('/', '~1') ?? '')
  const content = 'requestBody/content/application~1json/schema'
  const at = `/paths/${step}/${operation.method.toLowerCase()}/${content}`
  const validate = checker.validatorAt(at)
  const example: object = Object(sent.body)
  return {
    example,
    fields: fieldsOf(found?.operation).filter((name) => name !== NEEDED[id]),
    isDocumented: (field: object) => validate({ ...example, ...field }),
  }
}

it.each(WITH_BODY)(
  'a body of %s may have null exactly where its document allows it',
  async (id) => {
    const { fields, isDocumented } = await documented(id)
    const isTaken = createSender(id)
    for (const name of fields) {
      const field = { [name]: null }
      expect([name, isDocumented(field)]).toEqual([name, await isTaken(field)])
    }
    expect(await isTaken({})).toBe(true)
  },
)

it.each(WITH_BODY)('a body of %s that its document refuses is refused', async (id) => {
  const { example, isDocumented } = await documented(id)
  const isTaken = createSender(id)
  // Some clients send every value as text.
  const asText = Object.entries(example).map(([name, value]) => ({ [name]: String(value) }))
  const others = [...Object.keys(example), 'unheardOf'].flatMap((name) =>
    VALUES.map((value) => ({ [name]: value })),
  )
  const fields = [...asText, ...others]
  for (const field of fields.filter((each) => !isDocumented(each))) {
    expect(await isTaken(field), JSON.stringify(field)).toBe(false)
  }
  expect(await isTaken({})).toBe(true)
})

function fieldsOf(operation: Json): string[] {
  const { schema } = operation.requestBody.content['application/json']
  const fields = [schema, ...(schema.anyOf ?? [])].flatMap(({ properties = {} }: Json) =>
    Object.entries<Json>(properties),
  )
  return fields.filter(([, { type, anyOf }]) => type ?? anyOf).map(([name]) => name)
}

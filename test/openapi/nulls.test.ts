import { describe, expect, it } from 'vitest'
import { sendTo } from '../helpers/app.ts'
import { createChecker } from './checker.ts'
import { makeDocuments } from './documents.ts'
import { EXAMPLES, openExample } from './example-calls.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

/** The example is a buy; only a sell of v1 may leave it out. */
const NEEDED: Readonly<Record<string, string>> = { v1CreateTransaction: 'wallet' }
const WITH_BODY = EXAMPLES.filter(({ body }) => body !== undefined)

/** Whether null is accepted in a field of a request that is otherwise as the example shows. */
async function takesNull(id: string, preset: string, field: string): Promise<boolean> {
  const { app, operation, target, sent } = await openExample(id, preset)
  const body = { ...Object(sent.body), [field]: null }
  const { status } = await sendTo(app, `${operation.method} ${target}`, { ...sent, body })
  await app.close()
  return status < 400
}

describe.each(['default', 'contract'])('under the preset %s', (preset) => {
  const { contract } = makeDocuments({ preset })
  const checker = createChecker(contract)

  it.each(WITH_BODY.map(({ id }) => id))('%s takes null where its document does', async (id) => {
    const { app, operation, target, sent } = await openExample(id, preset)
    await app.close()
    const found = checker.find(operation.method, target)
    const step = encodeURIComponent(found?.template.replaceAll('/', '~1') ?? '')
    const content = 'requestBody/content/application~1json/schema'
    const at = `/paths/${step}/${operation.method.toLowerCase()}/${content}`
    const validate = checker.validatorAt(at)
    for (const field of fieldsOf(found?.operation).filter((name) => name !== NEEDED[id])) {
      const isTaken = await takesNull(id, preset, field)
      const isDocumented = validate({ ...Object(sent.body), [field]: null })
      expect([field, isDocumented], JSON.stringify(validate.errors)).toEqual([field, isTaken])
    }
  })
})

function fieldsOf(operation: Json): string[] {
  const { schema } = operation.requestBody.content['application/json']
  const fields = [schema, ...(schema.anyOf ?? [])].flatMap(({ properties = {} }: Json) =>
    Object.entries<Json>(properties),
  )
  return fields.filter(([, { type, anyOf }]) => type ?? anyOf).map(([name]) => name)
}

// Generates typed clients from both documents, as a user would, for client.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { readDocument } from '../helpers/sandbox.mjs'

const folder = join(import.meta.dirname, 'generated')
mkdirSync(folder, { recursive: true })
for (const name of ['contract', 'control']) {
  const code = astToString(await openapiTypescript(readDocument(name)))
  writeFileSync(join(folder, `${name}.ts`), code)
  console.log(`${name}: ${code.split('\n').length} lines`)
}

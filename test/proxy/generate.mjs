// Generates typed clients from both documents, as a user would, for client.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'

const folder = join(import.meta.dirname, 'generated')

export async function generateClients(documents) {
  mkdirSync(folder, { recursive: true })
  for (const [name, document] of Object.entries(documents)) {
    const code = astToString(await openapiTypescript(document))
    writeFileSync(join(folder, `${name}.ts`), code)
    console.log(`${name}: ${code.split('\n').length} lines`)
  }
}

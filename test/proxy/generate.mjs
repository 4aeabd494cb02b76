// Generates typed clients from both documents, or with --check tells whether those that are kept
// are what would be generated.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { digestOf, toBare } from '../openapi/bare.mjs'
import { readDocument } from './sandbox.mjs'

const folder = join(import.meta.dirname, '../openapi/generated')
const isCheck = process.argv.includes('--check')
for (const name of ['contract', 'control']) {
  const document = readDocument(name)
  const bare = { info: { title: name, version: '1' }, ...toBare(document) }
  const code = astToString(await openapiTypescript(bare))
  const text = `// Generated from ${digestOf(document)}: npm run openapi:client\n${code}`
  const file = join(folder, `${name}.ts`)
  if (!isCheck) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    throw new Error(`${file} is out of date: npm run openapi:client makes it anew.`)
  }
  console.log(`${name}: ${text.split('\n').length} lines`)
}

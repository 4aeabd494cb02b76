// Everything the sandbox uses goes into the bundle, so that the package has no dependencies and
// starts fast. Types come from `npm run build:types`.
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import {
  forBrowser,
  forEntries,
  forExamples,
  forFixtureSchema,
  forProgram,
  forWorker,
} from './bundles.mjs'

process.chdir(join(import.meta.dirname, '..'))

const startedAt = performance.now()
await rm('dist', { recursive: true, force: true })
const bundles = [forProgram, ...forEntries, forWorker, forBrowser]
const [made] = await Promise.all([
  Promise.all(bundles.map(build)),
  writeExamples(),
  writeFixtureSchema(),
])
await chmod('dist/cli.js', 0o755)
await writeFile('dist/LICENSES.txt', await readLicences(made))

const outputs = made.flatMap(({ metafile }) => Object.values(metafile.outputs))
const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0)
const tookMs = performance.now() - startedAt
console.log(`dist: ${Math.round(bytes / 1024)} kB with maps, in ${Math.round(tookMs)} ms`)

/** The licences of the bundled packages require that their texts are distributed with them. */
async function readLicences(made) {
  const inputs = made.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  const packageOf = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/
  const folders = new Set(inputs.flatMap((input) => input.match(packageOf) ?? []))
  const texts = [...folders].sort().map(async (folder) => {
    const { name, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file ? await readFile(`${folder}/${file}`, 'utf8') : `${license}\n`
    return `${name}\n${'='.repeat(name.length)}\n${text}`
  })
  return (await Promise.all(texts)).join('\n')
}

/** Records a sandbox that answers the calls of a few stories: the same bytes in every build. */
async function writeExamples() {
  await build(forExamples)
  const file = 'dist/record-examples.js'
  const { recordExamples } = await import(pathToFileURL(file))
  await writeFile('dist/examples.json', JSON.stringify(await recordExamples()))
  await rm(file)
}

/** The form of a fixture file, which the fixtures themselves name in `$schema`. */
async function writeFixtureSchema() {
  await build(forFixtureSchema)
  const file = 'dist/fixture-schema.js'
  const { toFixtureJsonSchema } = await import(pathToFileURL(file))
  await writeFile('dist/fixture.schema.json', JSON.stringify(toFixtureJsonSchema(), null, 2))
  await rm(file)
}

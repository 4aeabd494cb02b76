// Everything the sandbox uses goes into the bundle, so that the package has no dependencies and
// starts fast. Types come with `npm pack`.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import {
  buildProgram,
  forBrowser,
  forEntries,
  forExamples,
  forFixtureSchema,
  forWorker,
} from './bundles.mjs'

process.chdir(join(import.meta.dirname, '..'))
if (process.argv.includes('--if-older') && isNewer()) process.exit()

const startedAt = performance.now()
await rm('dist', { recursive: true, force: true })
const bundles = [...forEntries, forWorker, forBrowser]
const [program, made] = await Promise.all([
  buildProgram(),
  Promise.all(bundles.map(build)),
  writeExamples(),
  writeFixtureSchema(),
])
await chmod('dist/cli.cjs', 0o755)
await writeFile('dist/LICENSES.txt', await readLicences([...program, ...made.flatMap(inputsOf)]))

const tookMs = performance.now() - startedAt
console.log(`dist: built in ${Math.round(tookMs)} ms`)

/** Whether dist/ was built after the last change of what goes into it. */
function isNewer() {
  if (!existsSync('dist/LICENSES.txt')) return false
  const folders = ['src', 'scripts', 'test/openapi', 'fixtures']
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  )
  const changedAt = Math.max(...[...files, 'package.json'].map((file) => statSync(file).mtimeMs))
  return changedAt < statSync('dist/LICENSES.txt').mtimeMs
}

/** The licences of the bundled packages require that their texts are distributed with them. */
async function readLicences(inputs) {
  const packageOf = /node_modules\/(?:@[^/]+\/)?[^/]+/
  const folders = new Set(inputs.flatMap((input) => input.match(packageOf) ?? []))
  const texts = [...folders].sort().map(async (folder) => {
    const { name, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file ? await readFile(`${folder}/${file}`, 'utf8') : `${license}\n`
    return `${name}\n${'='.repeat(name.length)}\n${text}`
  })
  return (await Promise.all(texts)).join('\n')
}

function inputsOf({ metafile }) {
  return Object.keys(metafile.inputs)
}

/** Records a sandbox that runs the calls of a few stories: the same bytes in every build. */
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
  await writeFile('dist/fixture.schema.json', JSON.stringify(toFixtureJsonSchema()))
  await rm(file)
}

// Everything the sandbox uses goes into dist/, so that the package has no dependencies and starts
// fast. Types come with `npm pack`.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'
import { buildProgram, forExamples } from './bundles.mjs'

process.chdir(join(import.meta.dirname, '..'))
if (process.argv.includes('--if-older') && isNewer()) process.exit()

const startedAt = performance.now()
await rm('dist', { recursive: true, force: true })
// Several write there at once, and two that make the folder at one instant would fail.
await mkdir('dist')
const [[program, pages]] = await Promise.all([buildProgram(), build(forExamples)])
await chmod('dist/cli.cjs', 0o755)
await writeFile('dist/LICENSES.txt', await readLicences())
await writeDocuments()
console.log(`dist: built in ${Math.round(performance.now() - startedAt)} ms`)

/** Whether dist/ was built after the last change of what goes into it. */
function isNewer() {
  if (!existsSync('dist/examples.json')) return false
  const files = ['src', 'scripts', 'test/openapi', 'fixtures'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  )
  const changedAt = Math.max(...[...files, 'package.json'].map((file) => statSync(file).mtimeMs))
  return changedAt < statSync('dist/examples.json').mtimeMs
}

/** The licences of the bundled packages require that their texts are distributed with them. */
async function readLicences() {
  const files = program.output.flatMap(({ modules = {} }) => Object.keys(modules))
  const inputs = [...files, ...Object.keys(pages.metafile.inputs)]
  const folders = inputs.flatMap((path) => path.match(/node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [])
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const { name, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file ? await readFile(`${folder}/${file}`, 'utf8') : `${license}\n`
    return `${name}\n${'='.repeat(name.length)}\n${text}`
  })
  return (await Promise.all(texts)).join('\n')
}

/** Writes the schema that fixtures name in `$schema`, and the examples of the OpenAPI documents. */
async function writeDocuments() {
  const built = createRequire(import.meta.url)('../dist/examples/record-examples.cjs')
  await writeFile('dist/fixture.schema.json', JSON.stringify(built.toFixtureJsonSchema()))
  await writeFile('dist/examples.json', JSON.stringify(await built.recordExamples()))
  await rm('dist/examples', { recursive: true })
}

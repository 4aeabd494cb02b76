// Everything the sandbox uses goes into dist/, so that the package has no dependencies and starts
// fast. `start OPTIONS` starts the program when it is built, for `npm run dev`.
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { build } from 'rolldown'
import { forNode, isForDev } from './rolldown.config.mjs'

process.chdir(join(import.meta.dirname, '..'))
const require = createRequire(import.meta.url)

/** What pages load; what several need is in chunks, and the hosted pages need none of it. */
const forBrowser = {
  entryPoints: [
    ...['inspector/inspector.tsx', 'demo/demo.tsx'],
    ...['css/styles.css', 'css/demo.css', 'css/icon.svg'],
  ].map((file) => `src/ui/${file}`),
  outdir: 'dist/assets',
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  // Children as arguments are shorter than children as a property.
  jsx: 'transform',
  jsxFactory: 'h',
  jsxFragment: 'Fragment',
  tsconfigRaw: {},
  inject: ['src/ui/lib/jsx.ts'],
  loader: { '.svg': 'copy' },
  metafile: true,
}

const startedAt = performance.now()
if (!isForDev) await rm('dist', { recursive: true, force: true })
// Several write there at once, and two that make the folder at one instant would fail.
await mkdir('dist', { recursive: true })
const [program, pages] = await Promise.all([
  build(forNode),
  esbuild.build(forBrowser),
  esbuild.build({ ...forBrowser, entryPoints: ['src/ui/hosted/hosted.ts'], inject: [] }),
  cp('src/esm', 'dist', { recursive: true }),
])
console.log(`dist: built in ${Math.round(performance.now() - startedAt)} ms`)
if (isForDev) require('../dist/cli.cjs')
else await finish()

/** Writes what the package holds besides the program. */
async function finish() {
  await chmod('dist/cli.cjs', 0o755)
  await writeFile('dist/LICENSES.txt', await readLicences())
  // The stories whose calls become examples are not published.
  const dir = 'dist/examples'
  const input = 'test/openapi/record-examples.ts'
  await build({ ...forNode, input, output: { ...forNode.output, dir } })
  const { recordExamples, toFixtureJsonSchema } = require('../dist/examples/record-examples.cjs')
  await writeFile('dist/fixture.schema.json', JSON.stringify(toFixtureJsonSchema()))
  await writeFile('dist/examples.json', JSON.stringify(await recordExamples()))
  await rm(dir, { recursive: true })
}

/** The licences of the bundled packages require that their texts are distributed with them. */
async function readLicences() {
  const files = program.output.flatMap(({ moduleIds = [] }) => moduleIds)
  const inputs = [...files, ...Object.keys(pages.metafile.inputs)]
  const folders = inputs.flatMap((path) => path.match(/node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [])
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const { name, license } = require(`../${folder}/package.json`)
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file ? await readFile(`${folder}/${file}`, 'utf8') : `${license}\n`
    return `${name}\n${'='.repeat(name.length)}\n${text}`
  })
  return (await Promise.all(texts)).join('\n')
}

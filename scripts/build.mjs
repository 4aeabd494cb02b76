// Everything the sandbox uses goes into dist/, so that the package has no dependencies and starts
// fast. `start OPTIONS` starts the program when it is built, for `npm run dev`.
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { build } from 'rolldown'
import { replacePlugin } from 'rolldown/plugins'
import { parseSync, Visitor } from 'rolldown/utils'
import * as nodeGlobals from './node-globals.mjs'

process.chdir(join(import.meta.dirname, '..'))
const require = createRequire(import.meta.url)
const isForDev = process.argv[2] === 'start'
const forEach = (names, make) => Object.fromEntries(names.map((name) => [name, make(name)]))

/**
 * The program as CommonJS, because Jest can only `require`, in files that share one state. `main`
 * handles help and mistakes, and `core` holds what a start and the library need, because each file
 * more costs a start a part of a millisecond. The others are what dynamic imports draw in.
 */
const forNode = {
  input: {
    cli: 'src/cli/bin.ts',
    main: 'src/cli/run-program.ts',
    index: 'src/index.ts',
    vitest: 'src/vitest.ts',
    'extend-test': 'src/host/extend-test.ts',
  },
  platform: 'node',
  external: ['vitest'],
  resolve: { alias: { 'node:http2': join(import.meta.dirname, 'no-http2.mjs') } },
  preserveEntrySignatures: 'allow-extension',
  transform: {
    target: 'node20.19',
    define: {
      __VERSION__: JSON.stringify(require('../package.json').version),
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      // A look at one of these globals, which the server's library takes, loads all of Node's `fetch`.
      global: 'fetchClasses',
      ...forEach(['Headers', 'Request', 'Response'], (name) => `fetchClasses.${name}`),
      'globalThis.Headers': 'fetchClasses.Headers',
      'globalThis.CloseEvent': 'undefined',
      'globalThis.ErrorEvent': 'undefined',
    },
    inject: {
      ...forEach(Object.keys(nodeGlobals), (name) => [require.resolve('./node-globals.mjs'), name]),
      fetchClasses: [require.resolve('../src/fetch-classes.ts'), 'fetchClasses'],
    },
  },
  checks: { ineffectiveDynamicImport: false },
  plugins: [
    // The user's own zod keeps its globals, and the user's scenarios stay modules.
    replacePlugin(
      { __zod_global: '__ramp_sandbox_zod_', 'import(pathToFileURL': 'import_(pathToFileURL' },
      { delimiters: ['', ''] },
    ),
    {
      name: 'finish-files',
      generateBundle: (_, files) => {
        for (const file of Object.values(files)) {
          file.code = breakLines(file.code).replace('import_(', 'import(')
        }
      },
    },
  ],
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    dynamicImportInCjs: false,
    comments: false,
    // With a single character outside ASCII, V8 keeps the whole text in two bytes a character.
    charset: 'ascii',
    // Names stay for stack traces.
    minify: { compress: true, mangle: { keepNames: { function: true, class: true } } },
    codeSplitting: {
      groups: [
        { name: 'main', test: /src.cli.run-program.ts$/, priority: 1 },
        {
          name: 'core',
          test: /src.(index|host.(extend-test|server)|cli.(start|exec|fixtures)).ts$/,
        },
      ],
    },
  },
}

/** What pages load; the two applications share a chunk, and the hosted pages need none of it. */
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

/** Begins each statement on a line of its own: Node prints the whole line of an uncaught error. */
function breakLines(code) {
  if (isForDev) return code
  const starts = new Set([0])
  const add = ({ body, declarations }) => {
    for (const { start } of body ?? declarations.slice(1)) starts.add(start)
  }
  const kinds = ['BlockStatement', 'ClassBody', 'Program', 'VariableDeclaration']
  new Visitor(forEach(kinds, () => add)).visit(parseSync('bundle.cjs', code).program)
  const ends = [...starts].sort((a, b) => a - b)
  return ends.map((start, index) => code.slice(start, ends[index + 1])).join('\n')
}

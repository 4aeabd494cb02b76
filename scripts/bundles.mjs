// What the build makes: the program and the library for Node, and what the pages load in a browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
}

const node = {
  ...shared,
  outdir: 'dist',
  platform: 'node',
  target: 'node20.19',
  define: { __VERSION__: JSON.stringify(version) },
  inject: ['scripts/node-globals.mjs'],
}

/** Writes the program into dist/ and returns the files of ours and of others that are in it. */
export async function buildProgram() {
  const bundle = await rolldown(forProgram)
  const { output } = await bundle.write(forProgram.output)
  await bundle.close()
  return output.flatMap((chunk) => Object.keys(chunk.modules ?? {}))
}

const GLOBALS = join(root, 'scripts/node-globals.mjs')
const exportsOfGlobals = readFileSync(GLOBALS, 'utf8').match(/(?<=^export .*\{).*?(?=\})/gm)
const nodeGlobals = Object.fromEntries(
  `${exportsOfGlobals}`.match(/\w+/g).map((name) => [name, [GLOBALS, name]]),
)

const FETCH_CLASSES = join(root, 'src/fetch-classes.ts')
const fetchClasses = Object.fromEntries(
  ['Headers', 'Request', 'Response'].map((name) => [name, [FETCH_CLASSES, name]]),
)

/**
 * The program as CommonJS, because Jest can only `require`, in files that share one state. `main`
 * handles help and mistakes, and `core` holds what a start and the library need, because each file
 * more costs a start a part of a millisecond. The others are what dynamic imports draw in.
 */
export const forProgram = {
  cwd: root,
  input: { main: 'src/cli/run-program.ts', core: 'src/program.ts' },
  platform: 'node',
  external: ['vitest'],
  resolve: { alias: { 'node:http2': join(root, 'scripts/no-http2.mjs') } },
  tsconfig: true,
  preserveEntrySignatures: 'allow-extension',
  transform: {
    target: 'node20.19',
    define: {
      __VERSION__: JSON.stringify(version),
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
    inject: { ...nodeGlobals, ...fetchClasses },
  },
  checks: { ineffectiveDynamicImport: false },
  plugins: [keepFileImports(), takeFetchClasses(), keepZodApart()],
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    dynamicImportInCjs: false,
    sourcemap: true,
    // With a single character outside ASCII, V8 keeps the whole text in two bytes a character.
    charset: 'ascii',
    // Names of functions stay, so that a stack trace says where it failed, and so do line breaks: Node
    // prints the whole line of an error that nobody catches.
    minify: {
      compress: true,
      mangle: { keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: false },
    },
    codeSplitting: {
      groups: [
        { name: 'main', test: /src.cli.run-program\.ts$/, priority: 1 },
        { name: 'core', test: /src.(program|cli.(start|exec|fixtures)|host.server)\.ts$/ },
      ],
    },
  },
}

/** Scenarios are modules of the user's: what loads them must not become a `require`. */
function keepFileImports() {
  return {
    name: 'keep-file-imports',
    transform: (code, id) =>
      id.endsWith('src/scenario/load.ts')
        ? { code: code.replace('await import(', 'await __import('), map: null }
        : null,
    renderChunk: (code) =>
      code.includes('__import(') ? { code: code.replace('__import(', 'import('), map: null } : null,
  }
}

/** The server's library uses our classes of `fetch`, because the first look at a global loads Node's. */
function takeFetchClasses() {
  const OVERRIDE = /Object\.defineProperty\(global, "(?:Request|Response)", \{ value: (.+?) \}\)/g
  return {
    name: 'take-fetch-classes',
    transform(code, id) {
      if (!id.includes('@hono/node-server/') || !OVERRIDE.test(code)) return null
      const line = `import { replaceFetchClass } from ${JSON.stringify(FETCH_CLASSES)};\n`
      const taken = code
        .replace(OVERRIDE, (_, faster) => `replaceFetchClass(${faster})`)
        .replace(/\bglobal(?:This)?\.(Headers|Request|Response)\b/g, '$1')
        // For web sockets, which nobody opens here.
        .replace(/\bglobalThis\.(CloseEvent|ErrorEvent) \?\?/g, '')
      return { code: line + taken, map: null }
    },
  }
}

/** zod keeps its language and its registry in globals, which must not be those of the user's own zod. */
function keepZodApart() {
  return {
    name: 'keep-zod-apart',
    transform: (code, id) =>
      /[\\/]zod[\\/]/.test(id) && code.includes('__zod_global')
        ? { code: code.replaceAll('__zod_global', '__ramp_sandbox_zod_'), map: null }
        : null,
  }
}

/** What the entries take from the program, by `require`: to import it takes twice as long. */
const MAIN = './main.cjs'
const CORE = './core.cjs'
const OF_ENTRIES = /(bin|index|vitest|vitest-fixture)\.ts$/
const throughProgram = {
  name: 'through-program',
  setup(plugin) {
    plugin.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path }) => {
      if (path === MAIN || path === CORE) return { path, external: true }
      if (kind === 'entry-point' || OF_ENTRIES.test(path)) return undefined
      return { path: path === './run-program.ts' ? MAIN : CORE, namespace: 'program' }
    })
    plugin.onLoad({ filter: /./, namespace: 'program' }, ({ path }) => ({
      contents: `module.exports = require('${path}')`,
    }))
  },
}

const entries = { ...node, external: ['vitest'], plugins: [throughProgram] }
const forRequire = { ...entries, format: 'cjs', outExtension: { '.js': '.cjs' } }
const library = { index: 'src/index.ts', vitest: 'src/vitest.ts' }
/** `require` for a module; in somebody's bundle, its error says what to do. */
const REQUIRE = `import { createRequire } from 'node:module'
const find = createRequire(import.meta.url)
const require = (path) => {
  try {
    return find(path)
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' || error.requireStack.length > 1) throw error
    throw new Error('ramp-sandbox cannot be part of a bundle: mark it as external, as docs/recipes.md of the package shows (esbuild --external:ramp-sandbox).', { cause: error })
  }
}`
/** What the package exports, for both kinds of module, and its command, which starts faster by `require`. */
export const forEntries = [
  {
    ...entries,
    entryPoints: library,
    banner: { js: REQUIRE },
  },
  { ...forRequire, entryPoints: library },
  {
    ...forRequire,
    entryPoints: { cli: 'src/cli/bin.ts' },
    define: { ...node.define, 'import.meta.dirname': '__dirname' },
    // So that an old Node can say that it is too old.
    target: 'node12',
  },
]

/** A thread of its own for each scenario that plays; what few scenarios need lies apart. */
export const forWorker = {
  ...node,
  entryPoints: { worker: 'src/scenario/worker.ts' },
  outdir: 'dist/scenario',
  splitting: true,
  chunkNames: '[name]',
  minifyIdentifiers: true,
  minifySyntax: true,
  keepNames: true,
}

export const forBrowser = {
  ...shared,
  entryPoints: [
    'src/dashboard/client/inspector.ts',
    'src/ui/hosted/hosted.ts',
    'src/ui/demo/demo.tsx',
    'src/dashboard/styles/styles.css',
    'src/ui/css/demo.css',
    'src/dashboard/styles/icon.svg',
  ],
  outdir: 'dist/assets',
  entryNames: '[name]',
  platform: 'browser',
  target: 'es2022',
  loader: { '.svg': 'copy' },
  minify: true,
}

/** What editors complete fixtures with; run, not published. */
export const forFixtureSchema = {
  ...shared,
  entryPoints: { 'fixture-schema': 'src/fixture/schema.ts' },
  outdir: 'dist',
  platform: 'node',
  target: 'node20.19',
}

/** The stories whose calls become the examples of the OpenAPI documents; run, not published. */
export const forExamples = {
  ...shared,
  entryPoints: ['test/openapi/record-examples.ts'],
  outdir: 'dist',
  platform: 'node',
  target: 'node20.19',
  define: node.define,
}

// What esbuild makes: the program and the library for Node, and what the pages load in a browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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
  inject: ['scripts/real-timers.mjs'],
  // Not minified: it starts no slower, and stack traces in people's logs name lines.
  sourcemap: 'linked',
  sourcesContent: false,
}

/**
 * The whole program as one file. Jest and single executables can only `require`; one file also has
 * one state however the package is loaded, and starts as fast as pieces that are imported.
 */
export const forProgram = {
  ...node,
  entryPoints: { program: 'src/program.ts' },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: {
    ...node.define,
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
}

const PROGRAM = './program.cjs'
/** Takes what the entries import from that file, with `require`: to import it takes twice as long. */
const throughProgram = {
  name: 'through-program',
  setup(plugin) {
    plugin.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path }) => {
      if (path === PROGRAM) return { path, external: true }
      const isEntry = kind === 'entry-point' || path.endsWith('vitest-fixture.ts')
      return isEntry ? undefined : { path: PROGRAM, namespace: 'program' }
    })
    plugin.onLoad({ filter: /./, namespace: 'program' }, () => ({
      contents: `module.exports = require('${PROGRAM}')`,
    }))
  },
}

const entries = { ...node, external: ['vitest'], plugins: [throughProgram], sourcemap: false }
/** What the package exports, for both kinds of module, and its command. */
export const forEntries = [
  {
    ...entries,
    entryPoints: { cli: 'src/cli/bin.ts', index: 'src/index.ts', vitest: 'src/vitest.ts' },
    banner: {
      js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
  },
  {
    ...entries,
    entryPoints: { index: 'src/index.ts', vitest: 'src/vitest.ts' },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  },
]

/** A thread of its own for each scenario that plays. */
export const forWorker = {
  ...node,
  entryPoints: { worker: 'src/scenario/worker.ts' },
  outdir: 'dist/scenario',
}

export const forBrowser = {
  ...shared,
  entryPoints: [
    'src/dashboard/client/inspector.ts',
    'src/dashboard/client/hosted.ts',
    'src/demo/client/demo.tsx',
    'src/dashboard/styles/styles.css',
    'src/demo/demo.css',
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

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

export const forNode = {
  ...shared,
  entryPoints: {
    cli: 'src/cli/bin.ts',
    index: 'src/index.ts',
    vitest: 'src/vitest.ts',
    'scenario/worker': 'src/scenario/worker.ts',
  },
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  target: 'node20.19',
  external: ['vitest'],
  define: { __VERSION__: JSON.stringify(version) },
  // Not minified: it starts no slower, and stack traces in people's logs name lines.
  sourcemap: 'linked',
  sourcesContent: false,
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
  define: forNode.define,
}

// What the build makes with bundlers: the program and the library for Node, and what pages load.
import { readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import * as rolldown from 'rolldown'
import * as nodeGlobals from './node-globals.mjs'

const root = join(import.meta.dirname, '..')
const NODE_GLOBALS = join(root, 'scripts/node-globals.mjs')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const forEach = (names, make) => Object.fromEntries(names.map((name) => [name, make(name)]))

/**
 * The program as CommonJS, because Jest can only `require`, in files that share one state. `main`
 * handles help and mistakes, and `core` holds what a start and the library need, because each file
 * more costs a start a part of a millisecond. The others are what dynamic imports draw in.
 */
export const forNode = {
  cwd: root,
  input: {
    cli: 'src/cli/bin.ts',
    main: 'src/cli/run-program.ts',
    index: 'src/index.ts',
    vitest: 'src/vitest.ts',
    'extend-test': 'src/host/extend-test.ts',
  },
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
      // A look at one of these globals, which the server's library takes, loads all of Node's `fetch`.
      global: 'fetchClasses',
      ...forEach(['Headers', 'Request', 'Response'], (name) => `fetchClasses.${name}`),
      'globalThis.Headers': 'fetchClasses.Headers',
      'globalThis.CloseEvent': 'undefined',
      'globalThis.ErrorEvent': 'undefined',
    },
    inject: {
      ...forEach(Object.keys(nodeGlobals), (name) => [NODE_GLOBALS, name]),
      fetchClasses: [join(root, 'src/fetch-classes.ts'), 'fetchClasses'],
    },
  },
  checks: { ineffectiveDynamicImport: false },
  plugins: [keepApart()],
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    dynamicImportInCjs: false,
    sourcemap: true,
    // With a single character outside ASCII, V8 keeps the whole text in two bytes a character.
    charset: 'ascii',
    // Names and line breaks stay for stack traces: Node prints the whole line of an uncaught error.
    minify: {
      compress: true,
      mangle: { keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: false },
    },
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

/** Leaves to the user what is the user's: modules of scenarios, and globals of another zod. */
function keepApart() {
  const change = (code, from, to) =>
    code.includes(from) ? { code: code.replaceAll(from, to), map: null } : null
  return {
    name: 'keep-apart',
    transform: (code, id) => {
      if (id.endsWith('src/scenario/load.ts'))
        return change(code, 'await import(', 'await import_(')
      return /[\\/]zod[\\/]/.test(id) ? change(code, '__zod_global', '__ramp_sandbox_zod_') : null
    },
    renderChunk: (code) => change(code, 'await import_(', 'await import('),
  }
}

/** What pages load: a line for each file. */
export const forBrowser = {
  absWorkingDir: root,
  entryPoints: [
    'src/ui/inspector/inspector.tsx',
    'src/ui/hosted/hosted.ts',
    'src/ui/demo/demo.tsx',
    'src/ui/css/styles.css',
    'src/ui/css/demo.css',
    'src/ui/css/icon.svg',
  ],
  outdir: 'dist/assets',
  entryNames: '[name]',
  bundle: true,
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

/** Run by the build and not published: the stories whose calls become examples. */
export const forExamples = {
  ...forNode,
  input: 'test/openapi/record-examples.ts',
  output: { ...forNode.output, dir: 'dist/examples' },
}

/** Builds all that runs, without what is derived from a run. */
export async function buildProgram() {
  const copied = cp(join(root, 'src/esm'), join(root, 'dist'), { recursive: true })
  return await Promise.all([rolldown.build(forNode), esbuild.build(forBrowser), copied])
}

// How the program becomes CommonJS for Node.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { replacePlugin } from 'rolldown/plugins'
import { parseSync, Visitor } from 'rolldown/utils'
import * as nodeGlobals from './node-globals.mjs'

const require = createRequire(import.meta.url)
const forEach = (names, make) => Object.fromEntries(names.map((name) => [name, make(name)]))

/** The server of `npm run dev` needs no short lines. */
export const isForDev = process.argv[2] === 'start'

/**
 * The program as CommonJS, because Jest can only `require`, in files that share one state. `main`
 * handles help and mistakes, and `core` holds what a start and the library need, because each file
 * more costs a start a part of a millisecond. The others are what dynamic imports draw in.
 */
export const forNode = {
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

// Everything the sandbox uses goes into the bundle, so that the package has no dependencies and
// starts fast. Types come from `npm run build:types`.
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { build } from 'esbuild'

process.chdir(join(import.meta.dirname, '..'))

/** What is loaded with the server or after it. The commands that drive a running one are not. */
const PARTS = ['start', 'exec', 'play', 'fixtures', 'assumptions', 'openapi']
  .map((command) => `cli/${command}.ts`)
  .concat(['index.ts', 'vitest.ts', 'host/server.ts', 'store/open.ts', 'scenario/play.ts'])
  .concat(['dashboard/index.tsx', 'http/openapi/index.ts'])
  .map((file) => join(process.cwd(), 'src', file))

/**
 * esbuild makes a file for each set of parts that share something, which is 22 files at a start.
 * When every part asks for the server, the server stays whole, and a start takes 7 % less time.
 */
const wholeServer = {
  name: 'whole-server',
  setup({ onLoad }) {
    const server = JSON.stringify(join(process.cwd(), 'src/cli/serving.ts'))
    onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, async ({ path }) => {
      if (!PARTS.includes(path)) return undefined
      const code = await readFile(path, 'utf8')
      return { contents: `${code}\nimport ${server}`, loader: extname(path).slice(1) }
    })
  },
}

const startedAt = performance.now()
const entryPoints = {
  cli: 'src/cli/bin.ts',
  index: 'src/index.ts',
  vitest: 'src/vitest.ts',
  'scenario/worker': 'src/scenario/worker.ts',
}
const { version } = JSON.parse(await readFile('package.json', 'utf8'))

await rm('dist', { recursive: true, force: true })
const { metafile } = await build({
  entryPoints,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: ['vitest'],
  define: { __VERSION__: JSON.stringify(version) },
  // Not minified: it starts no slower, and the stacks in people's logs name lines.
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'linked',
  metafile: true,
  plugins: [wholeServer],
  logLevel: 'warning',
  logOverride: { 'ignored-bare-import': 'silent' },
})
const browser = await build({
  entryPoints: ['dashboard/client/inspector.ts', 'dashboard/client/hosted.ts']
    .concat(['demo/client/demo.tsx', 'dashboard/styles/styles.css', 'dashboard/styles/icon.svg'])
    .map((file) => `src/${file}`),
  outdir: 'dist/assets',
  entryNames: '[name]',
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  loader: { '.svg': 'copy' },
  minify: true,
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
})
await makeExecutable('dist/cli.js')
const inputs = [metafile, browser.metafile].flatMap((made) => Object.keys(made.inputs))
await writeFile('dist/LICENSES.txt', await licencesOf(inputs))

const outputs = [metafile, browser.metafile].flatMap((made) => Object.values(made.outputs))
const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0)
const tookMs = performance.now() - startedAt
console.log(`dist: ${Math.round(bytes / 1024)} kB with maps, in ${Math.round(tookMs)} ms`)

async function makeExecutable(path) {
  const code = await readFile(path, 'utf8')
  if (!code.startsWith('#!')) {
    const map = JSON.parse(await readFile(`${path}.map`, 'utf8'))
    await writeFile(path, `#!/usr/bin/env node\n${code}`)
    // One empty line of mappings for the line just added.
    await writeFile(`${path}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }))
  }
  await chmod(path, 0o755)
}

/** The licences of what was bundled ask to travel with it. */
async function licencesOf(inputs) {
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

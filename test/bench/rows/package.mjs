import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../folders.mjs'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

const row = (name, unit, aim, figureOf) => ({
  name,
  unit,
  aim,
  measure: async () => [{ ours: figureOf(await pack()) }],
})

export const packedSize = row('packed tarball', 'kB', { under: 1_000 }, ({ size }) => size / 1000)
export const packages = row(
  'packages that npx installs into an empty cache',
  'in all',
  { most: 1 },
  ({ installed }) => installed.length,
)
export const dependencies = row(
  'runtime dependencies to resolve',
  'in all',
  { most: 0 },
  ({ installed }) => installed.flatMap(dependenciesOf).length,
)

let packing

function pack() {
  packing ??= packAndInstall()
  return packing
}

/** Packs what would be published, and lets npx run it from the tarball with nothing else in reach. */
async function packAndInstall() {
  if (!existsSync(join(root, 'dist/index.d.ts'))) {
    await run('npm', ['run', '--silent', 'build:types'], { cwd: root })
  }
  const folder = await makeFolder()
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: root })
  const [{ size, filename }] = JSON.parse(stdout)
  const cache = join(folder, 'cache')
  const tarball = join(folder, filename)
  const npx = ['--yes', '--offline', '--cache', cache, `--package=${tarball}`, 'ramp-sandbox']
  await run('npx', [...npx, '--version'], { cwd: folder })
  const installed = await readInstalled(join(cache, '_npx'))
  return { size, installed }
}

/** What npm wrote down of each package that it installed. */
async function readInstalled(folder) {
  const [name] = await readdir(folder)
  const lock = await readFile(join(folder, name, 'node_modules/.package-lock.json'), 'utf8')
  return Object.values(JSON.parse(lock).packages)
}

function dependenciesOf({ dependencies, optionalDependencies, peerDependencies, ...meta }) {
  const { peerDependenciesMeta = {} } = meta
  const peers = Object.keys(peerDependencies ?? {})
  const needed = peers.filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...needed]
}

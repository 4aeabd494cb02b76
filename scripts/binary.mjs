// Makes build/ramp-sandbox, which needs no Node: the node that runs this, with the program inside.
// build/rootfs has all that it needs to run in an empty container.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, realpathSync } from 'node:fs'
import { chmod, copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { listContents } from './contents.mjs'

/** By it Node finds out that it carries a program; the same in every version. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const POSTJECT = createRequire(import.meta.url).resolve('postject/dist/cli.js')
const BINARY = 'build/ramp-sandbox'
const ROOT = 'build/rootfs'
/** The number by which images of this kind call their user without rights. */
const NOBODY = 65532

/** Of all that is in the executable, or beside it in the image, and where their texts may be. */
const PREFIX = dirname(dirname(realpathSync(process.execPath)))
const LICENCES = [
  ['LICENSE', 'LICENSE'],
  ['LICENSES.txt', 'dist/LICENSES.txt'],
  ['LICENSE.node', `${PREFIX}/LICENSE`, `${PREFIX}/share/doc/nodejs/LICENSE`],
  ['LICENSE.glibc', '/usr/share/doc/libc6/copyright'],
  ['LICENSE.libstdc++', '/usr/share/doc/libstdc++6/copyright'],
]

if (process.platform !== 'linux') throw new Error('A single executable is made on Linux.')
process.chdir(join(import.meta.dirname, '..'))
const startedAt = performance.now()
await mkdir('build', { recursive: true })
await writeFile('build/sea.json', JSON.stringify(await toConfig()))
run(process.execPath, '--experimental-sea-config', 'build/sea.json')

await copyFile(process.execPath, BINARY)
await chmod(BINARY, 0o755)
// Symbols are an eighth of it, and nobody debugs this Node.
run('strip', BINARY)
// As a program, because it prints a warning for each section that it does not know.
run(process.execPath, POSTJECT, BINARY, 'NODE_SEA_BLOB', 'build/sea.blob', '--sentinel-fuse', FUSE)

await makeRoot()
const { size } = await stat(BINARY)
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(
  `${BINARY}: ${(size / 1e6).toFixed(1)} MB with Node ${process.version}, in ${seconds} s`,
)

async function toConfig() {
  const files = (await listContents()).filter((path) => !/^dist\/[\w-]+\.js$/.test(path))
  await writeFile('build/files.json', JSON.stringify(files))
  const embedded = files.map((path) => [path, path])
  return {
    main: 'scripts/binary-main.cjs',
    output: 'build/sea.blob',
    disableExperimentalSEAWarning: true,
    assets: { ...Object.fromEntries(embedded), 'files.json': 'build/files.json' },
  }
}

/** The program, its shared libraries, the names of users, and folders to write into. */
async function makeRoot() {
  await rm(ROOT, { recursive: true, force: true })
  for (const [path, mode] of [
    ['data', 0o755],
    ['tmp', 0o1777],
  ]) {
    await mkdir(join(ROOT, path), { recursive: true })
    await chmod(join(ROOT, path), mode)
  }
  const papers = '/usr/share/doc/ramp-sandbox'
  for (const [from, to] of [
    [BINARY, '/usr/local/bin/ramp-sandbox'],
    ...LICENCES.map(([name, ...places]) => [findLicence(name, places), `${papers}/${name}`]),
    // As the loader finds them; each as a file where the link to it was.
    ...[...run('ldd', BINARY).matchAll(/(\/\S+) \(0x/g)].map(([, path]) => [path, path]),
  ]) {
    await mkdir(join(ROOT, dirname(to)), { recursive: true })
    await copyFile(from, join(ROOT, to))
  }
  const names = {
    passwd: `root:x:0:0::/:/none\nsandbox:x:${NOBODY}:${NOBODY}::/data:/none\n`,
    group: `root:x:0:\nsandbox:x:${NOBODY}:\n`,
    'nsswitch.conf': 'hosts: files dns\n',
  }
  await mkdir(join(ROOT, 'etc'))
  for (const name in names) await writeFile(join(ROOT, 'etc', name), names[name])
}

function findLicence(name, places) {
  const found = places.find((place) => existsSync(place))
  if (found === undefined) throw new Error(`${name} is not at ${places.join(' or ')}.`)
  copyFileSync(found, join('build', name))
  return found
}

function run(command, ...args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

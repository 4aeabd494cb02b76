// What a user's empty project makes of the packed package: node test/package/run.mjs TARBALL
// attw and publint pass, the library loads without one dependency, its types without one library, and
// the server that npx starts ends with npx. It is started with an empty cache, so npm may print more.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const [tarball] = process.argv.slice(2).map((path) => resolve(path))
const tools = join(import.meta.dirname, '../../node_modules')
const scratch = mkdtempSync(join(tmpdir(), 'ramp-package-'))
const MAX_KILOBYTES = 600

try {
  const kilobytes = Math.round(statSync(tarball).size / 1024)
  console.log(`${basename(tarball)} has ${kilobytes} kB`)
  if (kilobytes >= MAX_KILOBYTES)
    throw new Error(`The package must stay under ${MAX_KILOBYTES} kB.`)
  run(scratch, join(tools, '.bin/attw'), tarball)
  run(scratch, join(tools, '.bin/publint'), tarball, '--strict')
  useLibrary(makeFolder('library/node_modules/ramp-sandbox'))
  await startThroughNpx(makeFolder('empty'))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function run(cwd, command, ...args) {
  execFileSync(command, args, { cwd, stdio: 'inherit' })
}

function makeFolder(path) {
  mkdirSync(join(scratch, path), { recursive: true })
  return join(scratch, path)
}

/** A user's project has none of our libraries, so neither the code nor the types may need them. */
function useLibrary(folder) {
  run(folder, 'tar', '-xzf', tarball, '--strip-components=1')
  const project = join(folder, '../..')
  const write = (name, text) => writeFileSync(join(project, name), text)
  write('package.json', '{ "type": "module" }')
  write('use.ts', "export * from 'ramp-sandbox'\n")
  write(
    'use.cts',
    `import { createSandbox, type Delivery, type Sandbox, SandboxError } from 'ramp-sandbox'
import * as required from 'ramp-sandbox'
export const all: typeof import('ramp-sandbox', { with: { 'resolution-mode': 'import' } }) = required
export const now: Promise<string> = createSandbox().then(async ({ clock }) => (await clock.advance('1h')).to)
export const isExpected = (error: unknown): error is SandboxError => error instanceof SandboxError
export const resentBy = ({ webhooks }: Sandbox, first: Delivery): Promise<Delivery> => webhooks.resend(first)
export const outcomeOf = ({ outcome }: Delivery): string => outcome
`,
  )
  write(
    'names.mjs',
    `const names = Object.keys(await import('ramp-sandbox'))
if (names.length === 0) throw new Error('The library exports nothing.')
console.log('exports', names.join(', '))
`,
  )
  run(project, process.execPath, 'names.mjs')
  // The version of the project, and the oldest that README.md names.
  for (const [tsc, ...args] of [
    [join(tools, '.bin/tsc')],
    ['npx', '--yes', '--package', 'typescript@5.4.5', 'tsc'],
  ]) {
    const files = ['--noEmit', '--strict', 'use.ts', 'use.cts']
    const module = ['--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext']
    const library = ['--lib', 'es2023,esnext.disposable', '--types', 'node']
    run(
      project,
      tsc,
      ...args,
      ...files,
      ...module,
      ...library,
      '--typeRoots',
      join(tools, '@types'),
    )
  }
}

/** A signal to npx does not reach what npx started: the server must notice by itself, and end. */
async function startThroughNpx(cwd) {
  const cache = join(scratch, 'cache')
  // Without `file:` npx takes an absolute path for a program to run.
  const args = ['--yes', `file:${tarball}`, 'start', '--port', '0', '--json']
  const npx = spawn('npx', args, {
    cwd,
    env: { ...process.env, npm_config_cache: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    const [line] = await once(createInterface(npx.stdout), 'line', within(60_000))
    const { url } = JSON.parse(line)
    const health = await (await fetch(`${url}/_sandbox/health`, within(5_000))).json()
    console.log(`ready at ${url}`, health)
    if (health.status !== 'ok') throw new Error('The health response is not ok.')
    const [folder] = readdirSync(join(cache, '_npx'))
    const installed = readdirSync(join(cache, '_npx', folder, 'node_modules'), { encoding: 'utf8' })
    const packages = installed.filter((name) => !name.startsWith('.'))
    if (`${packages}` !== 'ramp-sandbox') throw new Error(`npx installed ${packages}`)
    npx.kill()
    // The pipe closes when the last process that has it ends.
    await once(npx.stdout, 'close', within(5_000)).catch(() => {
      throw new Error('The server outlived the npx that started it by 5 s.')
    })
  } finally {
    if (npx.stdout.closed === false) process.kill(-npx.pid, 'SIGKILL')
  }
}

function within(ms) {
  return { signal: AbortSignal.timeout(ms) }
}

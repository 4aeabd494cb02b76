// Starts a sandbox that goes on when this step has ended, and tells the later steps where it is. The
// runner ends it with the job.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const READY_MAX_MS = 60_000
const { env } = process
const folder = mkdtempSync(join(env.RUNNER_TEMP ?? tmpdir(), 'ramp-sandbox-'))
const logFile = join(folder, 'log.txt')

const cli = env.SANDBOX_PACKAGE ? install(env.SANDBOX_PACKAGE) : buildOwn()
const { url, apiKey, controlUrl } = await start(cli)
append(env.GITHUB_ENV, {
  RAMP_SANDBOX_URL: url,
  RAMP_SANDBOX_API_KEY: apiKey,
  RAMP_SANDBOX_CONTROL_URL: controlUrl,
})
append(env.GITHUB_OUTPUT, { url, 'api-key': apiKey, 'control-url': controlUrl })
console.log(`The sandbox is at ${url}; its log is ${logFile}.`)

function install(wanted) {
  const source = existsSync(wanted) ? resolve(wanted) : wanted
  run(folder, ['install', '--no-save', '--no-audit', '--no-fund', source])
  return join(folder, 'node_modules', 'ramp-sandbox', 'dist', 'cli.cjs')
}

function buildOwn() {
  const root = join(import.meta.dirname, '..')
  const built = join(root, 'dist', 'cli.cjs')
  if (existsSync(built)) return built
  run(root, ['ci', '--no-audit', '--no-fund'])
  run(root, ['run', 'build'])
  return built
}

function run(cwd, args) {
  const shell = process.platform === 'win32'
  const { status } = spawnSync('npm', args, { cwd, shell, stdio: 'inherit' })
  if (status !== 0) fail(`npm ${args[0]} ended with ${status}.`)
}

async function start(file) {
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, [file, 'start', ...toArguments()], {
    // A sandbox that npm started would end with it.
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('npm_'))),
    stdio: ['ignore', log, log],
    detached: true,
  })
  child.unref()
  const until = Date.now() + READY_MAX_MS
  const findReady = () => /^{"event":"ready".*}$/m.exec(readFileSync(logFile, 'utf8'))?.[0]
  while (findReady() === undefined) {
    if (child.exitCode !== null) fail(readFileSync(logFile, 'utf8'))
    if (Date.now() > until) fail(`No sandbox responds.\n${readFileSync(logFile, 'utf8')}`)
    await pause(50)
  }
  return JSON.parse(findReady())
}

function toArguments() {
  const { SANDBOX_FIXTURE: fixture, SANDBOX_CLOCK: clock, SANDBOX_SETTINGS = '' } = env
  const settings = SANDBOX_SETTINGS.split('\n').map((line) => line.trim())
  return [
    ...['--port', env.SANDBOX_PORT || '0', '--json', '--log', 'all'],
    ...(fixture ? ['--fixture', fixture] : []),
    ...(clock ? ['--clock', clock] : []),
    ...settings.filter((line) => line !== '').flatMap((line) => ['--set', line]),
  ]
}

function append(file, values) {
  if (file === undefined) return
  for (const [name, value] of Object.entries(values)) appendFileSync(file, `${name}=${value}\n`)
}

function fail(message) {
  console.error(`::error::${message.trim().replaceAll('\n', '%0A')}`)
  process.exit(1)
}

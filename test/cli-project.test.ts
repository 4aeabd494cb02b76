import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { connectSandbox } from '../src/index.ts'
import {
  endCommands,
  runCommand,
  startCommand,
  startSandbox,
  untilReady,
} from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

afterAll(endCommands)

const root = join(import.meta.dirname, '..')

/** Runs a command line in a folder. */
const runIn = (cwd: string, args: readonly string[], env = {}) => runInProcess(args, env, cwd)

/** What the sandbox of `exec` says of its world. */
async function execInfo(cwd: string, ...options: string[]) {
  const read = 'curl --silent --output info.json "$RAMP_SANDBOX_CONTROL_URL/info"'
  const { code, err } = await runIn(cwd, ['exec', ...options, '--', 'sh', '-c', read])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(readFileSync(join(cwd, 'info.json'), 'utf8'))
}

/** A folder with a `ramp-sandbox.json` that holds these options. */
function createProject(options: object): string {
  const folder = createFolder()
  writeFileSync(join(folder, 'ramp-sandbox.json'), JSON.stringify(options))
  return folder
}

it('start and exec take options from ramp-sandbox.json, and name the file', async () => {
  const options = { fixture: 'cast', clock: 'frozen', set: { 'quotes.ttl': '7m' }, port: 1 }
  const cwd = createProject(options)
  const { ready } = await startSandbox([], { cwd })
  expect(ready.options).toBe('ramp-sandbox.json')
  const sandbox = connectSandbox(ready.url)
  expect(await sandbox.info()).toMatchObject({ fixture: 'cast', mode: 'frozen' })
  expect((await sandbox.settings.get('quotes.ttl')).value).toBe('7m')
  expect(await execInfo(cwd)).toMatchObject({ fixture: 'cast', mode: 'frozen' })
})

it('ramp-sandbox.json yields to the command line and to the environment', async () => {
  const cwd = createProject({ fixture: 'cast', port: 1, 'webhook-url': 'localhost:1' })
  expect((await execInfo(cwd, '--fixture', 'verified-user')).fixture).toBe('verified-user')
  const env = {
    PORT: '0',
    RAMP_SANDBOX_OPTIONS: '--fixture default',
    RAMP_SANDBOX_WEBHOOK_URL: 'http://localhost:2',
  }
  const { ready } = await untilReady(startCommand(['start', '--json'], { cwd, env }))
  expect((await connectSandbox(ready.url).info()).fixture).toBe('default')
  expect(ready.webhookUrl).toBe('http://localhost:2')
})

it('ramp-sandbox.json is ignored by the library, and by a command that runs in a world of another sandbox', async () => {
  const cwd = createProject({ fixture: 'cast', host: '0.0.0.0' })
  const { ready } = await startSandbox()
  expect((await execInfo(cwd, '--on', ready.url)).fixture).toBe('default')
  const library = `import { createSandbox } from ${JSON.stringify(join(root, 'dist/index.js'))}
      const sandbox = await createSandbox({ listen: false })
      console.log((await sandbox.info()).fixture)`
  writeFileSync(join(cwd, 'library.mjs'), library)
  const script = ['exec', '--fixture', 'default', '--host', '127.0.0.1', '--', process.execPath]
  const env = { RAMP_SANDBOX_OPTIONS: '--fixture default --seed seven' }
  expect((await runCommand([...script, 'library.mjs'], { cwd, env })).out).toBe('default\n')
})

it('ramp-sandbox.json, and a file of settings, may begin with a byte order mark', async () => {
  const cwd = createFolder()
  writeFileSync(join(cwd, 'ramp-sandbox.json'), '\uFEFF{"fixture":"cast"}')
  writeFileSync(join(cwd, 'settings.json'), '\uFEFF{"quotes.ttl":"7m"}')
  expect(await execInfo(cwd, '--settings', 'settings.json')).toMatchObject({ fixture: 'cast' })
})

it.each([
  [{ fixtur: 'a' }, 'ramp-sandbox.json: there is no option fixtur; did you mean fixture?'],
  [{ json: 'yes' }, 'ramp-sandbox.json: json must be true or false, not "yes".'],
  [{ port: 'abc' }, 'ramp-sandbox.json: port must be a whole number'],
  [{ clock: 'soon' }, 'ramp-sandbox.json: clock must be running, frozen'],
  [{ fixture: 'casts' }, 'ramp-sandbox.json: There is no fixture casts'],
  [{ set: { 'quotes.tll': '1h' } }, 'ramp-sandbox.json: There is no setting quotes.tll'],
  [[], 'ramp-sandbox: ramp-sandbox.json must contain an object of options.'],
])('ramp-sandbox.json is refused with a sentence: %j', async (options, sentence) => {
  const { code, err } = await runIn(createProject(options), ['start'])
  expect(code).toBe(2)
  expect(err).toContain(sentence)
})

it('a wrong option of the command line is not blamed on ramp-sandbox.json', async () => {
  const folder = createProject({ fixture: 'cast' })
  for (const option of ['--fixture', '-f']) {
    const { code, err } = await runIn(folder, ['start', option, 'casts'])
    expect([code, err]).toEqual([2, expect.stringMatching(/^ramp-sandbox: There is no fixture/)])
  }
  const env = { RAMP_SANDBOX_OPTIONS: '--clock soon' }
  const { err } = await runIn(folder, ['start'], env)
  expect(err).toMatch(/^ramp-sandbox: RAMP_SANDBOX_OPTIONS: --clock must be/)
})

it('start takes its port from PORT unless --port is given', async () => {
  const wrong = await runInProcess(['start'], { PORT: 'pipe' })
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/^ramp-sandbox: PORT must be/)])
  const { ready } = await startSandbox([], { env: { PORT: '1' } })
  expect(ready.port).toBeGreaterThan(1)
})

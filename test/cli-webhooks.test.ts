import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Sandbox } from '../src/client/client.ts'
import { connectSandbox } from '../src/client/connect.ts'
import { createReceiver, type Received, type Receiver } from '../src/client/receiver.ts'
import type { WorldsOptions } from '../src/host/worlds.ts'
import { verifySignature } from '../src/webhooks/sign.ts'
import { type Live, openLive } from './control/live.ts'
import { endCommands, startCommand, startSandbox } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

const ALICE = 'alice@example.com'
const SECRET = /whsec_[0-9a-f]{48}/
const folder = createFolder()
let app: Receiver<{ payload: { status: string } }>

beforeAll(async () => {
  app = await createReceiver({ respond: 204 })
})
afterEach(endCommands)
afterAll(async () => {
  await app.close()
})

const nextAt = (path: string) => app.next((request) => request.path === path)

const isSigned = ({ headers, bytes }: Received, secret: string) =>
  verifySignature({ secret, headers, body: bytes, headerPrefix: 'X-Service' }).ok

async function start(url: string, more: string[] = []) {
  const started = await startSandbox(['--fixture', 'cast', '--webhook-url', url, ...more])
  return { ...started, sandbox: connectSandbox(started.ready.url) }
}

it('start --webhook-url sends signed webhooks from the start, and after a reset', async () => {
  const { ready, sandbox } = await start(`${app.url}/a`)
  expect(ready).toMatchObject({ webhookUrl: `${app.url}/a` })
  expect(ready.signingSecret).toMatch(SECRET)
  await sandbox.reset()
  await sandbox.simulate.kyc(ALICE, 'rejected')
  await sandbox.simulate.kyc(ALICE, 'verified')
  expect(isSigned(await nextAt('/a'), ready.signingSecret)).toBe(true)
})

it('start --webhook-url can be set in the environment, also for exec, which passes the secret to its command', async () => {
  const env = { RAMP_SANDBOX_WEBHOOK_URL: 'localhost:3000/hooks' }
  const said = join(folder, 'said')
  const script = `{ echo $RAMP_SANDBOX_SIGNING_SECRET; curl -s $RAMP_SANDBOX_CONTROL_URL/info; }`
  await runInProcess(['exec', '--', 'sh', '-c', `${script} > "${said}"`], env)
  const text = readFileSync(said, 'utf8')
  expect(text).toMatch(SECRET)
  expect(text).toContain('"webhookUrl":"http://localhost:3000/hooks"')
})

it('start --webhook-url permits only that port of this machine if others can reach the sandbox', async () => {
  const { sandbox } = await start(`${app.url}/a`, ['--allow-host', 'sandbox.example.com'])
  await sandbox.webhooks.set(`${app.url}/another`)
  await sandbox.simulate.kyc(ALICE, 'rejected')
  expect((await nextAt('/another')).json.payload.status).toBe('rejected')
  for (const origin of ['http://127.0.0.1:9', 'http://localhost']) {
    await expect(sandbox.webhooks.set(`${origin}/a`)).rejects.toThrow('--allow-webhook-host')
  }
})

let sandbox: Sandbox
let live: Live
const env = () => ({ RAMP_SANDBOX_URL: sandbox.url, RAMP_SANDBOX_CONTROL_TOKEN: 'secret' })

async function open(options: WorldsOptions = {}) {
  const world = { fixture: 'cast', clock: 'frozen', controlToken: 'secret' } as const
  const opened = await openLive({ ...world, ...options })
  live = opened
  onTestFinished(() => opened[Symbol.asyncDispose]())
  sandbox = connectSandbox(`${live.url}/w/mine`, { controlToken: 'secret' })
  await sandbox.reset()
}

const settings = async () => (await sandbox.webhooks.settings()).integrators[0]

it('listen points webhooks at the app, and restores the configuration afterwards', async () => {
  await open()
  await sandbox.webhooks.set('https://example.com/hooks')
  const before = await settings()
  const args = ['listen', '--forward-to', `${app.url}/app`]
  const { says, type, ended } = startCommand(args, {
    columns: 120,
    env: { ...env(), NO_COLOR: '1' },
  })
  await says(/signed with/)
  await sandbox.simulate.kyc(ALICE, 'rejected')
  await says(/→ user\.update rejected +204 {2}.* ms {2}.*alice@example\.com/)
  await sandbox.reset()
  await says(/the world was reset or restored; webhooks for main go to http/)
  await sandbox.simulate.kyc(ALICE, 'in-review')
  await says(/→ user\.update in-review +204/)
  const api = `${sandbox.url}/v2/webhook-configurations/signing-secret/rotate`
  await fetch(api, { method: 'POST', headers: { 'x-api-key': sandbox.apiKey } })
  type('\u0003')
  const { code, out } = await ended
  expect(code).toBe(0)
  expect(out).toMatch(SECRET)
  expect(before).toMatchObject({ url: 'https://example.com/hooks', legacy: null })
  expect(await settings()).toMatchObject({ url: null, legacy: null })
})

it('listen exits with 1 if it cannot restore the configuration', async () => {
  await open()
  await sandbox.webhooks.set(`${app.url}/before`)
  const args = ['listen', '--json', '--forward-to', `${app.url}/app`]
  const listening = startCommand(args, { env: env() })
  await listening.says(/"listening"/)
  await sandbox.settings.set({ 'webhooks.url': 'https-only' })
  listening.process.kill('SIGINT')
  const { code, err } = await listening.ended
  expect([code, err]).toEqual([1, expect.stringContaining('webhooks for main still go to http')])
})

it('listen forwards the bytes and signature itself with --relay, and reports the response', async () => {
  await open({ publicUrl: 'https://sandbox.example.com' })
  const refused = await runInProcess(['listen', '--forward-to', `${app.url}/far`], env())
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Add --relay') })
  const args = ['listen', '--relay', '--json', '--forward-to', `${app.url}/far`]
  const { process: child, says, ended } = startCommand(args, { env: env() })
  const [, secret = ''] = await says(/"signingSecret":"(\w+)"/)
  expect((await sandbox.info()).counts.listeners).toBe(1)
  app.respondWith(500)
  await sandbox.simulate.kyc(ALICE, 'rejected')
  const request = await nextAt('/far')
  expect(isSigned(request, secret)).toBe(true)
  await says(/"outcome":"rejected".*"message":"The receiver responded with 500 /)
  app.respondWith(204)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  expect(await settings()).toMatchObject({ url: null })
})

it('listen says when the sandbox is gone, and when it cannot work at all', async () => {
  await open()
  const args = ['listen', '--forward-to', app.url]
  const { says, ended } = startCommand(args, { env: env() })
  await says(/signed with/)
  await live[Symbol.asyncDispose]()
  const { code, err } = await ended
  expect({ code, err }).toMatchObject({
    code: 1,
    err: expect.stringMatching(/: the connection to .* was lost\.\n$/),
  })

  const wrong = { ...env(), RAMP_SANDBOX_CONTROL_TOKEN: 'wrong' }
  for (const [more, variables, sentence] of [
    [[], {}, 'listen needs --forward-to URL'],
    [['--forward-to', 'hooks'], {}, '--forward-to must be an http or https URL'],
    [['--forward-to', app.url], wrong, 'No sandbox responds at'],
  ] as const) {
    const outcome = await runInProcess(['listen', ...more], variables)
    expect(outcome).toMatchObject({ code: 2, err: expect.stringContaining(sentence) })
  }
})

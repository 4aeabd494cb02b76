import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Sandbox } from '../src/client/client.ts'
import { connectSandbox } from '../src/client/connect.ts'
import { type Live, openLive } from './control/live.ts'
import { endCommands, runCommand, startSandbox } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'
import { findFreePort } from './helpers/sandbox.mjs'

const ALICE = 'alice@example.com'
const ALICE_ID = 'a11ce000-0000-4000-8000-000000000001'
const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'

const folder = createFolder()
let live: Live
let sandbox: Sandbox

beforeAll(async () => {
  live = await openLive({ controlToken: 'secret' })
  sandbox = connectSandbox(live.url, { controlToken: 'secret' })
})
beforeEach(() => sandbox.reset())
afterAll(async () => {
  endCommands()
  await live[Symbol.asyncDispose]()
})

const env = () => ({ RAMP_SANDBOX_URL: live.url, RAMP_SANDBOX_CONTROL_TOKEN: 'secret' })
const control = (...args: string[]) => runInProcess(args, env())

const buy = async () => (await sandbox.buy(ALICE, { cad: 100 })).transaction.id

it('the commands of a running sandbox read and move its clock', async () => {
  expect(await control('clock')).toMatchObject({
    code: 0,
    out: '2026-07-01T12:00:00.000Z  frozen\n',
  })
  const advanced = await control('clock', 'advance', '90s')
  expect(advanced.out).toBe('2026-07-01T12:00:00.000Z → 2026-07-01T12:01:30.000Z\n')
  await control('clock', 'advance', '2026-07-01T13:00:00Z')
  expect(JSON.parse((await control('clock', '--json')).out)).toMatchObject({
    now: '2026-07-01T13:00:00.000Z',
    mode: 'frozen',
  })
  expect((await control('clock', 'resume')).out).toMatch(/ {2}running\n$/)
  expect((await control('clock', 'freeze', '2026-08-01T00:00:00Z')).out).toBe(
    '2026-08-01T00:00:00.000Z  frozen\n',
  )
})

it('the commands of a running sandbox say whether it responds, without its token', async () => {
  const withoutToken = { RAMP_SANDBOX_URL: live.url }
  expect(await runInProcess(['health'], withoutToken)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^status +ok\nversion +\S+\n/),
  })
  expect((await control('health', '--url', 'http://127.0.0.1:9')).code).toBe(2)
  const asTyped = live.url.replace('http://127.0.0.1', 'localhost')
  expect((await control('health', '--url', asTyped)).out).toMatch(/^status +ok\n/)
  const { out, err } = await control('health', '--url', `${live.url}/_sandbox`)
  expect([out, err]).toEqual([expect.stringMatching(/^status +ok\n/), ''])
  const wrong = await runInProcess(['health'], { RAMP_SANDBOX_URL: 'nowhere' })
  expect(wrong.err).toContain('ramp-sandbox: RAMP_SANDBOX_URL: nowhere is not a URL')
})

it('health --wait waits until a sandbox responds', async () => {
  const port = await findFreePort()
  const early = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  const waiting = runInProcess(['health', '--wait', '30s', '--url', `http://127.0.0.1:${port}`])
  await once(early, 'connection')
  early.close()
  await startSandbox(['--port', String(port)])
  expect(await waiting).toMatchObject({ code: 0, out: expect.stringMatching(/^status +ok\n/) })
})

it('health --wait exits with 1 if no sandbox responds in time', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const health = () => control('health', '--wait=300ms', `--url=http://127.0.0.1:${port}`)
  expect(await health()).toMatchObject({
    code: 1,
    err: `ramp-sandbox: Gave up after 0.3 s. http://127.0.0.1:${port} does not respond.\n`,
  })
  silent.close()
  expect(await health()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Gave up after 0.3 s. No sandbox responds at .*ECONNREFUSED/),
  })
  expect((await control('health', '--wait', 'soon')).code).toBe(2)
})

it.each([
  ['save', '--fixture', join(folder, 'refused.json')],
  ['coverage'],
  ['logs'],
  ['listen', '--forward-to', 'localhost:9'],
  ['exec', '--on', 'URL', '--', 'true'],
  ['clock'],
])(
  'the commands of a running sandbox exit with 1 when the sandbox refuses a call: %s',
  async (...args) => {
    const typed = args.map((arg) => (arg === 'URL' ? live.url : arg))
    const wrong = { ...env(), RAMP_SANDBOX_CONTROL_TOKEN: 'wrong' }
    const { code, err } = await runInProcess(typed, wrong)
    expect([code, err]).toEqual([1, expect.stringContaining('Set --control-token or RAMP_')])
  },
)

it('the commands of a running sandbox let a reviewer decide', async () => {
  const { out } = await control('user', 'kyc', ALICE, 'rejected', '--reason', 'Blurred')
  expect(out).toMatch(new RegExp(`^${ALICE_ID} {2}verified → rejected\n {2}\\d webhook.* not sent`))
  const later = await control('user', 'kyc', ALICE, 'verified', '--after', '1h')
  expect(later.out).toBe(`${ALICE_ID}  verified at 2026-07-01T13:00:00.000Z\n`)
  const { out: advanced } = await control('clock', 'next')
  expect(advanced).toContain(`change-kyc-status  ${ALICE_ID}`)
})

it('the value null restores the general maximum, as the help says', async () => {
  const set = async (maximum: string) =>
    (await control('user', 'account', ALICE, '--maximum-cad', maximum)).out
  expect(await set('50')).toMatch(/^maximumCad +50$/m)
  expect(await set('null')).toMatch(/^maximumCad +none$/m)
})

it('a length of time can also be typed as a number of milliseconds', async () => {
  const later = await control('user', 'kyc', ALICE, 'verified', '--after', '1500')
  expect(later.out).toContain('01.500Z')
  expect((await control('clock', 'advance', '500')).out).toMatch(/\.000Z → \S+\.500Z/)
})

it('the commands of a running sandbox print the newest login code', async () => {
  const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ email: ALICE })
  await sandbox.fetch('/v2/auth/login-codes', { method: 'POST', headers, body })
  expect((await control('inbox', ALICE, '--code')).out).toMatch(/^\d{4}\n$/)
  expect((await control('inbox', ALICE)).out).toMatch(/^\S+ {2}alice@example.com {2}.*\d{4}/)
})

it('the commands of a running sandbox take a buy from its quote to its end', async () => {
  expect(await control('deliveries')).toEqual({ code: 0, out: '', err: 'no deliveries\n' })
  const id = await buy()
  const paid = await control('tx', id, 'funds-received')
  expect(paid.out).toMatch(`${id}  ${PENDING} → ${PROCESSING}\n`)
  expect((await control('tx', id, 'settled')).out).toMatch(`${id}  ${PROCESSING} → complete\n`)
  const { out: events } = await control('events', '--ref', id)
  expect(events.trimEnd().split('\n')).toEqual([
    `2026-07-01T12:00:00.000Z  transaction.update  ${id}  ${PENDING}`,
    `2026-07-01T12:00:00.000Z  transaction.update  ${id}  ${PROCESSING}`,
    `2026-07-01T12:00:00.000Z  transaction.update  ${id}  complete`,
  ])
  expect((await control('events', '--last', '2')).out.split('\n')).toHaveLength(3)
  expect((await control('deliveries', '--ref', id)).out.match(/suppressed/g)).toHaveLength(3)
  expect((await control('webhook', 'drain')).out).toBe('No webhook is in flight.\n')
  const again = await control('tx', id, 'cancelled')
  expect(again).toMatchObject({ code: 1, out: '' })
  expect(again.err).toContain('The transaction is complete, which is a final status')
})

it('the commands of a running sandbox buy and sell for a user in one step', async () => {
  const { out } = await control('buy', ALICE, '250')
  expect(out).toContain(`  buy  250 CAD → 177.04 USDC-ETH  ${ALICE}  ${PENDING}\n`)
  const sold = await control('sell', ALICE, '50.5', '--coin', 'CADC-POLY', '--settle')
  expect(sold.out).toMatch(
    / {2}sell {2}50\.5 CADC-POLY → \S+ CAD {2}\S+ {2}complete\n {2}\d webhooks were not sent/,
  )
  const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
  const json = await control('buy', ALICE_ID, '100', '--wallet', wallet, '--json')
  expect(JSON.parse(json.out)).toMatchObject({ transaction: { wallet, side: 'buy' } })
})

it('the commands of a running sandbox take =false for an option that switches something on', async () => {
  const autodeposit = async (text: string) => {
    const { out } = await control('user', 'account', ALICE, `--autodeposit=${text}`, '--json')
    return JSON.parse(out).autodeposit
  }
  expect([await autodeposit('true'), await autodeposit('false')]).toEqual([true, false])
})

it('the commands of a running sandbox reset it to its start, or to a fixture in a local file', async () => {
  const file = join(folder, 'mine.json')
  // Some editors write a byte order mark.
  writeFileSync(file, '\uFEFF{"integrators":[{"name":"mine","apiKey":"my-key"}]}')
  const { out } = await control('reset', '--fixture', file, '--seed', 's', '--clock', 'frozen')
  expect(out).toMatch(/^default {2}a fixture of your own {2}seed s {2}\S+ {2}frozen\n$/)
  const { out: back } = await control('reset')
  expect(back).toContain('fixture verified-user  seed ramp-sandbox')
  expect(back).toContain('  same seed, so the same ids again (--seed random gives new ones)')
  const drawn = await control('reset', '--seed', 'random')
  expect(drawn.out).toMatch(/^default {2}fixture verified-user {2}seed [\w-]{21} {2}\S+ {2}\w+\n/)
  expect(drawn.out).not.toContain('same ids')
})

it('the commands of a running sandbox exit with 1 when a wait times out, and say what happened instead', async () => {
  const wait = (length: string) => control('events', '--status', 'complete', '--timeout', length)
  const { code, out, err } = await wait('1ms')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^ramp-sandbox: Nothing matched within 1ms\. No new events\./)
  expect((await wait('1')).err).toMatch(/^ramp-sandbox: Nothing matched within 1 ms\./)
  expect((await runCommand(['inbox', ALICE, '--code'], { env: env() })).code).toBe(1)
})

it.each([
  [['user', 'kyc', 'nobody@example.com', 'verified'], 1, 'There is no user nobody@example.com'],
  [['user', 'kyc', ALICE], 2, 'user kyc needs STATUS: user kyc USER STATUS.'],
  [['user'], 2, 'user needs one of: add, list'],
  [['tx'], 2, 'tx needs one of: list, ID.'],
  [['clock', 'advance', '0'], 1, 'Advance by a length of time above 0'],
  [['health', '--wait', '0'], 2, '--wait must be above 0, not 0.'],
  [['health', '--wait', '40000d'], 2, '--wait must be at most 36525d (100 years), not 40000d.'],
  [['clock', 'advance', '40000d'], 1, 'LENGTH must be at most 36525d (100 years), not 40000d.'],
  [
    ['settings', 'quotes.ttl=40000d'],
    1,
    'quotes.ttl must be at most 36525d (100 years), not 40000d.',
  ],
  [
    ['webhook', 'resend', 'dlv_3', '--failed'],
    2,
    'resend --failed takes no arguments; unexpected: dlv',
  ],
  [['webhook', 'set', ''], 1, 'URL must be an absolute URL'],
  [
    ['fault', 'add', 'webhook', '--drop', '--hook', 'verifiedEmail', '--generation', 'v2'],
    1,
    '--generation must be v1 with the hook verifiedEmail, not v2.',
  ],
  [['clock', 'advance', '1', 'h'], 2, 'clock advance takes LENGTH; unexpected: h.'],
  [
    ['clock', 'next', '--by', '1h'],
    2,
    'clock next has no option --by.\n  See ramp-sandbox help clock next.',
  ],
  [['fault', 'add', 'foo'], 2, 'fault add has no command foo; use one of api, webhook.'],
  [['settings', 'quotes.ttl=5m', 'quotes.fee'], 2, 'settings takes ID=VALUE, not quotes.fee.'],
  [['tx', 'settled', '2d9511d1'], 2, 'ID comes first: tx 2d9511d1 settled.'],
  [['worlds', 'list'], 2, 'worlds has no command list; use worlds or worlds end NAME.'],
  [['users', '--json=false'], 2, '--json takes no value; leave out --json=false.'],
  [
    ['reset', '--fixture', 'start.log'],
    1,
    '--fixture must be the name of a fixture, or its path, such as ./mine.json, not start.log.',
  ],
  [['tx', ALICE_ID, 'funds-receved'], 2, 'tx has no command funds-receved; did you mean funds-r'],
  [['reset', '--fixture', './none.json'], 2, 'The fixture ./none.json cannot be read'],
  [['health', '--url', 'http://127.0.0.1:9'], 2, 'health: browsers and fetch refuse this port'],
  [['call', 'buy'], 2, 'buy needs user=VALUE.'],
  [['rates', 'USDC='], 1, 'USDC must be a number, not "".'],
  [[''], 2, 'There is no command "".\n'],
  [['user', 'access', ALICE, 'key'], 1, 'ramp-sandbox: ACCESS must be jwt or apiKey, not key.'],
  [
    ['fault', 'add', 'api', '--status', '500', '--header', 'a b:c'],
    1,
    'ramp-sandbox: --header a b must have a name of letters, digits and dashes.',
  ],
  [['call', 'webhooks.resend', 'mutate=body'], 2, 'webhooks.resend needs id=VALUE.'],
  [['webhook', 'set', 'localhost:9', '--legacy', 'x:y'], 2, 'webhook set has no option --legacy'],
  [['health', '--url', 'nowhere'], 2, 'nowhere is not a URL such as http://127.0.0.1:4100.'],
  [['logs', '--url', 'ftp://127.0.0.1'], 2, 'ftp://127.0.0.1 is not a URL'],
  [['mcp', '--url', 'nowhere'], 2, 'nowhere is not a URL'],
  [['exec', '--on', 'nowhere', '--', 'true'], 2, '--on: nowhere is not a URL'],
  [['exec', '--on', 'http://127.0.0.1:9', '--', 'true'], 2, 'start, or correct --on.'],
  [['user', 'show', ''], 2, 'USER must not be empty.'],
  [['explain', 'nope'], 1, 'No call, webhook, event, action or transaction has the id nope.'],
  [['inbox', 'nobody@example.com', '--code'], 1, 'There is no user nobody@example.com.'],
  [['explain', ''], 2, 'ID must not be empty.'],
  [['rates', 'USDC'], 2, 'rates takes COIN=PRICE, not USDC.'],
  [['settings', 'quotes.tll'], 1, 'No setting matches quotes.tll; did you mean quotes.ttl?'],
  [['settings', 'quotes.ttl', '5m'], 1, 'To change it: settings quotes.ttl=5m.'],
  [['user', 'list', '--after', '99'], 1, 'Was the world reset? Start again without --after.'],
  [['rates', 'BTC=1'], 1, 'BTC is not known; use one of USDC, CADC.'],
  [['webhook', 'explain', 'package.json'], 1, 'package.json: name is not known; use one of id, '],
  [['reset', '--keep', 'clock', '--clock', 'frozen'], 1, 'be combined with --keep clock.'],
  [['fault', 'add', 'api', '--error-field', 'x'], 1, 'ramp-sandbox: --error-field needs --status.'],
  [['logs', '--last', 'x'], 2, '--last must be a whole number, 0 or more, not x.'],
  [['tx', 'list', '--status', 'foo'], 1, 'Nothing has had the status foo; the known ones are '],
  [['tx', 'list', '--email', 'nobody@example.com'], 1, 'There is no user nobody@example.com.'],
  [['events', '--status', 'foo'], 1, 'Nothing has had the status foo; the known ones are '],
  [['user', 'list', '--email', 'nobody@example.com'], 1, 'There is no user nobody@example.com.'],
  [['deliveries', '--ref', '00000000'], 1, 'There is no transaction or user 00000000.'],
  [['reset', '--fixture', 'casts'], 1, 'fixture of your own, give its path, such as ./mine.json.'],
  [['webhook', 'test', '--integrator', 'second'], 1, 'webhook set URL --integrator second to'],
])(
  'the commands of a running sandbox reject %j with exit code %i and a sentence',
  async (args, code, sentence) => {
    const ended = await control(...args)
    expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' })
    expect(ended.err).toContain(sentence)
    expect(ended.err).not.toMatch(/^\s+at /m)
  },
)

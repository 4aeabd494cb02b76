import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectSandbox } from '../../src/client/connect.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { endCommands, startCommand, startSandbox } from '../helpers/command.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'

const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
const EMAIL = 'alice@example.com'

const folder = createFolder()
const file = join(folder, 'session.jsonl')
let secrets: string[] = []

beforeAll(async () => {
  secrets = await recordBuy()
}, 60_000)
afterAll(() => {
  endCommands()
})

describe('a buy that was recorded through the command line', () => {
  it('has every call and webhook, and none of what was secret or personal', () => {
    const text = readFileSync(file, 'utf8')
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    // A line is written once its response is there, and `n` says when its call came.
    const calls = lines.filter(({ kind }) => kind === 'call').sort((a, b) => a.n - b.n)
    const operations = calls.map(({ operation }) => operation)
    expect(operations).toEqual([
      'sendLoginCode',
      'verifyLoginCode',
      'putWebhookConfiguration',
      'createQuote',
      'createTransaction',
      'getTransaction',
    ])
    expect(lines.filter(({ kind }) => kind === 'webhook')).toHaveLength(3)
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  it('replays the same in a sandbox of its own, and says so to CI', async () => {
    const junit = join(folder, 'junit.xml')
    const { code, out } = await runInProcess(['replay', file, '--junit', junit])
    expect(out).toMatch(/same +9\n +other status +0\n +other fields +0\n +cannot be compared +0/)
    expect(code).toBe(0)
    expect(readFileSync(junit, 'utf8')).toContain('tests="9" failures="0" errors="0"')
  })

  it('names the settings that concern what differs, and leaves out what is ignored', async () => {
    const other = ['--set', 'quotes.ttl=10m', '--set', 'transactions.cancelledStatus=canceled']
    const { code, out } = await runInProcess(['replay', file, ...other])
    expect(code).toBe(2)
    expect(out).toMatch(/createQuote \(call \d+\)\n +data\.expiresAt: recorded/)
    expect(out).toMatch(/createQuote: .*quotes\.ttl/)
    const ignored = ['--ignore', 'createQuote.data.expiresAt']
    expect((await runInProcess(['replay', file, ...other, ...ignored])).code).toBe(0)
  })

  it('fails where nothing can be compared, and where the file is none', async () => {
    const head = readFileSync(file, 'utf8').split('\n')[0]
    const empty = join(folder, 'empty.jsonl')
    writeFileSync(empty, `${head}\n`)
    const broken = join(folder, 'broken.jsonl')
    writeFileSync(broken, `${head}\n{"kind":"call"}\n`)
    const { code, out } = await runInProcess(['replay', empty, broken])
    expect(code).toBe(1)
    expect(out).toMatch(/Nothing in it can be compared/)
    expect(out).toMatch(/Line 2 is neither a call/)
  })

  it('replays in a world of a sandbox that runs, which is gone then', async () => {
    const controlToken = 'secret'
    const { ready } = await startSandbox(['--control-token', controlToken])
    const against = ['replay', file, '--against', ready.url]
    const { code, out } = await runInProcess([...against, '--control-token', controlToken])
    expect(out).toMatch(/same +9\n/)
    expect(code).toBe(0)
    const running = connectSandbox(ready.url, { controlToken })
    expect(await running.worlds.list()).toHaveLength(1)
    expect(await runInProcess(against)).toMatchObject({ code: 1 })
  })

  it('ends with 1, as nothing differs, where no sandbox responds', async () => {
    const args = ['replay', file, '--against', 'http://127.0.0.1:9']
    expect((await runInProcess(args)).code).toBe(1)
  })
})

it('leaves a recording alone where its place is not taken after all', async () => {
  const kept = join(folder, 'kept.jsonl')
  writeFileSync(kept, 'kept')
  const busy = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => busy.once('listening', resolve))
  const port = String((busy.address() as AddressInfo).port)
  const upstream = ['--upstream', 'http://127.0.0.1:9', '--port', '0']
  for (const options of [
    ['--har', join(folder, 'none.har')],
    [...upstream, '--webhooks', port],
  ]) {
    const args = ['record', '--out', kept, ...options]
    expect(await runInProcess(args), options.join(' ')).toMatchObject({ code: 2 })
    expect(readFileSync(kept, 'utf8'), options.join(' ')).toBe('kept')
  }
  busy.close()
})

/** Records a buy, and returns what must not be in the recording. */
async function recordBuy(): Promise<string[]> {
  await using sandbox = await createSandbox({
    fixture: 'verified-user',
    clock: '2026-07-01T12:00:00Z',
  })
  const proxy = startCommand([
    ...['record', '--upstream', sandbox.url, '--out', file],
    ...['--port', '0', '--webhooks', '0'],
  ])
  const [, url = ''] = await proxy.says(/Recording \S+ at (\S+)/)
  const [, hooks = ''] = await proxy.says(/Receiving webhooks at (\S+)/)
  const client = connectSandbox(url, { apiKey: sandbox.apiKey })
  const alice = await client.login(EMAIL)
  const { data: configured } = await alice.put('/v2/webhook-configurations', { url: `${hooks}/in` })
  const pair = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  const { quoteId } = (await alice.get('/v2/quotes', pair)).data
  await sandbox.clock.advance('1m')
  const order = { ...pair, wallet: WALLET, quoteId, externalSessionId: 'order-of-alice' }
  const { id } = (await alice.post('/v2/transactions', order)).data
  await sandbox.clock.advance('5m')
  await sandbox.simulate.fundsReceived(id)
  await sandbox.clock.advance('2m')
  await sandbox.simulate.settled(id)
  const { rmtId } = (await alice.get(`/v2/transactions/${id}`)).data
  proxy.process.kill('SIGINT')
  expect((await proxy.ended).code).toBe(0)
  const { signingSecret } = configured
  return [sandbox.apiKey, signingSecret, EMAIL, alice.token, WALLET, 'order-of-alice', id, rmtId]
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { bugs } from '../examples/receivers/bugs.mjs'
import { right } from '../examples/receivers/shop.mjs'
import { endCommands, startCommand, startProgram } from '../helpers/command.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { findFreePort } from '../webhooks/servers.ts'
import { openReceiver, PAYMENT, type Parts, toOptions } from './receiver.ts'

afterAll(endCommands)

const SERVE = join(import.meta.dirname, '../examples/receivers/serve.mjs')

/** The options for a receiver that the explorer starts and kills; bugs let it write 40 ms later. */
async function toRunOptions(folder: string, bug: string) {
  const port = await findFreePort()
  const run = `"${process.execPath}" "${SERVE}" ${port} "${join(folder, 'store.json')}" ${bug}`
  return [...toOptions(`http://127.0.0.1:${port}`, '200ms'), '--run', run, '--out', folder]
}

const SETTLEMENT = join(import.meta.dirname, 'settlement.mjs')

const ORDER = 'orders.4187851a-04a8-41ad-a5e3-c653acc88768'

/** Mistakes that a kill shows, each with the last disturbance that is tried, and what is held up to that one. */
const KILLED = [
  {
    bug: 'two-writes',
    max: 7,
    sentence:
      'When the receiver is killed while it handles `complete`, `wallet` ends as 0 instead of 708.98.',
    held: 'forged 3 of 3 · killed 0 of 1',
    runs: '9 of 15',
  },
  {
    bug: 'acknowledged-too-soon',
    max: 8,
    sentence: `When the receiver is killed right after its response to \`complete\`, \`${ORDER}\` ends as nothing instead of "complete" (and 1 more difference), until the receiver reconciles.`,
    held: 'forged 3 of 3 · killed 1 of 2',
    runs: '10 of 15',
  },
]

describe('ramp-sandbox explore --run', { timeout: 240_000 }, () => {
  it('kills a receiver that is right, and finds nothing', async () => {
    const options = await toRunOptions(createFolder(), '')
    const { code, out } = await runInProcess(['explore', SETTLEMENT, ...options])
    expect(out).toContain('killed 2 of 2 · small print 5 of 5')
    expect(out).toContain('15 runs, 0 findings\n')
    expect(code).toBe(0)
  })

  it.each(isFullDepth ? KILLED : KILLED.slice(0, 1))(
    'finds $bug, and writes a scenario that fails by itself',
    async ({ bug, max, sentence, held, runs }) => {
      const folder = createFolder()
      const options = await toRunOptions(folder, bug)
      const { code, out } = await runInProcess([
        'explore',
        SETTLEMENT,
        ...options,
        '--max',
        `${max}`,
      ])
      expect(out).toContain(`1. ${sentence}\n`)
      expect(out).toContain(`${held}\n`)
      expect(out).toContain(`${runs} runs, 1 finding\n`)
      expect(code).toBe(2)
      const file = join(folder, 'explore-1.js')
      const failed = await runInProcess(['play', file])
      expect(failed.out).toContain(sentence)
      expect(failed.out).toMatch(/\(explore-1\.js:\d+\)/)
      expect(failed.code).toBe(1)
      // Mended, the same scenario passes.
      const mended = join(folder, 'mended.js')
      writeFileSync(mended, readFileSync(file, 'utf8').replace(` ${bug}"`, '"'))
      expect((await runInProcess(['play', mended])).code).toBe(0)
    },
  )

  it('refuses a receiver that is only started anew, and keeps what it stored', async () => {
    const options = await toRunOptions(createFolder(), '')
    const withoutReset = options.filter((option) => !option.startsWith('--reset='))
    const { code, err } = await runInProcess(['explore', SETTLEMENT, ...withoutReset])
    expect(err).toContain('with --run alone, a receiver must keep nothing on disk')
    expect(code).toBe(1)
  })
})

/** A command that finds the world of its run in its environment. */
const SIMULATE = `import { once } from 'node:events'
import { request } from 'node:http'
const { RAMP_SANDBOX_CONTROL_URL } = process.env
const headers = { 'content-type': 'application/json' }
for (const what of ['funds-received', 'settled']) {
  const url = RAMP_SANDBOX_CONTROL_URL + process.argv[2] + '/' + what
  const [response] = await once(request(url, { method: 'POST', headers }).end(), 'response')
  if (response.statusCode !== 200) throw new Error(url + ' responded with ' + response.statusCode)
  response.resume()
}
`

describe('ramp-sandbox explore', () => {
  it('says once that two webhooks at the same time, in either order, are too many', async () => {
    let isBusy = false
    await using receiver = await openReceiver({
      ...right,
      async take(shop, ...webhook) {
        if (isBusy) return 401
        isBusy = true
        for (let times = 0; times < 10; times++) await shop.pause(1)
        return await right.take.call(this, shop, ...webhook).finally(() => {
          isBusy = false
        })
      },
    })
    const { origin } = new URL(receiver.options.webhookUrl)
    const folder = createFolder()
    const args = ['explore', PAYMENT, ...toOptions(origin), '--out', folder]
    const { out } = await runInProcess(args)
    expect(out.match(/`processing` and `complete` come at the same time/g)).toHaveLength(1)
  })

  it('plays commands from a snapshot on', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user' })
    const { transaction } = await sandbox.buy('alice@example.com', { cad: 100 })
    await sandbox.snapshots.take('before')
    // Nobody could pay in the world as it stands.
    await sandbox.simulate.expired(transaction.id)
    await using receiver = await openReceiver(bugs['no-deduplication'] as Parts)
    const { origin } = new URL(receiver.options.webhookUrl)
    const simulate = join(createFolder(), 'simulate.mjs')
    writeFileSync(simulate, SIMULATE)
    const step = `"${process.execPath}" "${simulate}" /simulate/transactions/${transaction.id}`
    const story = ['--url', sandbox.url, '--from', 'before', '--do', step]
    const args = ['explore', ...story, ...toOptions(origin), '--max', '1', '--json']
    const { code, out } = await runInProcess(args)
    expect(JSON.parse(out)).toMatchObject({ held: [{ name: 'orders', held: 2 }], runs: 3 })
    expect(code).toBe(0)
  })

  it('waits for a receiver that starts at the same time', async () => {
    const port = await findFreePort()
    const apiPort = await findFreePort()
    const options = [...toOptions(`http://127.0.0.1:${port}`), '--port', `${apiPort}`]
    const exploring = runInProcess(['explore', SETTLEMENT, ...options, '--max', '1'])
    const begins = () => fetch(`http://127.0.0.1:${apiPort}`).then(Boolean, () => false)
    await expect.poll(begins).toBe(true)
    startProgram([process.execPath, SERVE, `${port}`, join(createFolder(), 'store.json')])
    const { code, out } = await exploring
    expect(out).toContain(' runs, 0 findings\n')
    expect(code).toBe(0)
  })

  it('says what to do about a port that is taken', async () => {
    await using taken = await createReceiver()
    const { port } = new URL(taken.url)
    const args = [PAYMENT, ...toOptions('http://127.0.0.1:9'), '--port', port]
    const { code, err } = await runInProcess(['explore', ...args])
    expect(err).toContain(`port ${port}, which is taken: end what listens there, or choose another`)
    expect(code).toBe(1)
  })

  it('prints the same bytes each time', async () => {
    const folder = createFolder()
    await using receiver = await openReceiver(bugs['no-deduplication'] as Parts)
    const options = [...toOptions(receiver.url), '--out', folder, '--max', '1']
    const explore = async () => {
      const { out } = await runInProcess(['explore', SETTLEMENT, ...options])
      return { out, file: readFileSync(join(folder, 'explore-1.js'), 'utf8') }
    }
    const first = await explore()
    expect(first.out).toContain('1. When `complete` comes twice, `wallet` ends as 1417.96 instead')
    expect(await explore()).toEqual(first)
  })

  it('prints JSON for programs', async () => {
    const folder = createFolder()
    await using receiver = await openReceiver(bugs['no-deduplication'] as Parts)
    const more = ['--json', '--out', folder, '--max', '3']
    const { out } = await runInProcess(['explore', SETTLEMENT, ...toOptions(receiver.url), ...more])
    const { findings, held, runs, leftOut } = JSON.parse(out)
    expect(findings).toMatchObject([
      {
        sentence: 'When `complete` comes twice, `wallet` ends as 1417.96 instead of 708.98.',
        disturbances: [{ kind: 'doubled', at: 0, when: 'at once' }],
        responses: [204],
      },
    ])
    const kept = [
      { name: 'doubled', held: 0, of: 2 },
      { name: 'lost', held: 1, of: 1 },
    ]
    expect([held, runs, leftOut]).toEqual([kept, 5, 8])
  })

  it('ends with 1 where the state never changes', async () => {
    await using receiver = await openReceiver(right)
    const options = [...toOptions(receiver.url), '--state', 'echo {}']
    const { code, err } = await runInProcess(['explore', SETTLEMENT, ...options])
    expect([code, err]).toEqual([1, expect.stringContaining('The state is the same')])
  })

  const nobody = ['--state', 'true', '-w', 'localhost:9']
  const reset = ['--reset', 'true']
  it.each([
    [[], 'explore needs --state.'],
    [nobody, 'explore needs --reset'],
    [['--wibble'], 'no option --wibble'],
    [['no-such', ...nobody, ...reset], 'no scenario no-such'],
    [[join(SERVE, '../shop.mjs'), ...nobody, ...reset], 'and no default'],
    [['buy-completes', '--do', 'x', ...nobody, ...reset], 'not both'],
    [[PAYMENT, ...nobody, ...reset, '--state', 'exit 3', '-p', '0'], 'exit 3 ended with 3'],
  ])('ends %j with 1: %s', async (args, sentence) => {
    const ended = await runInProcess(['explore', ...args])
    expect(ended.err).toContain(sentence)
    expect(ended.code).toBe(1)
  })
})

it('ends with 1 when it is stopped, and says how much was left out', async () => {
  const parts: Parts = {
    ...right,
    async take(shop, headers, body) {
      // Each run begins with a reset; a second signal would end it at once.
      if (shop.resets === 5 && !running.process.killed) running.process.kill('SIGINT')
      return await right.take(shop, headers, body)
    },
  }
  await using receiver = await openReceiver(parts)
  const running = startCommand(['explore', PAYMENT, ...toOptions(receiver.url)])
  const { code, out, err } = await running.ended
  expect(out).toMatch(/^\d+ of 26 runs, 0 findings$/m)
  expect(err).toContain(', stopped')
  expect(code).toBe(1)
})

it('says that a receiver that takes nothing cannot be explored', async () => {
  await using receiver = await createReceiver({ respond: 401 })
  const args = [PAYMENT, ...toOptions(receiver.url), '--state', 'echo {}']
  const commands = ['--reset', 'true', '--reconcile', 'true']
  const { code, err } = await runInProcess(['explore', ...args, ...commands])
  expect([code, err]).toEqual([1, expect.stringContaining('responded with 401 to every webhook')])
})

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { right } from '../explore/shop.mjs'
import { endCommands, startCommand, startProgram } from '../helpers/command.ts'
import { respondEndlessly } from '../helpers/endless.ts'
import { createFolder } from '../helpers/folder.ts'
import { runAtOnce } from '../helpers/in-process.ts'
import { findFreePort } from '../helpers/sandbox.mjs'
import {
  openReceiver,
  PAYMENT,
  type Parts,
  paidTwice,
  SETTLEMENT,
  toOptions,
} from './shop-receiver.ts'

afterAll(endCommands)

const RECEIVER = join(import.meta.dirname, '../explore/receivers/receiver.mjs')

const SHOP = join(import.meta.dirname, '../explore/shop.mjs')

/** The options for a receiver that the explorer starts and kills. */
async function toRunOptions(mistake: string) {
  const port = await findFreePort()
  const words = [process.execPath, RECEIVER, port, join(createFolder(), 'store.json'), mistake]
  const run = words.map((word) => `'${word}'`).join(' ')
  return [...toOptions(`http://127.0.0.1:${port}`), '--run', run]
}

// A kill has its moment, so nothing else runs meanwhile.
describe('ramp-sandbox explore --run with a receiver that is killed', { timeout: 120_000 }, () => {
  it('explore --run finds what a kill right after the response shows', async () => {
    const options = await toRunOptions('responds-first')
    const { code, out } = await runAtOnce([
      'explore',
      SETTLEMENT,
      ...options,
      '--only',
      'right after',
    ])
    expect(out).toContain(
      '1. When the receiver is killed right after its response to `complete`, `orders.',
    )
    expect(out).toMatch(
      /\n {3}Run it again: ramp-sandbox explore .* '?--only=the receiver is killed /,
    )
    expect(code).toBe(2)
  })

  it('explore --run kills the receiver again if the first kill comes after the response', async () => {
    const folder = createFolder()
    const file = join(folder, 'receiver.mjs')
    const port = await findFreePort()
    writeFileSync(
      file,
      `import { existsSync, writeFileSync } from 'node:fs'
import { openShop, right, serveShop } from '${SHOP}'
const { env } = process
const shop = openShop('${join(folder, 'store.json')}', {
  url: env.RAMP_SANDBOX_URL,
  apiKey: env.RAMP_SANDBOX_API_KEY,
  signingSecret: env.RAMP_SANDBOX_SIGNING_SECRET,
})
let storing = Promise.resolve()
let isStoring = false
async function store(shop, id, payload) {
  const before = shop.read()
  const after = structuredClone(before)
  right.apply(after, payload)
  isStoring = true
  shop.write({ ...after, wallet: before.wallet })
  storing = shop.pause(200).then(() => shop.write(after))
  await storing
  isStoring = false
}
const server = serveShop(shop, { ...right, store })
const [serve] = server.listeners('request')
server.removeAllListeners('request').on('request', async (request, response) => {
  // Once, the state is read only when all is stored.
  if (request.url === '/state' && isStoring && !existsSync('${folder}/late')) {
    await storing
    writeFileSync('${folder}/late', '')
  }
  serve(request, response)
})
server.listen(${port}, '127.0.0.1')
`,
    )
    const run = ['--run', `'${process.execPath}' '${file}'`, '--only', 'while it stores']
    const options = [...toOptions(`http://127.0.0.1:${port}`), ...run]
    const { code, out } = await runAtOnce(['explore', SETTLEMENT, ...options])
    expect(out).toContain(
      '1. When the receiver is killed while it stores `complete`, `wallet` ends',
    )
    expect(code).toBe(2)
  })
})

describe.concurrent('ramp-sandbox explore --run', { timeout: 120_000 }, () => {
  it('explore --run without --reset refuses a receiver that keeps its data on disk', async () => {
    const options = (await toRunOptions('')).filter((option) => !option.startsWith('--reset='))
    const { code, out } = await runAtOnce(['explore', SETTLEMENT, ...options])
    expect(out).toContain('with --run alone, a receiver must keep nothing on disk')
    expect(code).toBe(1)
  })

  it('explore --run finds that a receiver exits when a webhook arrives twice, and continues with the others', async () => {
    const folder = createFolder()
    const file = join(folder, 'receiver.mjs')
    const port = await findFreePort()
    writeFileSync(
      file,
      `import { openShop, right, serveShop } from '${SHOP}'
const place = { signingSecret: process.env.RAMP_SANDBOX_SIGNING_SECRET }
async function store(shop, id, payload) {
  if (shop.read().events.includes(id)) process.exit(1)
  await right.store(shop, id, payload)
}
serveShop(openShop('${join(folder, 'store.json')}', place), { ...right, store }).listen(${port}, '127.0.0.1')
`,
    )
    const run = ['--run', `'${process.execPath}' '${file}'`, '--only', 'complete arrives']
    const options = [...toOptions(`http://127.0.0.1:${port}`), ...run]
    const { code, out } = await runAtOnce(['explore', SETTLEMENT, ...options])
    expect(out).toContain('1. When `complete` arrives twice, the receiver failed: ')
    expect(out).toContain('   Also when `complete` arrives again at the end.')
    expect(out).toContain('1 finding\n')
    expect(code).toBe(2)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'explore --run stops the receiver when it is itself stopped by %s',
    async (signal, code) => {
      const folder = createFolder()
      const file = join(folder, 'receiver.mjs')
      const port = await findFreePort()
      writeFileSync(
        file,
        `import { createServer } from 'node:http'
const server = createServer((request, response) => {
  if (request.url !== '/hooks') return response.end('{}')
  console.error('taken')
})
server.listen(${port}, '127.0.0.1')
`,
      )
      const options = [
        ...toOptions(`http://127.0.0.1:${port}`),
        '--run',
        `'${process.execPath}' '${file}'`,
      ]
      const exploring = startCommand(['explore', SETTLEMENT, ...options])
      await once(exploring.process.stderr as Readable, 'data')
      exploring.process.kill(signal)
      // It ends once the receiver, which prints to the same place, has ended.
      expect(await exploring.ended).toMatchObject({ code })
    },
  )
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

describe.concurrent('ramp-sandbox explore', () => {
  it('explore runs commands after restoring a snapshot', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user' })
    const { transaction } = await sandbox.buy('alice@example.com', { cad: 100 })
    await sandbox.snapshots.take('before')
    // Nobody could pay in the world as it stands.
    await sandbox.simulate.expired(transaction.id)
    await using receiver = await openReceiver(right)
    const simulate = join(createFolder(), 'simulate.mjs')
    writeFileSync(simulate, SIMULATE)
    const step = `'${process.execPath}' '${simulate}' /simulate/transactions/${transaction.id}`
    const story = ['--url', sandbox.url, '--from', 'before', '--do', step]
    const args = [
      'explore',
      ...story,
      ...toOptions(receiver.url),
      '--only',
      'arrives after',
      '--json',
    ]
    const { code, out } = await runAtOnce(args)
    expect(JSON.parse(out)).toMatchObject({
      title: '--do: 2 webhooks (`processing`, `complete`)',
      held: [{ kind: 'order', held: 1, of: 1 }],
      runs: 3,
      exitCode: 0,
    })
    expect(code).toBe(0)
  })

  it('explore prints for programs what it prints for people, with the command that runs a finding again', async () => {
    await using receiver = await openReceiver(paidTwice)
    const args = ['explore', SETTLEMENT, ...toOptions(receiver.url), '--only', 'Complete arrives']
    const { out } = await runAtOnce(args)
    expect(out).toContain(
      [
        'settlement: 1 webhook (`complete`)',
        '',
        '1. When `complete` arrives twice, `wallet` ends as 1417.96 instead of 708.98.',
        '   Also when `complete` arrives again at the end.',
        '   - wallet: 708.98',
        '   + wallet: 1417.96',
        '   Responses: `complete` 204, `complete` 204',
      ].join('\n'),
    )
    const again = [
      'explore',
      SETTLEMENT,
      ...toOptions(receiver.url),
      '--only',
      'complete arrives twice',
    ]
    const { code, out: json } = await runAtOnce([...again, '--json'])
    const { findings } = JSON.parse(json)
    expect(findings).toMatchObject([
      {
        id: 'complete arrives twice',
        sentence: 'When `complete` arrives twice, `wallet` ends as 1417.96 instead of 708.98.',
        also: [],
      },
    ])
    expect(findings[0].again).toMatch(
      /^ramp-sandbox explore \S+ .*'--only=complete arrives twice'$/,
    )
    expect(code).toBe(2)
  })

  it('explore hands the signing secret over before anything else', async () => {
    const sent: string[] = []
    await using taker = await createReceiver({
      respond({ body }) {
        sent.push(JSON.parse(body).signingSecret)
        return 204
      },
    })
    await using receiver = await openReceiver(right)
    const options = [...toOptions(receiver.url), '--secret', taker.url, '--only', 'arrives twice']
    const { code } = await runAtOnce(['explore', SETTLEMENT, ...options])
    expect(sent).toEqual([receiver.shop.place.signingSecret])
    expect(code).toBe(0)
  })

  it('explore waits for a receiver that starts at the same time', async () => {
    const [port, apiPort] = [await findFreePort(), await findFreePort()]
    const options = [...toOptions(`http://127.0.0.1:${port}`), '--port', `${apiPort}`]
    const exploring = runAtOnce(['explore', SETTLEMENT, ...options, '--only', 'arrives twice'])
    const begins = () => fetch(`http://127.0.0.1:${apiPort}`).then(Boolean, () => false)
    await expect.poll(begins).toBe(true)
    startProgram([process.execPath, RECEIVER, `${port}`, join(createFolder(), 'store.json')])
    const { code, out } = await exploring
    expect(out).toContain(' runs, 0 findings\n')
    expect(code).toBe(0)
  })

  const nobody = ['--state', 'true', '-w', 'localhost:9']
  const reset = ['--reset', 'true']
  it.each([
    [[], 'explore needs --state.'],
    [nobody, 'explore needs --reset'],
    [['--wibble'], 'no option --wibble'],
    [['no-such', ...nobody, ...reset], 'no scenario no-such'],
    [[SHOP, ...nobody, ...reset], 'Its default export is missing or empty'],
    [['buy-completes', '--do', 'x', ...nobody, ...reset], 'not both'],
    [
      [PAYMENT, ...nobody, ...reset, '--state', 'exit 3', '-p', '0'],
      'verdict: --state `exit 3` exited with 3',
    ],
    [[PAYMENT, ...nobody, ...reset, '--state', 'exit 3', '-p', '0'], '\n\nNo verdict: '],
    [[...nobody, ...reset, '--from', 'x', 'buy-completes'], '--from needs --url URL.'],
    [[...nobody, ...reset], 'explore needs a scenario or --do.'],
  ])('explore exits with 1 for %j: %s', async (args, sentence) => {
    const ended = await runAtOnce(['explore', ...args])
    // Once, also in a terminal that shows both streams.
    expect(`${ended.out}${ended.err}`.split(sentence)).toHaveLength(2)
    expect(ended.code).toBe(1)
  })

  it('explore exits with 1 if the response with the state never ends', async () => {
    await using receiver = await openReceiver(right)
    const endless = createServer(respondEndlessly).listen(0, '127.0.0.1')
    await once(endless, 'listening')
    const { port } = endless.address() as AddressInfo
    const state = ['--state', `http://127.0.0.1:${port}/`]
    const { code, out, err } = await runAtOnce([
      'explore',
      PAYMENT,
      ...toOptions(receiver.url),
      ...state,
    ])
    endless.close()
    expect(out + err).toContain(`http://127.0.0.1:${port}/: the response is longer than 16 MiB`)
    expect(code).toBe(1)
  })

  it('explore says what to do if a port is taken', async () => {
    await using taken = await createReceiver()
    const { port } = new URL(taken.url)
    const args = [PAYMENT, ...toOptions('http://127.0.0.1:9'), '--port', port]
    const { code, err } = await runAtOnce(['explore', ...args])
    expect(err).toContain(
      `port ${port}, which is in use: stop the program listening there, or choose another`,
    )
    expect(code).toBe(1)
  })

  it('explore exits with 1 when it is stopped, and says how much was left out', async () => {
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
    const { code, out } = await running.ended
    expect(out).toMatch(
      /^Stopped: \d+ variations? in \d+ runs, 0 findings, \d+ variations not run$/m,
    )
    expect(code).toBe(1)
  })
})

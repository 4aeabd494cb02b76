// Measures how much memory one of everything takes, for the table of docs/limits.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { callsOf, hangUp, repeat } from '../soak/calls.mjs'

const CLI = join(import.meta.dirname, '../../dist/cli.cjs')
const PROBE = join(import.meta.dirname, '../soak/heap.mjs')

const QUOTE = '/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'
const BUY = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

const receiver = createServer((asked, answer) => {
  asked.resume().on('end', () => answer.writeHead(204).end())
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')

const usersOf = (count) =>
  Array.from({ length: count }, (_, i) => ({ email: `u${i}@example.com`, status: 'verified' }))
const fixtureOf = (count, each) => ({
  users: usersOf(count),
  transactions: usersOf(count).flatMap(({ email }) =>
    Array.from({ length: each }, () => ({
      user: email,
      ...BUY,
      wallet: WALLET,
      status: 'complete',
      createdAt: '-3d',
    })),
  ),
})

/** What is made, how many of it, and what is there before. */
const ROWS = [
  {
    name: 'world, of the fixture `default`',
    count: 300,
    make: ({ url }, count) => repeat(count, (i) => callsOf(`${url}/w/w${i}`)('GET', QUOTE)),
  },
  {
    name: 'user, verified',
    count: 5_000,
    make: ({ call }, count) => load(call, fixtureOf(count, 0)),
  },
  {
    name: 'transaction, complete',
    count: 4_000,
    before: ({ call }) => load(call, fixtureOf(2_000, 0)),
    make: ({ call }) => load(call, fixtureOf(2_000, 2)),
  },
  {
    name: 'quote',
    count: 20_000,
    before: ({ call }) => repeat(1_500, () => call('GET', QUOTE)),
    make: ({ call }, count) => repeat(count, () => call('GET', QUOTE)),
  },
  {
    name: 'call in the request journal',
    count: 1_000,
    make: ({ call }, count) => repeat(count, () => call('GET', '/v2/webhook-configurations')),
  },
  {
    name: 'change of a user: events, message, delivery',
    count: 2_000,
    async before({ call }) {
      await load(call, fixtureOf(50, 0))
      const url = `http://127.0.0.1:${receiver.address().port}`
      await call('PUT', '/v2/webhook-configurations', { body: { url } })
    },
    async make({ call }, count) {
      await repeat(count, (i) => {
        const status = Math.floor(i / 50) % 2 === 0 ? 'in-review' : 'verified'
        const path = `/_sandbox/simulate/users/u${i % 50}@example.com/kyc`
        return call('POST', path, { body: { status, deliver: 'async' } })
      })
      await call('POST', '/_sandbox/webhooks/drain', { body: {} })
    },
  },
  {
    name: 'event stream, open',
    count: 500,
    make: ({ url }, count) => repeat(count, () => follow(`${url}/_sandbox/events/stream`)),
  },
]

const load = (call, fixture) => call('POST', '/_sandbox/reset', { body: { fixture } })

function follow(url) {
  return new Promise((resolve, reject) => {
    const asked = request(url, (answer) => {
      answer.on('error', () => {})
      answer.resume().once('data', resolve)
    })
    asked.on('error', reject)
    asked.end()
  })
}

const format = (bytes) =>
  bytes < 10_000 ? `${Math.round(bytes)} bytes` : `${Math.round(bytes / 1_000)} kB`

for (const row of ROWS) {
  const bytes = await measure(row)
  console.log(`${row.name}: ${format(bytes)}`)
}
receiver.close()
hangUp()

/** In a process of its own. */
async function measure({ count, before, make }) {
  const args = ['--expose-gc', '--import', PROBE, CLI, 'start', '--port', '0', '--json']
  const child = spawn(process.execPath, [...args, '--clock', 'frozen'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    const [line] = await once(child.stdout, 'data')
    const { url } = JSON.parse(line.toString())
    const sandbox = { url, call: callsOf(url) }
    await before?.(sandbox)
    await sandbox.call('GET', QUOTE)
    const heapBefore = await heapOf(child)
    await make(sandbox, count)
    return ((await heapOf(child)) - heapBefore) / count
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

async function heapOf(child) {
  child.send('measure')
  const [{ heap }] = await once(child, 'message')
  return heap
}

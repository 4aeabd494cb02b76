// What the sandbox does beside its calls: webhooks, time, resets, and worlds of many sizes.
import { statfsSync } from 'node:fs'
import { stopAll } from '../helpers/sandbox.mjs'
import { startHelper } from './processes.mjs'
import { toRequests } from './requests.mjs'
import { BUY, idOf, KEY, openSandbox, QUOTE_PATH, toFixture } from './sandbox.mjs'
import { assertSame, forEachBuild, takeTime, takeTurns, takeTurnsOfStarts } from './turns.mjs'

const TMPFS = 0x01021994

export function measureDeliveries({ builds, starts, nodeArgs }) {
  const count = 2_000
  return takeTurnsOfStarts(starts, async () => {
    // All due at one instant, so that nothing but the line decides when the next one leaves.
    const contents = { users: 1, buys: count, nodeArgs }
    const sides = await forEachBuild(builds, (build) => openSandbox(build, contents))
    const receiver = startHelper('load', 'load.mjs')
    const poster = startHelper('server', 'poster.mjs')
    const { port } = await receiver.ask('openReceiver')
    const url = `http://127.0.0.1:${port}/webhooks`
    for (const sandbox of Object.values(sides)) {
      await sandbox.call('PUT', '/v2/webhook-configurations', { body: { url } })
      await take(sandbox)
    }
    const sizes = {}
    const receive = async (sender, side) => {
      await receiver.ask('expectPosts', { pid: sender.pid, count })
      await sender.send()
      const { processorUs, bytes } = await receiver.ask('readPosts')
      sizes[side] = bytes
      return processorUs
    }
    const senders = {}
    for (const [name, sandbox] of Object.entries(sides)) {
      senders[name] = { pid: sandbox.pid, send: () => expireAll(sandbox, count) }
      await receive(senders[name], name)
    }
    // One as it went over the wire, for the bare loop to send again.
    const path = '/_sandbox/webhooks/deliveries?outcome=delivered'
    const { headers, body } = (await sides.now.call('GET', path)).deliveries.at(-1).request
    const order = { url, headers, body, count }
    senders.bare = { pid: poster.pid, send: () => poster.ask('post', order) }
    const figures = await takeTurns(senders, { rounds: 5, warmUps: 2 }, receive)
    assertSame(sizes.now, sizes.bare)
    return [{ name: 'webhook deliveries in order', unit: 'µs', aim: { share: 0.72 }, figures }]
  })
}

const take = (sandbox) => sandbox.call('POST', '/_sandbox/snapshots', { body: { name: 'taken' } })
const restore = (sandbox) => sandbox.call('POST', '/_sandbox/snapshots/taken/restore', { body: {} })

/** Goes back to what was taken, and lets all of it expire; how long that one call takes. */
async function expireAll(sandbox, count) {
  await restore(sandbox)
  return await takeTime(async () => {
    const advanced = await sandbox.call('POST', '/_sandbox/clock/advance', { body: { by: '1h' } })
    if (advanced.firedCount !== count) throw new Error(`${advanced.firedCount} tasks fired`)
  })
}

export async function measureExpiries({ builds, nodeArgs }) {
  const count = 1_000
  // Spread over a quarter of an hour, as pending ones are: not all of them at one instant.
  const createdAt = (i) => `-${(i * 7919) % 1000}s`
  const contents = { users: 400, buys: count, createdAt, nodeArgs }
  const sides = await forEachBuild(builds, (build) => openSandbox(build, contents))
  for (const sandbox of Object.values(sides)) await take(sandbox)
  const expire = (sandbox) => expireAll(sandbox, count)
  const figures = await takeTurns(sides, { rounds: 12, warmUps: 3 }, expire)
  const name = 'advance over 1,000 due expiries'
  return [{ name, unit: 'ms', aim: { most: 150 }, figures }]
}

export async function measureResets({ builds, nodeArgs }) {
  const measure = async (contents, prepare) => {
    const sides = await forEachBuild(builds, (build) => openSandbox(build, contents))
    const figures = await takeTurns(sides, { rounds: 10, warmUps: 2 }, async (sandbox) => {
      await prepare(sandbox)
      return takeTime(() => sandbox.call('POST', '/_sandbox/reset', { body: {} }))
    })
    await stopAll()
    return figures
  }
  return [
    {
      // What a suite does between two tests that left much behind.
      name: 'reset to the fixture, 10,000 transactions made since',
      unit: 'ms',
      aim: { most: 2 },
      figures: await measure({ users: 32, nodeArgs }, (sandbox) => sandbox.createMany(10_000)),
    },
    {
      name: 'reset to a fixture of 10,000 rows',
      unit: 'ms',
      aim: { most: 40 },
      figures: await measure({ users: 2_000, buys: 8_000, nodeArgs }, () => undefined),
    },
  ]
}

const GROWTH = [
  { kind: 'get', name: 'GET', count: 500 },
  { kind: 'list', name: 'list of 20', count: 500 },
  { kind: 'journal', name: 'GET /_sandbox/requests', count: 32, warmUp: 160 },
  { kind: 'post', name: 'POST', count: 200 },
]

/** The same calls in worlds of different sizes; each user has 20 transactions to begin with. */
export function measureGrowth({ builds, starts, nodeArgs }) {
  const [least, ...others] = [1_000, 10_000, 50_000]
  return takeTurnsOfStarts(starts, async () => {
    const load = startHelper('load', 'load.mjs')
    const sides = {}
    for (const size of [least, ...others]) {
      const server = await openSandbox(builds.now, { users: size / 20, buys: size, nodeArgs })
      const calls = { ...(await server.toCalls(50)), journal: [['GET', '/_sandbox/requests']] }
      sides[size] = { server, requests: toRequests(calls) }
      await take(server)
    }
    const rows = []
    for (const { kind, name, count, warmUp = 4_000 } of GROWTH) {
      const send = async ({ server, requests }, count) => {
        return (await load.ask('load', { server, requests: requests[kind], count })).processorUs
      }
      for (const side of Object.values(sides)) {
        await send(side, warmUp)
        await restore(side.server)
      }
      const figures = await takeTurns(sides, { rounds: 5 }, (side) => send(side, count))
      for (const size of others) {
        rows.push({
          name: `${name}, ${size.toLocaleString('en')} transactions beside 1,000`,
          unit: 'µs',
          aim: { times: 1.2 },
          figures: { now: figures[size], bare: figures[least] },
        })
      }
    }
    return rows
  })
}

export async function measureWorlds({ builds }) {
  const worlds = 200
  const buys = Array.from({ length: 10 }, (_, i) => ({ ...BUY, userId: idOf(i) }))
  const order = {
    fixture: toFixture({ users: buys.length }),
    key: KEY,
    quotePath: QUOTE_PATH,
    buys,
  }
  const sides = await forEachBuild(builds, async (build) => {
    const helper = startHelper('server', 'worlds.mjs')
    await helper.ask('open', { ...order, build })
    return helper
  })
  const ms = await takeTurns(sides, { rounds: worlds }, async ({ ask }) => (await ask('make')).ms)
  const kb = await takeTurns(
    sides,
    { rounds: 1 },
    async ({ ask }) => (await ask('grown')).kb / worlds,
  )
  return [
    { name: 'creation of a world', unit: 'ms', aim: { most: 1 }, figures: ms },
    { name: 'heap of a world with 10 transactions', unit: 'kB', aim: {}, figures: kb },
  ]
}

/** Each call writes its world before the response leaves. A buy is two rows: itself and its quote. */
export async function measureData({ builds, nodeArgs }) {
  const rows = []
  for (const size of [500, 5_000, 10_000]) {
    const users = size / 5
    const contents = { users, buys: (size - users) / 2, isKept: true, nodeArgs }
    const sides = await forEachBuild(builds, (build) => openSandbox(build, contents))
    const { folder } = sides.now
    if (statfsSync(folder).type === TMPFS)
      throw new Error(`${folder} is no disk; TMPDIR can name another place`)
    let i = 0
    const figures = await takeTurns(sides, { rounds: 20, warmUps: 3 }, (sandbox) => {
      const body = { email: `new-${i++}@example.com` }
      return takeTime(() => sandbox.call('POST', '/v2/users', { body }))
    })
    await stopAll()
    const name = `POST /v2/users with --data, ${size.toLocaleString('en')} rows`
    rows.push({ name, unit: 'ms', aim: {}, figures })
  }
  return rows
}

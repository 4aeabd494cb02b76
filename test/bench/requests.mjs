// The calls of the API, beside servers that do the same with less, or less of the same.
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { toDescription, toGet, toPut, toQuery, toTable } from './dynalite.mjs'
import { evaluateWith, startHelper } from './processes.mjs'
import { idOf, openSandbox, toRequest } from './sandbox.mjs'
import { assertSame, forEachBuild, takeTurns, takeTurnsOfStarts } from './turns.mjs'

export const DYNALITE = 'dynalite@4.0.0'
export const JSON_SERVER = 'json-server@0.17.4'
/** What part of the requests goes to those that take several times as long. */
const SLOWER = 0.2

const REQUESTS = [
  { kind: 'get', name: 'GET /v2/transactions/{id}', aim: { share: 0.7 } },
  { kind: 'list', name: 'GET /v2/transactions?limit=20', aim: { share: 0.6 } },
  { kind: 'post', name: 'POST /v2/transactions', aim: { share: 0.48 } },
  {
    kind: 'anonymous',
    name: 'POST /v2/transactions, no externalSessionId',
    aim: { share: 0.48 },
  },
]

export function measureRequests({ builds, starts, nodeArgs }) {
  const packages = { dynalite: findPackage(DYNALITE), jsonServer: findPackage(JSON_SERVER) }
  return takeTurnsOfStarts(starts, async () => {
    const load = startHelper('load', 'load.mjs')
    const sides = await openAll(builds, nodeArgs, packages)
    const rows = []
    for (const { kind, ...row } of REQUESTS) {
      const sizes = {}
      const send = async ({ server, requests, part = 1 }, side, whole) => {
        const order = { server, requests: requests[kind], count: whole * part }
        const { processorUs, bodyBytes } = await load.ask('load', order)
        sizes[side] = bodyBytes
        return processorUs
      }
      for (const [side, each] of Object.entries(sides)) await send(each, side, 6_000)
      assertSame(sizes.now, sizes.bare, sizes.validator)
      const figures = await takeTurns(sides, { rounds: 5 }, (each, side) => send(each, side, 1_000))
      rows.push({ ...row, unit: 'µs', figures })
    }
    return rows
  })
}

/** The sandboxes and their peers, each with the requests that do the same. */
async function openAll(builds, nodeArgs, packages) {
  const users = 160
  const sides = await forEachBuild(builds, async (build) => {
    const server = await openSandbox(build, { users, nodeArgs })
    await server.createMany(20 * users)
    const calls = await server.toCalls(users)
    return { server, calls, requests: toRequests(calls) }
  })
  const { server, calls, requests } = sides.now
  const responses = {}
  for (const [kind, [first]] of Object.entries(calls)) responses[kind] = await server.call(...first)
  const serve = async (file, order) => {
    const helper = startHelper('server', file)
    return { ...helper, ...(await helper.ask('serve', order)) }
  }
  const rows = responses.list.data.items.map((row) => ({ ...row, user: idOf(0) }))
  return {
    ...sides,
    bare: { server: await serve('hono.mjs', { responses, isValidator: false }), requests },
    validator: { server: await serve('hono.mjs', { responses, isValidator: true }), requests },
    dynalite: await openDynalite(serve, packages.dynalite, rows),
    jsonServer: await openJsonServer(serve, packages.jsonServer, rows),
  }
}

export function toRequests(calls) {
  return Object.fromEntries(
    Object.entries(calls).map(([kind, each]) => [kind, each.map((call) => toRequest(...call))]),
  )
}

async function openDynalite(serve, folder, rows) {
  const server = await serve('dynalite.mjs', { folder })
  const send = async ([method, path, { headers, body }]) => {
    const init = { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init)
    return await response.text()
  }
  await send(toTable())
  while (!(await send(toDescription())).includes('"ACTIVE"')) await wait(1)
  for (const row of rows) await send(toPut(row))
  const puts = Array.from({ length: 10_000 }, (_, i) => {
    return toPut({ ...rows[0], user: idOf(i % 160), id: `${rows[0].id}-${i}` })
  })
  const calls = { get: rows.map(toGet), list: [toQuery(rows[0], 20)], post: puts, anonymous: puts }
  return { server, requests: toRequests(calls), part: SLOWER }
}

async function openJsonServer(serve, folder, rows) {
  const server = await serve('json-server.mjs', { folder, rows })
  const { id: _, ...body } = rows[0]
  const post = [['POST', '/transactions', { body }]]
  const calls = {
    get: rows.map(({ id }) => ['GET', `/transactions/${id}`]),
    list: [['GET', `/transactions?user=${rows[0].user}&_limit=20`]],
    post,
    anonymous: post,
  }
  return { server, requests: toRequests(calls), part: SLOWER }
}

/** The folder from which a package of `npx` is found. */
function findPackage(name) {
  return dirname(evaluateWith(name, 'process.env.PATH.split(require("path").delimiter)[0]'))
}

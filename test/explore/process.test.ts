import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { openShop, right } from '../examples/receivers/shop.mjs'
import { endCommands, startCommand } from '../helpers/command.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { findFreePort } from '../webhooks/servers.ts'
import { toOptions } from './receiver.ts'
import settlement from './settlement.mjs'

afterAll(endCommands)

const SETTLEMENT = join(import.meta.dirname, 'settlement.mjs')
const RECEIVERS = join(import.meta.dirname, '../examples/receivers')

/** Writes a program that serves a shop; `parts` is what it does differently. */
function writeReceiver(folder: string, parts: string): string {
  const file = join(folder, 'receiver.mjs')
  const shop = pathToFileURL(join(RECEIVERS, 'shop.mjs')).href
  const source = `import { openShop, right, serveShop } from '${shop}'
const { env } = process
const place = {
  url: env.RAMP_SANDBOX_URL,
  apiKey: env.RAMP_SANDBOX_API_KEY,
  signingSecret: env.RAMP_SANDBOX_SIGNING_SECRET,
}
const parts = { ...right, ${parts} }
serveShop(openShop(process.argv[3], place), parts).listen(Number(process.argv[2]), '127.0.0.1')
`
  writeFileSync(file, source)
  return file
}

async function exploreProgram(folder: string, run: (port: number) => string) {
  const port = await findFreePort()
  const options = [...toOptions(`http://127.0.0.1:${port}`), '--run', run(port), '--out', folder]
  return await runInProcess(['explore', SETTLEMENT, ...options])
}

it('finds that a receiver ends when a webhook comes twice, and goes on with the others', async () => {
  const folder = createFolder()
  const ending = `async store(shop, id, payload) {
  if (shop.read().events.includes(id)) process.exit(1)
  await right.store(shop, id, payload)
}`
  const file = writeReceiver(folder, ending)
  const store = join(folder, 'store.json')
  const { code, out } = await exploreProgram(
    folder,
    (port) => `"${process.execPath}" "${file}" ${port} "${store}"`,
  )
  expect(out).toContain('1. When `complete` comes twice, the receiver fails: ')
  expect(out).toContain('   Also: `complete` comes again at the end.')
  expect(out).toContain('forged 3 of 3')
  expect(out).toContain('1 finding\n')
  expect(code).toBe(2)
})

it('explores a receiver that --run starts in the background', async () => {
  const folder = createFolder()
  const file = writeReceiver(folder, '')
  const starter = join(folder, 'starter.mjs')
  writeFileSync(
    starter,
    `import { spawn } from 'node:child_process'
import { connect } from 'node:net'
const [, , ...args] = process.argv
spawn(process.execPath, args, { stdio: 'ignore' }).unref()
const look = () => connect(Number(args[1]), '127.0.0.1').on('connect', end).on('error', again)
const again = () => setTimeout(look, 10)
const end = () => process.exit()
look()
`,
  )
  const store = join(folder, 'store.json')
  const { code, err, out } = await exploreProgram(
    folder,
    (port) => `"${process.execPath}" "${starter}" "${file}" ${port} "${store}"`,
  )
  expect(err).not.toContain('listens')
  expect(out).toContain('killed 2 of 2')
  expect(out).toContain('0 findings\n')
  expect(code).toBe(0)
})

// It waits five seconds for the receiver to end.
it.runIf(isFullDepth)(
  'ends with an error where what --run starts still listens after it was killed',
  async () => {
    const folder = createFolder()
    const file = writeReceiver(folder, '')
    const pidFile = join(folder, 'pid')
    const wrapper = join(folder, 'wrapper.mjs')
    writeFileSync(
      wrapper,
      `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const options = { detached: true, stdio: 'ignore' }
const { pid } = spawn(process.execPath, process.argv.slice(2), options)
writeFileSync(${JSON.stringify(pidFile)}, String(pid))
setInterval(() => {}, 1_000)
`,
    )
    const store = join(folder, 'store.json')
    try {
      const { code, err } = await exploreProgram(
        folder,
        (port) => `"${process.execPath}" "${wrapper}" "${file}" ${port} "${store}"`,
      )
      expect(err).toMatch(/still listens at 127\.0\.0\.1:\d+ after it was killed/)
      expect(code).toBe(1)
    } finally {
      process.kill(Number(readFileSync(pidFile, 'utf8')))
    }
  },
)

it('allows a receiver to close the connection of a forged webhook', async () => {
  const shop = openShop(undefined, { url: '', apiKey: '', signingSecret: '' })
  const server = createServer(async (request, response) => {
    const status = await right.take(shop, request.headers, await text(request))
    if (status === 401) request.socket.destroy()
    else response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using sandbox = await createSandbox({ listen: false })
  try {
    const { held } = await sandbox.explore(settlement, {
      webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
      reset: (place) => shop.reset(place),
      state: () => shop.state(),
      settleMs: 20,
    })
    expect(held).toContainEqual({ name: 'forged', held: 3, of: 3 })
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

it('says what came when a receiver in a process of its own no longer responds', async () => {
  const shop = openShop(undefined, { url: '', apiKey: '', signingSecret: '' })
  let isOver = false
  const state = () => {
    if (isOver) throw new Error('The receiver is gone.')
    return shop.state()
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    isOver = shop.read().events.includes(JSON.parse(body).id)
    response.writeHead(await right.take(shop, request.headers, body)).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using sandbox = await createSandbox({ listen: false })
  try {
    const exploring = sandbox.explore(settlement, {
      webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
      reset: (place) => shop.reset(place),
      state,
      settleMs: 20,
    })
    await expect(exploring).rejects.toThrow('When `complete` comes twice: The receiver is gone.')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

it('names that nobody killed the receiver while it handles a webhook, where it cannot reconcile', async () => {
  const folder = createFolder()
  const file = writeReceiver(folder, '')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const options = [...toOptions(url), '--max', '1', '--out', folder]
  const run = `"${process.execPath}" "${file}" ${port} "${join(folder, 'store.json')}"`
  const args = options.filter((option) => !option.startsWith('--reconcile'))
  const { out } = await runInProcess(['explore', SETTLEMENT, ...args, '--run', run])
  expect(out).toContain('a receiver that is killed while it handles a webhook (no --reconcile)')
})

it.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('ends the receiver with itself on %s', async (signal, code) => {
  const folder = createFolder()
  const parts = `async take() {
    console.error('taken')
    await new Promise(() => {})
  }`
  const file = writeReceiver(folder, parts)
  const port = await findFreePort()
  const run = `"${process.execPath}" "${file}" ${port} "${join(folder, 'store.json')}"`
  const options = [...toOptions(`http://127.0.0.1:${port}`), '--run', run, '--out', folder]
  const exploring = startCommand(['explore', SETTLEMENT, ...options])
  await once(exploring.process.stderr as Readable, 'data')
  exploring.process.kill(signal)
  // It ends once the receiver, which prints to the same place, has ended.
  expect(await exploring.ended).toMatchObject({ code })
})

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { type Live, openLive } from '../control/live.ts'
import { CLI, endCommands, runCommand } from '../helpers/command.ts'
import { runInProcess } from '../helpers/in-process.ts'

const TOKEN = 'control-secret'

let live: Live
let url: string
beforeAll(async () => {
  live = await openLive({ controlToken: TOKEN, fixture: 'default' })
  url = live.url
})
afterAll(async () => {
  endCommands()
  await live[Symbol.asyncDispose]()
})

const stdio = (args: string[], env: Record<string, string> = {}) =>
  new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...args], env })

const overHttp = () =>
  new StreamableHTTPClientTransport(new URL(`${url}/w/http/_sandbox/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
  })

// biome-ignore lint/suspicious/noExplicitAny: results of tools have shapes of their own
type Json = any

async function connect(transport: Transport) {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const call = async (name: string, input: object = {}): Promise<Json> => {
    const { content, isError } = (await client.callTool({
      name,
      arguments: { ...input },
    })) as Json
    expect(isError, content[0].text).toBe(false)
    return JSON.parse(content[0].text)
  }
  return { client, call, [Symbol.asyncDispose]: () => client.close() }
}

/** Buys with the tools alone, as an agent does. */
async function buy({ client, call }: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('buy')
  await using receiver = await createReceiver()
  await call('reset', { clock: '2026-07-01T12:00:00Z' })
  await call('webhook_set', { url: receiver.url })
  const { user } = await call('user_add', { email: 'alice@example.com', verified: true })
  const order = { user: user.email, cad: 250 }
  const { transaction } = await call('buy', order)
  const move = (outcome: string) => call(`tx_${outcome}`, { id: transaction.id })
  await move('funds_received')
  expect(await move('settled')).toMatchObject({
    to: 'complete',
    deliveries: [{ outcome: 'delivered' }],
  })
  const { events } = await call('events', { ref: transaction.id, status: 'complete' })
  expect(events).toHaveLength(1)
  expect(receiver.received).toHaveLength(4)
}

describe.concurrent('the official client', () => {
  it('the official client of MCP completes a buy over HTTP', async () => {
    await using connected = await connect(overHttp() as Transport)
    await buy(connected)
  })

  it('the official client of MCP completes a buy over stdio with its own sandbox, and stops a wait that is cancelled', async () => {
    await using connected = await connect(stdio([]))
    const { client, call } = connected
    await buy(connected)
    const controller = new AbortController()
    const input = { status: 'expired', timeout: '60s' }
    const waiting = client.callTool({ name: 'events', arguments: input }, undefined, {
      signal: controller.signal,
    })
    controller.abort()
    await expect(waiting).rejects.toThrow()
    expect(await call('info')).toMatchObject({ fixture: 'default' })
  })
})

it.each([
  [['--no-control'], /--no-control/],
  [['--url', 'http://127.0.0.1:1', '--fixture', 'cast'], /--fixture/],
])('ramp-sandbox mcp does not take %j', async (args, message) => {
  const { code, err } = await runInProcess(['mcp', ...args])
  expect([code, err]).toEqual([2, expect.stringMatching(message)])
})

it('ramp-sandbox mcp says at its start that no sandbox responds at --url', async () => {
  const { code, err } = await runCommand(['mcp', '--url', 'http://127.0.0.1:1'])
  expect(code).toBe(0)
  expect(err).toMatch(/^ramp-sandbox: No sandbox responds at http:\/\/127\.0\.0\.1:1\/.+/m)
})

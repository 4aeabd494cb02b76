import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openApp, type TestApp } from '../helpers/app.ts'
import { type RpcCaller, rpcOf } from './rpc.ts'

let app: TestApp
let rpc: RpcCaller
beforeEach(() => {
  app = openApp()
  rpc = rpcOf(app)
})
afterEach(() => app.close())

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' }

it.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-03-26', '2025-03-26'],
  ['1999-01-01', '2025-11-25'],
])(
  'POST /_sandbox/mcp, asked for protocol version %s, speaks %s',
  async (protocolVersion, spoken) => {
    const result = await rpc.ask('initialize', { protocolVersion, capabilities: {} })
    expect(result).toMatchObject({
      protocolVersion: spoken,
      capabilities: { tools: {} },
      serverInfo: { name: 'ramp-sandbox' },
    })
  },
)

it.each([
  [{ ...LIST, method: 'resources/list' }, -32601],
  [{ ...LIST, method: 'tools/call', params: { name: 'fly' } }, -32602],
  [{ jsonrpc: '2.0', id: 7 }, -32600],
])('POST /_sandbox/mcp responds to %j with error %i', async (message, code) => {
  const { status, body } = await rpc.send(message)
  expect([status, body.error.code]).toEqual([200, code])
})

it('POST /_sandbox/mcp says that a tool call must name a tool', async () => {
  const { body } = await rpc.send({ ...LIST, method: 'tools/call' })
  expect(body.error).toEqual({ code: -32602, message: 'params.name must be the name of a tool.' })
})

it.each([[[LIST]], [{ ...LIST, jsonrpc: '1.0' }], [{ ...LIST, params: 'x' }]])(
  'POST /_sandbox/mcp responds to %j with 400',
  async (message) => {
    expect((await rpc.send(message)).status).toBe(400)
  },
)

describe('behind a control token', () => {
  let guarded: TestApp
  const withToken = (token: string) => rpcOf(guarded, { authorization: `Bearer ${token}` })
  beforeEach(() => {
    guarded = openApp({ controlToken: 'secret', fixture: 'verified-user' })
  })
  afterEach(() => guarded.close())

  it('MCP behind a control token asks for the token, and its tools then reach every world', async () => {
    expect((await rpcOf(guarded).send(LIST)).status).toBe(401)
    expect((await withToken('wrong').send(LIST)).status).toBe(401)
    const rpc = withToken('secret')
    expect((await rpc.call('info')).world).toBe('default')
    expect((await rpc.call('user_add', { email: 'b@example.com', world: 'w2' })).user).toBeTruthy()
    const cookie = rpcOf(guarded, { cookie: 'ramp_sandbox_control=secret' })
    expect((await cookie.call('info')).world).toBe('default')
  })

  it('without a token, MCP at the URL of a private world reaches only that world', async () => {
    const { body: created } = await toJson(
      guarded.send('/_sandbox/worlds', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
        body: '{}',
      }),
    )
    const own = rpcOf(guarded.world(created.name))
    expect(await own.call('info')).toMatchObject({ world: created.name })
    expect(await own.call('info', { world: 'default' })).toMatch(/^control-token: /)
    expect(await own.call('info', { world: 'team-2' })).toMatch(/^control-token: /)
  })
})

async function toJson(response: ReturnType<TestApp['send']>) {
  const { status, text } = await response
  return { status, body: JSON.parse(text) }
}

const read = async (on: TestApp) => {
  const { status, headers, text } = await on.send('/llms.txt')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('text/plain')
  return text
}

it('GET /llms.txt says where everything is, and ten calls to begin with', async () => {
  const text = await read(app)
  for (const path of ['/openapi.json', '/_sandbox/openapi.json', '/_sandbox/reference']) {
    expect(text).toContain(`](${app.base}${path})`)
  }
  expect(text).toContain(`${app.base}/_sandbox/mcp`)
  const calls = text.match(/^- (GET|POST|PUT) \//gm)
  expect(calls).toHaveLength(10)
})

it('GET /llms.txt needs no token and shows none', async () => {
  const guarded = openApp({ controlToken: 'hush-hush' })
  const text = await read(guarded)
  expect(text).toContain('Authorization: Bearer <control token>')
  expect(text).not.toContain('hush-hush')
  await guarded.close()
})

it('GET /llms.txt leaves the control API out if that is off', async () => {
  const off = openApp({ control: false })
  expect(await read(off)).not.toContain('/_sandbox')
  await off.close()
})

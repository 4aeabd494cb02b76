import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TOOLS } from '../../src/mcp/tools.ts'
import { openApp, type TestApp } from '../helpers/app.ts'
import { type RpcCaller, rpcOf } from './rpc.ts'

const ALICE = 'alice@example.com'
/** A simple measure: most tokens of English and JSON are about four characters long. */
const CHARACTERS_PER_TOKEN = 4

// biome-ignore lint/suspicious/noExplicitAny: what a tool is described as
type Json = any

let app: TestApp
let rpc: RpcCaller
beforeEach(() => {
  app = openApp({ fixture: 'verified-user' })
  rpc = rpcOf(app)
})
afterEach(() => app.close())

const buy = (input = {}) => rpc.call('buy', { user: ALICE, cad: 250, ...input })

it('the list of tools takes less than 5,000 tokens of a context', async () => {
  const text = JSON.stringify(await rpc.ask('tools/list'))
  expect(text.length / CHARACTERS_PER_TOKEN).toBeLessThan(5_000)
})

it('the list of tools is what docs/agents.md says', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/agents.md'), 'utf8')
  const [, list = ''] = /^Tools: (.*)$/m.exec(text) ?? []
  const named = [...list.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name)
  expect(named.sort()).toEqual(TOOLS.map(({ name }) => name).sort())
})

it('the list of tools says what each does and takes, which only read and which destroy', async () => {
  const { tools } = await rpc.ask('tools/list')
  expect(tools.length).toBe(TOOLS.length)
  for (const { name, description, inputSchema, annotations } of tools) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(description, name).toMatch(/^[A-Z].*\.$/)
    expect(inputSchema, name).toMatchObject({ type: 'object' })
    expect(annotations.readOnlyHint ?? annotations.destructiveHint, name).toBeDefined()
  }
  const having = (hint: string) =>
    tools.filter((tool: Json) => tool.annotations[hint]).map(({ name }: Json) => name)
  expect(having('readOnlyHint')).toContain('events')
  expect(having('destructiveHint').sort()).toEqual(
    ['call_api', 'fault_clear', 'reset', 'snapshot_restore'].sort(),
  )
})

it('the tools create a verified user, who completes a buy', async () => {
  const { user, events } = await rpc.call('user_add', {
    email: 'bob@example.com',
    verified: true,
  })
  expect(user).toMatchObject({ email: 'bob@example.com', status: 'verified' })
  expect(events).toMatchObject([{ type: 'user.update', status: 'verified' }])
  const { transaction } = await buy({ user: user.id })
  const input = { id: transaction.id }
  expect(await rpc.call('tx_settled', input)).toMatch(
    /^illegal-transition: .* Possible next statuses: processing/,
  )
  expect(await rpc.call('tx_settled', { ...input, through: true })).toMatchObject({
    from: 'pending request money transfer',
    to: 'complete',
  })
})

it.each([
  ['buy', { user: ALICE, side: 'buy', cad: 250 }, /side is not an argument of this tool/],
  ['fault_add', { fault: { on: 'api', then: {} } }, /A fault on calls needs an effect/],
  ['clock_advance', { by: 'soon' }, /^invalid: by must be a length of time/],
  ['call_api', { method: 'GET', path: '/v2/users', body: {} }, /A GET takes no body/],
  ['call_api', { method: 'GET', path: '/v2/users', apiKey: 'é\n' }, /printable ASCII/],
  ['call_api', { method: 'GET', path: '/_sandbox/events/stream' }, /the tool events/],
  ['info', { world: '%' }, /^world-name: /],
])('the tool %s says what is wrong with %j', async (name, input, message) => {
  expect(await rpc.call(name, input)).toMatch(message)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
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

describe('the list of tools', () => {
  it('takes less than 5,000 tokens of a context', async () => {
    const text = JSON.stringify(await rpc.ask('tools/list'))
    expect(text.length / CHARACTERS_PER_TOKEN).toBeLessThan(5_000)
  })

  it('is what docs/agents.md says', () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/agents.md'), 'utf8')
    const [, list = ''] = /^Tools: (.*)$/m.exec(text) ?? []
    const named = [...list.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name)
    expect(named.sort()).toEqual(TOOLS.map(({ name }) => name).sort())
  })

  it('says of each what it does and takes, which only read and which destroy', async () => {
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
})

describe('a tool', () => {
  it('creates a verified user, who buys to the end', async () => {
    const { user, events } = await rpc.call('user_add', {
      email: 'bob@example.com',
      verified: true,
    })
    expect(user).toMatchObject({ email: 'bob@example.com', status: 'verified' })
    expect(events).toMatchObject([{ type: 'user.update', status: 'verified' }])
    const { transaction } = await buy({ user: user.id })
    const input = { id: transaction.id }
    expect(await rpc.call('tx_settled', input)).toMatch(
      /^illegal-transition: .* it can go to: processing/,
    )
    expect(await rpc.call('tx_settled', { ...input, through: true })).toMatchObject({
      from: 'pending request money transfer',
      to: 'complete',
    })
  })

  it('waits for an event that comes later, and says what came nearest where none does', async () => {
    const waiting = rpc.call('events', { status: 'expired', timeout: '5s' })
    const { transaction } = await buy()
    await rpc.call('tx_expired', { id: transaction.id })
    expect((await waiting).events).toMatchObject([{ ref: transaction.id, status: 'expired' }])
    const none = await rpc.call('events', { status: 'complete', timeout: '1ms' })
    expect(none).toMatchObject({
      matched: false,
      nearest: expect.stringContaining('none with this status'),
    })
  })

  it('lets a webhook fail, shows how, and sends it again', async () => {
    await using receiver = await createReceiver()
    const { signingSecret } = await rpc.call('webhook_set', { url: receiver.url })
    expect(signingSecret).toMatch(/^whsec_/)
    const fault = { on: 'webhook', match: { type: 'transaction.update' }, then: { drop: true } }
    expect(await rpc.call('fault_add', { fault })).toMatchObject({ on: 'webhook', times: 1 })
    const { transaction } = await buy()
    const { deliveries } = await rpc.call('deliveries', { ref: transaction.id })
    expect(deliveries).toMatchObject([{ outcome: 'suppressed', reason: expect.any(String) }])
    expect(await rpc.call('webhook_resend', { id: deliveries[0].id })).toMatchObject({
      outcome: 'delivered',
    })
    expect(receiver.received).toHaveLength(1)
  })

  it('resets one world and leaves the others alone', async () => {
    await rpc.call('user_add', { email: 'bob@example.com', world: 'w2' })
    expect(await rpc.call('reset', { fixture: 'default' })).toMatchObject({
      world: 'default',
      fixture: 'default',
    })
    expect((await rpc.call('info')).counts.users).toBe(0)
    expect((await rpc.call('info', { world: 'w2' })).counts.users).toBe(2)
    expect((await rpcOf(app.world('w2')).call('info')).world).toBe('w2')
    expect(await rpc.call('reset', { fixture: 'cats' })).toMatch(/mean cast\?/)
  })

  it.each([
    ['buy', { user: ALICE, side: 'buy', cad: 250 }, /side is not an argument of this tool/],
    ['fault_add', { fault: { on: 'api', then: {} } }, /A fault of calls needs an effect/],
    ['clock_advance', { by: 'soon' }, /^invalid: by must be a length of time/],
    ['call_api', { method: 'GET', path: '/v2/users', body: {} }, /A GET takes no body/],
    ['call_api', { method: 'GET', path: '/v2/users', apiKey: 'é\n' }, /printable ASCII/],
    ['call_api', { method: 'GET', path: '/_sandbox/events/stream' }, /the tool events/],
    ['info', { world: '%' }, /^world-name: /],
  ])('%s says what is wrong with %j', async (name, input, message) => {
    expect(await rpc.call(name, input)).toMatch(message)
  })
})

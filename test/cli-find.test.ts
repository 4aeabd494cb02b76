import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Sandbox } from '../src/client/client.ts'
import { connectSandbox } from '../src/client/connect.ts'
import { createReceiver, type Receiver } from '../src/client/receiver.ts'
import { CONTROL_OPERATIONS } from '../src/control-api/index.ts'
import type { DeliveryRecord } from '../src/control-api/wire.ts'
import { type Live, openLive } from './control/live.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

const ALICE = 'alice@example.com'
const folder = createFolder()
let live: Live
let sandbox: Sandbox
let receiver: Receiver

beforeAll(async () => {
  live = await openLive()
  sandbox = connectSandbox(live.url)
  receiver = await createReceiver({ respond: 204 })
})
afterEach(() => sandbox.reset())
afterAll(async () => {
  await receiver.close()
  await live[Symbol.asyncDispose]()
})

const run = (...args: string[]) => runInProcess(args, { RAMP_SANDBOX_URL: live.url })
const lines = (text: string) => text.trimEnd().split('\n')

async function buy(cad: number, more: object = {}): Promise<string> {
  return (await sandbox.buy(ALICE, { cad, ...more })).transaction.id
}

async function buyAndExpire(count: number): Promise<string[]> {
  const ids = []
  for (let cad = 101; ids.length < count; cad++) {
    const id = await buy(cad)
    await sandbox.simulate.expired(id)
    ids.push(id)
  }
  return ids
}

it('tx list prints the newest 20, and how many older ones there are', async () => {
  await sandbox.settings.set({ 'limits.cancelled': 100 })
  const ids = await buyAndExpire(21)
  const { out, err } = await run('tx', 'list')
  expect(lines(out)).toHaveLength(20)
  expect(out).not.toContain(ids[0])
  expect(err).toBe('and 1 older; --last 21 shows all of them\n')
  const all = await run('tx', 'list', '--last', '21')
  expect(lines(all.out)).toHaveLength(21)
  expect(all).toMatchObject({ out: expect.stringContaining(ids[0] ?? ''), err: '' })
  const [last = ''] = lines((await run('events', '--last', '1')).out)
  expect(last).toContain(`${ids.at(-1)}  expired`)
})

it('tx list finds transactions by the beginning of an id, an amount, a reference, a date and a status', async () => {
  const first = await buy(205.5, { externalSessionId: 'order-7' })
  await sandbox.clock.advance('59m')
  const second = await buy(100)
  await sandbox.simulate.settled(second, { through: true })
  const { createdAt } = await sandbox.transactions.get(second)
  const found = async (...filter: string[]) =>
    lines((await run('tx', 'list', ...filter)).out).map((line) => line.split(' ', 1).join())
  expect(await found('--id', first.slice(0, 3))).toEqual([first])
  expect(await found('--id', first.slice(1, 9))).toEqual([''])
  expect(await found('--amount', '205.50')).toEqual([first])
  expect(await found('--reference', 'order-7')).toEqual([first])
  expect(await found('--since', createdAt)).toEqual([second])
  expect(await found('--until', createdAt)).toEqual([first])
  expect(await found('--status', 'complete')).toEqual([second])
  expect(await found('--amount', '205.51')).toEqual([''])
})

it('a shortened id stands for the transaction that begins with it', async () => {
  const id = await buy(100)
  const { out } = await run('tx', id.slice(0, 8), 'funds-received')
  expect(out).toContain(`${id}  pending request money transfer → processing`)
  expect((await run('tx', `${id.slice(0, 8)}…`)).out).toContain(id)
  expect((await run('events', '--ref', id.slice(0, 8))).out).toContain(id)
})

it('a shortened id needs at least eight digits, and is refused if two ids begin with it', async () => {
  const [id, other] = [await buy(100), await buy(200)]
  expect((await run('tx', id.slice(0, 7))).err).toContain('There is no transaction')
  const twin = `${id.slice(0, 8)}${other.slice(8)}`
  const state = JSON.stringify(await sandbox.state.export()).replaceAll(other, twin)
  await sandbox.state.import(JSON.parse(state))
  const { code, err } = await run('tx', id.slice(0, 8))
  expect(code).toBe(1)
  expect(err).toContain(`The ids of 2 transactions begin with ${id.slice(0, 8)}`)
  expect((await run('tx', id.slice(0, 10))).out).toContain(id)
})

it('webhook resend needs either an id or --failed', async () => {
  for (const words of [[], ['dlv_1', '--failed']]) {
    const { code, err } = await run('webhook', 'resend', ...words)
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /needs ID: webhook resend ID, or webhook resend --failed|--failed takes no arguments; unexpected: dlv_1/,
      ),
    })
  }
})

it.each([
  ['an event', 204, ['test'], 0, ''],
  ['an event', 500, ['test'], 1, 'The receiver responded with 500'],
  ['a genuine webhook', 204, ['resend', 'dlv_1'], 0, ''],
  ['a genuine webhook', 500, ['resend', 'dlv_1'], 1, 'The receiver responded with 500'],
  ['a forged webhook', 401, ['resend', 'dlv_1', '--mutate', 'signature'], 0, ''],
  ['a forged webhook', 204, ['resend', 'dlv_1', '--mutate', 'signature'], 1, 'accepted'],
  ['a forged webhook', 500, ['resend', 'dlv_1', '--mutate', 'signature'], 1, 'does not show'],
])('webhook test and webhook resend judge the response to %s by its status: %i', async (...row) => {
  const [, status, words, code, problem] = row
  await sandbox.webhooks.set(receiver.url)
  await buy(100)
  receiver.respondWith(status)
  const ended = await run('webhook', ...words)
  expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(problem)])
  expect(ended.out).toContain(String(status))
})

it('a resend that cannot connect reports the broken connection, not the change to the webhook', async () => {
  await sandbox.webhooks.set(receiver.url)
  await buy(100)
  await sandbox.webhooks.set('http://127.0.0.1:9/hooks')
  const { code, out, err } = await run('webhook', 'resend', 'dlv_1', '--mutate', 'wording')
  expect({ code, out, err }).toEqual({
    code: 1,
    out: expect.stringContaining('/hooks: no response (repeat of dlv_1): connect ECONNREFUSED'),
    err: expect.stringMatching(/^ramp-sandbox: connect ECONNREFUSED 127\.0\.0\.1:9 \(http/),
  })
})

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
async function receive(): Promise<DeliveryRecord['request']> {
  await sandbox.webhooks.set(receiver.url)
  receiver.respondWith(204)
  await buy(100)
  const { request } = await sandbox.webhooks.delivery('dlv_1')
  return request
}

it('webhook explain recognises a changed body and the secret of another integrator, and exits with 1', async () => {
  const request = await receive()
  const body = JSON.stringify(JSON.parse(request.body), null, 2)
  const changed = file('changed', JSON.stringify({ ...request, body }))
  const { code, out } = await run('webhook', 'explain', changed)
  expect(code).toBe(1)
  expect(out).toContain('The body has the same values, but different bytes.')
  const other = await run('webhook', 'explain', 'dlv_1', '--secret', 'whsec_other')
  expect(other).toMatchObject({
    code: 1,
    out: expect.stringContaining('another secret'),
    err: 'ramp-sandbox: A receiver with this secret would reject this webhook.\n',
  })
})

it.each([
  [401, /^hint: .* `webhook explain ID --computed SIGNATURE` names the mistake\.$/m],
  [500, /^hint: The receiver failed; check its log\.$/m],
])(
  'webhook explain says why a webhook that is signed correctly was refused with %i',
  async (status, hint) => {
    await sandbox.webhooks.set(receiver.url)
    receiver.respondWith(status)
    await buy(100)
    const { code, out } = await run('webhook', 'explain', 'dlv_1')
    expect(code).toBe(0)
    expect(out).toContain(
      `The sandbox signed dlv_1 correctly.\nThe receiver responded with ${status}`,
    )
    expect(out).toMatch(hint)
    receiver.respondWith(204)
    await sandbox.webhooks.resend('dlv_1')
    const delivered = await run('webhook', 'explain', 'dlv_2')
    expect(delivered.out).toBe('The sandbox signed dlv_2 correctly.\n')
  },
)

it('webhook explain says why a webhook was not sent, with or without a secret', async () => {
  await buy(100)
  const sentence = 'dlv_1 was not sent: No webhook URL was configured for the integrator main.'
  for (const secret of [[], ['--secret', 'whsec_other']]) {
    const { code, err } = await run('webhook', 'explain', 'dlv_1', ...secret)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(sentence) })
  }
})

it.each([
  [['reset', '--clock', 'soon'], '--clock must be running, frozen, '],
  [['fault', 'add', 'webhook', '--drop', '--times', '0'], '--times must be at least 1, not 0.'],
  [['settings', 'status.created=299'], 'status.created must be 200 or 201, not 299.'],
])('the error of %j names the option and says what it takes', async (words, said) => {
  const { code, err } = await run(...words)
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`ramp-sandbox: ${said}`) })
})

it('the error for a login of an unverified user names the command that verifies the user', async () => {
  await sandbox.users.add('zoe@example.com')
  const { err } = await run('user', 'token', 'zoe@example.com')
  expect(lines(err)[1]).toBe('  Run ramp-sandbox user kyc zoe@example.com verified first.')
})

it('a command that is suggested for another world includes the URL of that world', async () => {
  const other = sandbox.world('other')
  onTestFinished(() => other.close())
  await other.users.add('zoe@example.com')
  const { err } = await run('user', 'token', 'zoe@example.com', '--url', other.url)
  expect(lines(err)[1]).toMatch(`verified first. Add --url ${other.url}.`)
  await other.webhooks.set('http://127.0.0.1:9/hooks')
  await other.buy(ALICE, { cad: 100 })
  const { out } = await run('explain', 'dlv_1', '--url', other.url)
  expect(out).toContain(`resend it: ramp-sandbox webhook resend dlv_1 --url ${other.url}\n`)
})

it('commands suggest others in the form in which they were started, so that they can be pasted', async () => {
  await sandbox.webhooks.set(receiver.url)
  receiver.respondWith(500)
  await buy(100)
  const explain = (env = {}) =>
    runInProcess(['explain', 'dlv_1'], { RAMP_SANDBOX_URL: live.url, ...env })
  expect((await explain()).out).toContain('resend it: ramp-sandbox webhook resend dlv_1\n')
  for (const name of ['npm_execpath', 'npm_lifecycle_event', 'npm_config_user_agent']) {
    const { out } = await explain({ [name]: 'npx' })
    expect(out).toContain('resend it: npx --no -- ramp-sandbox webhook resend dlv_1\n')
  }
  const { err } = await runInProcess(['wibble'], { npm_execpath: 'npx' })
  expect(err).toContain('\n  npx --no -- ramp-sandbox --help lists')
})

it('buy counts webhooks without a URL in one line', async () => {
  const { out } = await run('buy', ALICE, '100', '--settle')
  expect(lines(out)).toEqual([
    expect.stringMatching(/^\S+ {2}buy .* complete$/),
    '  3 webhooks were not sent: No webhook URL was configured for the integrator main.',
  ])
})

it('buy says which setting kept legacy webhooks back, even if the v2 ones were sent', async () => {
  await sandbox.webhooks.set(receiver.url)
  await sandbox.fetch('/webhooks', {
    method: 'PATCH',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ transactionCompleteEnabled: true }),
  })
  const { out } = await run('buy', ALICE, '100', '--settle')
  expect(out).not.toContain('No webhook URL')
  expect(lines(out).slice(-3)).toEqual([
    '  1 webhook was not sent: transactionInitiatedEnabled was false.',
    '  2 webhooks were not sent: transactionStatusUpdateEnabled was false.',
    '  1 webhook was not sent: transactionCompleteUrl was empty.',
  ])
})

it('explain without an id explains the latest refusal, whether of a call or of an action', async () => {
  await sandbox.fetch('/v2/users')
  expect((await run('explain')).out).toMatch(/^req_1 /)
  const [id] = await buyAndExpire(1)
  await run('tx', String(id), 'settled')
  const { code, out } = await run('explain')
  expect(code).toBe(0)
  expect(out).toMatch(/^act_\d+ .*settled.* {2}\(the last refused action\)\n.*expired/i)
  await sandbox.fetch('/v2/users')
  expect((await run('explain')).out).toMatch(/^req_2 /)
  expect((await run('webhook', 'test')).code).toBe(1)
  expect((await run('explain')).out).toMatch(
    /^act_\d+ .* testWebhook .*\(the last refused action\)/,
  )
})

it('health says that worlds which are kept in memory only have no storage', async () => {
  expect((await run('health')).out).toMatch(/^storage +none$/m)
})

it('user token prints only a token, which the API accepts', async () => {
  const { out } = await run('user', 'token', ALICE)
  const response = await sandbox.fetch('/v2/limits', {
    headers: { 'x-api-key': sandbox.apiKey, authorization: `Bearer ${out.trim()}` },
  })
  expect(response.status).toBe(200)
  const tokens = [await sandbox.users.token(ALICE), await sandbox.users.token({ id: ALICE })]
  expect(new Set([out.trim(), ...tokens]).size).toBe(3)
})

it('settings shows the defaults when no sandbox is running', async () => {
  const { code, out } = await runInProcess(['settings', 'quotes.ttl'], { RAMP_SANDBOX_URL: '' })
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^value +30m$/m) })
})

it('call reaches every operation of the control API, with its fields', async () => {
  const { out } = await runInProcess(['help', 'call'])
  for (const { as } of CONTROL_OPERATIONS) expect(out).toContain(`call ${as} `)
  for (const [words, sentence] of [
    [['scenarios.list'], /^name +title/],
    [['requests.list', 'refused=true'], /^$/],
    [['users.get', `user=${ALICE}`], /^email +alice@example\.com$/m],
    [['simulate.account', `user=${ALICE}`, 'loginCode=1234', 'autodeposit=false'], /1234/],
    [['simulate.account', `user=${ALICE}`, 'loginCode=none'], /^loginCode +none$/m],
    [['faults.add', 'on=api', 'then.status=503', 'match.method=GET'], /GET +responds with 503/],
    [['simulate.kyc', `user=${ALICE}`, 'status=rejected', 'reasons=a,b'], /→ rejected/],
    [['catches.respond', 'name=app', 'status=204'], /^status +204$/m],
  ] as const) {
    const { code, out, err } = await run('call', ...words)
    expect([code, err.replace('no requests\n', ''), out]).toEqual([
      0,
      '',
      expect.stringMatching(sentence),
    ])
  }
  expect((await sandbox.users.get(ALICE)).reasons).toEqual(['a', 'b'])
})

it('call sends the fields of a file', async () => {
  const state = join(folder, 'state.json')
  await sandbox.users.add('bob@example.com')
  writeFileSync(state, (await run('call', 'state.export', '--json')).out)
  await sandbox.reset()
  expect(await run('call', 'state.import', `@${state}`)).toMatchObject({ code: 0 })
  expect((await run('user', 'list')).out).toContain('bob@example.com')
})

it.each([
  [['rates.sett'], 2, 'call has no operation rates.sett; did you mean rates.set?'],
  [[], 2, 'call needs NAME.'],
  [['users.get', ALICE], 2, 'call users.get takes FIELD=VALUE, not alice@example.com.'],
  [['users.get', 'user=nobody@example.com'], 1, 'There is no user nobody@example.com'],
])('call refuses %j', async (words, status, sentence) => {
  const { code, err } = await run('call', ...words)
  expect({ code, err }).toEqual({ code: status, err: expect.stringContaining(sentence) })
})

it('buy --id prints the id of the transaction alone', async () => {
  const { out } = await run('buy', ALICE, '100', '--id')
  expect(out).toMatch(/^[0-9a-f-]{36}\n$/)
})

it('worlds lists worlds, and worlds end deletes one', async () => {
  await connectSandbox(`${live.url}/w/other`).info()
  expect((await run('worlds')).out).toMatch(/^name +baseUrl.*\n(.*\n)*other +http/)
  await run('worlds', 'end', 'other')
  expect((await run('worlds')).out).not.toContain('other')
})

it('the library accepts a record in place of its id', async () => {
  const { transaction } = await sandbox.buy(ALICE, { cad: 100 })
  expect((await sandbox.simulate.fundsReceived(transaction)).to).toMatch(/^processing/)
})

it('the library refuses a time limit among the conditions of a wait', async () => {
  const asked = { timeout: '1ms' } as object
  const wait = sandbox.events.next(asked)
  await expect(wait).rejects.toThrow('timeout belongs in the second argument')
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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

describe('tx list', () => {
  it('prints the newest 20, and how many older there are', async () => {
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

  it('finds by the beginning of an id, an amount, a reference, a date and a status', async () => {
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

  it('says which status is meant, unless somebody forced the one that was asked for', async () => {
    const asked = ['tx', 'list', '--status', 'completed']
    expect(await run(...asked)).toMatchObject({
      code: 1,
      err: expect.stringContaining('did you mean complete?'),
    })
    for (const word of ['pending', 'pendnig']) {
      const { err } = await run('events', '--status', word)
      expect(err).toContain('did you mean pending request money transfer?')
    }
    const id = await buy(100)
    await sandbox.control('POST', `/simulate/transactions/${id}/status`, {
      body: { status: 'completed' },
    })
    expect((await run(...asked)).out).toContain(id)
  })
})

describe('a shortened id', () => {
  it('stands for the transaction that begins with it', async () => {
    const id = await buy(100)
    const { out } = await run('tx', id.slice(0, 8), 'funds-received')
    expect(out).toContain(`${id}  pending request money transfer → processing`)
    expect((await run('tx', `${id.slice(0, 8)}…`)).out).toContain(id)
    expect((await run('events', '--ref', id.slice(0, 8))).out).toContain(id)
  })

  it('has eight digits at least, and is refused where two begin with it', async () => {
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
})

describe('lists about a user', () => {
  it('take the e-mail address for the user and the transactions of the user', async () => {
    await sandbox.users.add('bob@example.com', { verified: true })
    const id = await buy(100)
    const { out } = await run('events', '--ref', ALICE.toUpperCase())
    expect(out).toContain(id)
    expect(out).not.toContain('user.update')
    expect((await run('events', '--ref', 'bob@example.com')).out).toContain('user.update')
    const none = await run('events', '--ref', 'nobody@example.com', '--timeout', '1ms')
    expect(none.err).toContain('There is no user nobody@example.com.')
  })
})

describe('webhooks that failed', () => {
  it('are listed with user, amount and what the receiver answered', async () => {
    await sandbox.webhooks.set(receiver.url)
    receiver.respondWith({ status: 500, body: 'database is down\nat line 7' })
    await buy(205.5)
    const { out } = await run('deliveries', '--failed')
    expect(out).toMatch(
      /^dlv_1 {2}\S+Z {2}v2 {2}transaction\.update {2}pending request money transfer {2}\S+ {2}alice@example\.com {2}205\.5 CAD {2}→ .*: rejected 500 database is down$/m,
    )
    expect(out).not.toContain('line 7')
  })

  it('are sent again in their order, only those of a user if asked, until none is left', async () => {
    await sandbox.webhooks.set(receiver.url)
    receiver.respondWith(500)
    const id = await buy(100)
    await sandbox.simulate.fundsReceived(id)
    await sandbox.simulate.kyc(ALICE, 'in-review')
    const still = await run('webhook', 'resend', '--failed', '--ref', id.slice(0, 8))
    expect(still).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^2 sent again, 2 failed\n/),
    })
    receiver.respondWith(204)
    const some = await run('webhook', 'resend', '--failed', '--ref', id)
    expect(lines(some.out).map((line) => line.slice(-6))).toEqual(['failed', 'dlv_1.', 'dlv_2.'])
    const rest = await run('webhook', 'resend', '--failed')
    expect(rest).toMatchObject({ code: 0, out: expect.stringContaining('1 sent again, 0 failed') })
    expect((await run('webhook', 'resend', '--failed')).out).toBe('No webhook failed.\n')
    const nobody = await run('webhook', 'resend', '--failed', '--ref', 'nobody@example.com')
    expect([nobody.code, nobody.err]).toEqual([
      1,
      expect.stringContaining('No webhook about nobody@example.com is kept.'),
    ])
  })

  it('are named by an id or by --failed, not both and not neither', async () => {
    for (const words of [[], ['dlv_1', '--failed']]) {
      const { code, err } = await run('webhook', 'resend', ...words)
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          /needs ID: webhook resend ID, or webhook resend --failed|no option --failed/,
        ),
      })
    }
  })
})

describe('webhook test and webhook resend ID', () => {
  it.each([
    ['an event', 204, ['test'], 0, ''],
    ['an event', 500, ['test'], 1, 'The receiver responded with 500'],
    ['a genuine webhook', 204, ['resend', 'dlv_1'], 0, ''],
    ['a genuine webhook', 500, ['resend', 'dlv_1'], 1, 'The receiver responded with 500'],
    ['a forged webhook', 401, ['resend', 'dlv_1', '--mutate', 'signature'], 0, ''],
    ['a forged webhook', 204, ['resend', 'dlv_1', '--mutate', 'signature'], 1, 'accepted'],
    ['a forged webhook', 500, ['resend', 'dlv_1', '--mutate', 'signature'], 1, 'does not show'],
  ])('of %s that is answered with %i ends with what that is worth', async (...row) => {
    const [, status, words, code, problem] = row
    await sandbox.webhooks.set(receiver.url)
    await buy(100)
    receiver.respondWith(status)
    const ended = await run('webhook', ...words)
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(problem)])
    expect(ended.out).toContain(String(status))
  })
})

describe('what went wrong with a webhook', () => {
  it.each([
    ['a redirect', { status: 307, headers: { location: '/hooks/' } }, 1],
    ['a page', { headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' }, 0],
  ])('is one text in JSON and in every command, for %s', async (_, reply, code) => {
    await sandbox.webhooks.set(receiver.url)
    receiver.respondWith(reply)
    const tested = await run('webhook', 'test')
    const [{ id, problem }] = (await sandbox.webhooks.deliveries()) as [DeliveryRecord]
    const { message = '', hint = '' } = problem ?? {}
    expect(message).toMatch(/^The receiver responded with (307|200) /)
    expect(hint).toMatch(/set the webhook URL to http:.*\/hooks\/|The response is a web page/)
    expect(tested).toMatchObject({ code, out: expect.stringContaining(`hint: ${hint}`) })
    expect(tested.err).toContain(code === 0 ? '' : message)
    const explained = await run('explain', id)
    expect(explained.out).toContain(`\n${message}\n`)
    expect(explained.out).toContain(`hint: ${hint}`)
    expect((await run('logs')).out).toContain(`${message} ${hint}\n`)
    receiver.respondWith(204)
  })

  it('is what is wrong with the URL, where that has a space or é, or is http though that is refused', async () => {
    const set = await run('webhook', 'set', 'http://localhost:3000/my hooks')
    expect(set.err).toContain('must not have a space in it; write http://localhost:3000/my%20hooks')
    const typed = await run('listen', '--forward-to', 'localhost:3000/café')
    expect(typed.err).toContain('é in it; write http://localhost:3000/caf%C3%A9')
    await sandbox.settings.set({ 'webhooks.url': 'https-only' })
    const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
    const body = JSON.stringify({ url: receiver.url })
    await sandbox.fetch('/v2/webhook-configurations', { method: 'PUT', headers, body })
    const hint = '--set webhooks.url=loopback-http'
    expect((await run('explain')).out).toContain(hint)
    expect((await run('webhook', 'set', receiver.url)).err).toContain(hint)
  })
})

describe('explain', () => {
  it('without an id says which call it explains, and how many came after it', async () => {
    const headers = { 'x-api-key': sandbox.apiKey }
    const find = (query: string) => sandbox.fetch(`/v2/users${query}`, { headers })
    await find('')
    const first = await run('explain')
    expect(lines(first.out)[0]).toMatch(/^req_1 .*: 400 {2}\(the last refused call\)$/)
    await find(`?email=${ALICE}`)
    expect(lines((await run('explain')).out)[0]).toMatch(
      /\(the last refused call; 1 call since, up to req_2\)$/,
    )
    await find(`?email=${ALICE}`)
    expect(lines((await run('explain')).out)[0]).toMatch(/; 2 calls since, up to req_3\)$/)
    expect(lines((await run('explain', 'req_1')).out)[0]).toMatch(/: 400$/)
  })

  it('says of a webhook, an event and a transaction what happened to it', async () => {
    await sandbox.webhooks.set(receiver.url)
    receiver.respondWith({ status: 500, body: 'boom' })
    const id = await buy(100)
    receiver.respondWith(204)
    await sandbox.webhooks.resend('dlv_1')
    const [event] = await sandbox.events.list()
    const webhook = await run('explain', 'dlv_1')
    expect(webhook.out).toContain('This attempt failed, but another one succeeded.')
    expect(webhook.out).toMatch(/^\S+ {2}dlv_1 .*: rejected 500 boom$/m)
    expect(webhook.out).toMatch(/^also sent: dlv_2 .*delivered 204/m)
    expect(webhook.out).toMatch(/^caused by: act_\d+ simulateBuy$/m)
    expect((await run('explain', event?.id ?? '')).out).toMatch(/^webhook: dlv_1 /m)
    const transaction = await run('explain', id.slice(0, 8))
    expect(transaction.out).toMatch(/^Possible next statuses: .*It expires at \S+Z\.$/m)
    expect((await run('explain', 'act_1')).out).toContain('putWebhookSettings')
    expect((await run('explain', 'dlv_9')).err).toContain('There is no delivery dlv_9 yet.')
    expect((await run('explain', 'dlv_x')).err).toContain('There is no delivery dlv_x.')
  })

  it.each([
    ['a damaged one that was accepted', 200, 'Your receiver accepted a webhook with'],
    ['a damaged one that was rejected', 401, 'as it should'],
    ['a damaged one at which the receiver broke', 500, 'does not show that it checks it'],
    ['a damaged one that found no route', 404, 'does not show that it checks it'],
    ['a damaged one that met a limit of calls', 429, 'does not show that it checks it'],
  ])('says of %s what that means', async (_, status, verdict) => {
    await sandbox.webhooks.set(receiver.url)
    await buy(100)
    receiver.respondWith(status)
    await sandbox.webhooks.resend('dlv_1', { mutate: 'signature' })
    const { out } = await run('explain', 'dlv_2')
    expect(out).toContain(verdict)
    expect(out).not.toContain('fail')
  })

  it('says that a webhook is not there yet, or was never sent, and not that it did not fail', async () => {
    await buy(100)
    await sandbox.webhooks.set(receiver.url)
    await sandbox.faults.add({ on: 'webhook', then: { reorder: true } })
    await buy(100)
    for (const [id, verdict] of Object.entries({
      dlv_1: 'It was not sent.',
      dlv_2: 'It has not been delivered yet.',
    })) {
      const { out } = await run('explain', id)
      expect(out).toContain(verdict)
      expect(out).not.toContain('It did not fail')
    }
  })
})

describe('webhook explain', () => {
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

  it('takes JSON with the headers and the body, or the id of a delivery', async () => {
    const right = file('right', JSON.stringify(await receive()))
    for (const received of [right, 'dlv_1']) {
      const { code, out } = await run('webhook', 'explain', received)
      expect({ code, out }).toEqual({ code: 0, out: 'The signature is right.\nIt is dlv_1.\n' })
    }
  })

  it('names a changed body, and the secret of somebody else, and ends with 1', async () => {
    const request = await receive()
    const body = JSON.stringify(JSON.parse(request.body), null, 2)
    const changed = file('changed', JSON.stringify({ ...request, body }))
    const { code, out } = await run('webhook', 'explain', changed)
    expect(code).toBe(1)
    expect(out).toContain('The body has the same values in other bytes.')
    const other = await run('webhook', 'explain', 'dlv_1', '--secret', 'whsec_other')
    expect(other).toMatchObject({ code: 1, out: expect.stringContaining('another secret') })
  })

  it.each([
    ['', 2, 'is not JSON'],
    ['X-A: 1\n\nbody', 2, 'is not JSON'],
    ['[]', 2, 'must hold a JSON object'],
    ['{"headers": {}}', 1, 'body is required without id'],
  ])('says of a file with %j what is wrong', async (text, status, sentence) => {
    const { code, err } = await run('webhook', 'explain', file('none', text))
    expect({ code, err }).toEqual({ code: status, err: expect.stringContaining(sentence) })
  })
})

describe('user token', () => {
  it('prints a token that the API accepts, and nothing else', async () => {
    const { out } = await run('user', 'token', ALICE)
    const response = await sandbox.fetch('/v2/limits', {
      headers: { 'x-api-key': sandbox.apiKey, authorization: `Bearer ${out.trim()}` },
    })
    expect(response.status).toBe(200)
    const tokens = [await sandbox.users.token(ALICE), await sandbox.users.token({ id: ALICE })]
    expect(new Set([out.trim(), ...tokens]).size).toBe(3)
  })

  it('is not given to a user who could not log in', async () => {
    await sandbox.simulate.kyc(ALICE, 'rejected')
    const { code, err } = await run('user', 'token', ALICE)
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('not verified') })
  })
})

describe('rates', () => {
  it('shows what coins cost, and changes it', async () => {
    expect((await run('rates')).out).toBe('USDC    CADC\n1.4015  1\n')
    expect((await run('rates', 'USDC=1.38')).out).toBe('USDC  CADC\n1.38  1\n')
    expect((await sandbox.rates.get()).USDC.cad).toBe(1.38)
    for (const [word, sentence] of [
      ['USDC=cheap', 'cheap is not a number.'],
      ['DOGE=1', 'DOGE is not a field of this request'],
    ] as const) {
      const { code, err } = await run('rates', word)
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(sentence) })
    }
  })
})

describe('settings', () => {
  it('lists those with some words in their id or question, and one in full by its id', async () => {
    const { out } = await run('settings', 'quotes', 'gas')
    expect(lines(out).map((line) => line.split(' ', 1).join())).toEqual([
      'quotes.gas.ethereum',
      'quotes.gas.solana',
      'quotes.gas.other',
    ])
    expect((await run('settings', 'quotes.ttl')).out).toMatch(/^why +Not shown/m)
    expect(await run('settings', 'nope')).toEqual({ code: 0, out: '', err: 'no rows\n' })
  })

  it('print all of them, or the last ones that are asked for', async () => {
    const { items } = JSON.parse((await run('settings', '--json')).out)
    expect(items.length).toBeGreaterThan(20)
    const { out, err } = await run('settings')
    const ids = items.map(({ id }: { id: string }) => id)
    expect([out.match(/^[a-z]\S*(?= {2})/gm), err]).toEqual([ids, ''])
    expect((await run('settings', '--last', '1')).out).toMatch(new RegExp(`^${ids.at(-1)} .*\n$`))
  })

  it('changes settings, and lists those that differ from their default', async () => {
    await run('settings', 'quotes.ttl=5m', 'limits.active=9')
    const { out } = await run('settings', '--changed')
    expect(out).toMatch(/^quotes\.ttl +5m .*\nlimits\.active +9 .*\n$/)
    await run('settings', 'quotes.ttl=default')
    expect((await run('settings', '--changed')).out).toMatch(/^limits\.active +9 .*\n$/)
    const open = JSON.parse((await run('settings', '--open', '--json')).out).items
    expect(open.every(({ stated }: { stated: boolean }) => !stated)).toBe(true)
    expect(await run('settings', 'quotes.tll=5m')).toMatchObject({
      code: 1,
      err: expect.stringContaining('quotes.ttl'),
    })
  })

  it('shows the defaults where no sandbox runs', async () => {
    const { code, out } = await runInProcess(['settings', 'quotes.ttl'], { RAMP_SANDBOX_URL: '' })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^value +30m$/m) })
  })
})

describe('call', () => {
  it('reaches every operation of the control API, with its fields', async () => {
    const { out } = await runInProcess(['help', 'call'])
    for (const { as } of CONTROL_OPERATIONS) expect(out).toContain(`call ${as} `)
    for (const [words, sentence] of [
      [['scenarios.list'], /^name +title/],
      [['requests.list', 'refused=true'], /^$/],
      [['users.get', `user=${ALICE}`], /^email +alice@example\.com$/m],
      [['simulate.account', `user=${ALICE}`, 'loginCode=1234', 'autodeposit=false'], /1234/],
      [['simulate.account', `user=${ALICE}`, 'loginCode=none'], /^loginCode$/m],
      [['faults.add', 'on=api', 'then.status=503', 'match.method=GET'], /GET +responds 503/],
      [['simulate.kyc', `user=${ALICE}`, 'status=rejected', 'reasons=a,b'], /→ rejected/],
      [['catches.respond', 'name=app', 'status=204'], /^status +204$/m],
    ] as const) {
      const { code, out, err } = await run('call', ...words)
      expect([code, err.replace('no rows\n', ''), out]).toEqual([
        0,
        '',
        expect.stringMatching(sentence),
      ])
    }
    expect((await sandbox.users.get(ALICE)).reasons).toEqual(['a', 'b'])
  })

  it('sends the fields of a file', async () => {
    const state = join(folder, 'state.json')
    await sandbox.users.add('bob@example.com')
    writeFileSync(state, (await run('call', 'state.export', '--json')).out)
    await sandbox.reset()
    expect(await run('call', 'state.import', `@${state}`)).toMatchObject({ code: 0 })
    expect((await run('user', 'list')).out).toContain('bob@example.com')
  })

  it.each([
    [['rates.sett'], 2, 'call does not know rates.sett; did you mean rates.set?'],
    [[], 2, 'call needs NAME.'],
    [['users.get', ALICE], 2, 'call does not take alice@example.com'],
    [['users.get', 'user=nobody@example.com'], 1, 'There is no user nobody@example.com'],
  ])('refuses %j', async (words, status, sentence) => {
    const { code, err } = await run('call', ...words)
    expect({ code, err }).toEqual({ code: status, err: expect.stringContaining(sentence) })
  })
})

describe('the other small commands', () => {
  it('print the id of a buy alone', async () => {
    const { out } = await run('buy', ALICE, '100', '--id')
    expect(out).toMatch(/^[0-9a-f-]{36}\n$/)
  })

  it('list worlds and end one', async () => {
    await connectSandbox(`${live.url}/w/other`).info()
    expect((await run('worlds')).out).toMatch(/^name +baseUrl.*\n(.*\n)*other +http/)
    await run('worlds', 'end', 'other')
    expect((await run('worlds')).out).not.toContain('other')
  })

  it('show a record field by field, and a list of records as a table', async () => {
    expect((await run('user', 'show', ALICE)).out).toMatch(/^profile\n {2}firstName +Alice$/m)
    await run('fault', 'add', 'api', '--operation', 'createTransaction', '--status', '503')
    expect((await run('fault', 'list')).out).toMatch(
      /^id +for +effect.*\nfault_1 +createTransaction +responds 503 without running the call +1 /,
    )
  })
})

describe('the library', () => {
  it('takes a record where an id is meant', async () => {
    const { transaction } = await sandbox.buy(ALICE, { cad: 100 })
    expect((await sandbox.simulate.fundsReceived(transaction)).to).toMatch(/^processing/)
  })

  it('refuses a time limit among the conditions of a wait', async () => {
    const asked = { timeout: '1ms' } as object
    const wait = sandbox.events.next(asked)
    await expect(wait).rejects.toThrow('timeout belongs in the second argument')
  })
})

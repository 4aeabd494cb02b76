import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Sandbox } from '../../src/client/client.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { SandboxOptions } from '../../src/host/start-options.ts'
import { respondEndlessly } from '../helpers/endless.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { EMAIL, FakeProvider, KEY, SECRETS, TRANSACTION } from './fake-provider.ts'

const ALICE = 'alice@example.com'
const TOO_LONG = 'the response is longer than 16 MiB'

/** Compares a provider, with its key in the environment. */
async function compare(
  { url, key = 'sandbox-key', cwd }: { url: string; key?: string; cwd?: string },
  ...more: string[]
) {
  const args = ['compare', '--against', url, '--api-key', 'env:PROVIDER_KEY', ...more]
  return await runInProcess(args, { PROVIDER_KEY: key }, cwd)
}

const USER_X = ['--user', 'x', '--code-from', 'stdin']
const asUser = ({ url }: Pick<Sandbox, 'url'>) => [
  '--user',
  ALICE,
  '--code-from',
  `${url}/_sandbox/inbox?email={email}`,
]

async function openProvider(settings: SandboxOptions['settings'] = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ fixture: 'verified-user', settings })
  onTestFinished(() => sandbox.close())
  return sandbox
}

async function openServer(respond: RequestListener): Promise<string> {
  const server = createServer(respond)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const settingsIn = (out: string) =>
  [...new Set([...out.matchAll(/--set (\S+)/g)].map(([, set = '']) => set))].sort()

it('compare finds no difference with the key alone, and says what it did not look at', async () => {
  const provider = await openProvider()
  const { code, out } = await compare(provider)
  expect(out.trimEnd().split('\n')).toEqual([
    'Not compared without --user: the login, and what belongs to a user',
    `24 calls compared with ${provider.url}: 0 differences`,
  ])
  expect(code).toBe(0)
})

it('compare finds no difference for a user with orders and a webhook', async () => {
  const provider = await openProvider()
  await provider.buy(ALICE, { cad: 100 })
  await provider.sell(ALICE, { coins: 100, settle: true })
  await provider.fetch('/v2/webhook-configurations', {
    method: 'PUT',
    headers: { 'x-api-key': provider.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://wallet.example/hooks' }),
  })
  const { code, out } = await compare(provider, ...asUser(provider))
  expect(out).toBe(`43 calls compared with ${provider.url}: 0 differences\n`)
  expect(code).toBe(0)
})

it.each([
  { 'status.invalid-query': 422 },
  { 'status.no-webhook-configuration': 200 },
  { 'responses.fields': 'contract' },
  { 'auth.getRequirements': 'token' },
  { 'auth.getLimits': 'key-or-token' },
  { 'status.unknown-key': 403, 'status.unknown-path': 403, 'auth.v1PriceQuote': 'key' },
  { 'status.created': 201, 'status.too-many-decimals': 400, 'requirements.shape': 'array' },
  { 'auth.getTransaction': 'key-or-token', 'status.missing-token': 403 },
] as const)('compare proposes %j, after which no differences are left', async (settings) => {
  const provider = await openProvider(settings)
  const { code, out } = await compare(provider, ...asUser(provider))
  const sets = Object.entries(settings).map(([id, value]) => `${id}=${value}`)
  expect(settingsIn(out)).toEqual(sets.sort())
  expect(code).toBe(2)
  const given = sets.flatMap((set) => ['--set', set])
  const again = await compare(provider, ...asUser(provider), ...given)
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining(': 0 differences') })
})

it('compare finds no difference if both sides use their strictest settings', async () => {
  const provider = await openProvider({ preset: 'contract' })
  await provider.buy(ALICE, { cad: 100, settle: true })
  const { code, out } = await compare(provider, ...asUser(provider), '--contract-only')
  expect([code, out]).toEqual([0, expect.stringContaining(': 0 differences\n')])
})

it('compare takes the settings of the project’s file for its own side', async () => {
  const provider = await openProvider({ 'status.invalid-query': 422 })
  const cwd = createFolder(onTestFinished)
  const options = { set: { 'status.invalid-query': 422 }, fixture: 'cast', port: 4100 }
  writeFileSync(join(cwd, 'ramp-sandbox.json'), JSON.stringify(options))
  expect((await compare({ ...provider, url: provider.url, cwd })).code).toBe(0)
})

describe('compare with a different provider', () => {
  const withUser = ({ url }: FakeProvider) => ['--user', EMAIL, '--code-from', `${url}/inbox`]

  it('compare prints the shapes that differ and no values, changes nothing, and proposes settings', async () => {
    await using provider = await FakeProvider.open()
    const first = await compare({ url: provider.url, key: KEY }, ...withUser(provider))
    expect(first.code).toBe(2)
    const lines = first.out.split('\n')
    for (const line of [
      'GET /v2/quotes (and 4 other calls): body.data.quoteId is a string, not a number',
      'GET /v2/quotes with no amount (and 5 other calls): status is 422, not 400   --set status.invalid-query=422',
      'GET /v2/users/:userId/requirements (and 1 other call): body.data is a list, not an object   --set requirements.shape=array',
      'GET /priceQuote: body.city is a string, but missing from the sandbox',
      'GET /priceQuote with no key: status is 401, not 200   --set auth.v1PriceQuote=key',
      'GET /apiFindUser: status is 404, not 200',
    ]) {
      expect(lines).toContain(line)
    }
    for (const secret of [...SECRETS, 'EURC']) expect(first.out).not.toContain(secret)
    expect(provider.calls.filter((call) => !call.startsWith('GET '))).toEqual([
      'POST /v2/auth/login-codes',
      'POST /v2/auth/login-codes/verify',
    ])
    const given = settingsIn(first.out).flatMap((set) => ['--set', set])
    const { out } = await compare({ url: provider.url, key: KEY }, ...withUser(provider), ...given)
    expect(settingsIn(out)).toEqual([])
    expect(out.split('\n').length).toBeLessThan(lines.length)
  })

  it('compare says nothing about a field that only some transactions have, or that is null', async () => {
    const { wallet: _, ...rest } = TRANSACTION
    const transactions = [TRANSACTION, { ...rest, paymentId: null }]
    await using provider = await FakeProvider.open({ transactions })
    const { out } = await compare({ url: provider.url, key: KEY }, ...withUser(provider))
    expect(out).not.toMatch(/items\[\]\.(wallet|paymentId)/)
  })

  it('compare exits with 1 if nothing differs but not everything could be compared', async () => {
    const provider = await openProvider()
    await provider.control('POST', '/faults', {
      body: { on: 'api', match: { operation: 'getLimits' }, times: 9, then: { status: 503 } },
    })
    const { code, out } = await compare(provider, ...asUser(provider))
    expect(out).toContain('Not compared: GET /v2/limits with the key alone (it responded with 503)')
    expect(out).toContain(': 0 differences\n')
    expect(code).toBe(1)
  })

  it('compare --known reports only new differences, and those that are gone', async () => {
    const file = join(createFolder(onTestFinished), 'known.json')
    const before = await FakeProvider.open()
    const { code, out } = await compare({ url: before.url, key: KEY }, '--json')
    writeFileSync(file, out)
    expect([code, JSON.parse(out).exitCode]).toEqual([2, 2])
    expect(before.calls.every((call) => call.startsWith('GET '))).toBe(true)
    const again = await compare({ url: before.url, key: KEY }, '--known', file)
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringMatching(/: 0 differences, \d+ known/),
    })
    await before[Symbol.asyncDispose]()
    await using after = await FakeProvider.open({ invalid: 400, configuration: TEAPOT })
    const changed = await compare({ url: after.url, key: KEY }, '--known', file)
    expect(changed.code).toBe(2)
    expect(changed.out).toContain('GET /v2/webhook-configurations: status is 418, not 404')
    expect(changed.out).toContain('No longer a difference: GET /v2/quotes with no amount: status')
    expect(changed.out).toMatch(/: 1 difference, \d+ known\n/)
  })
})

const TEAPOT = { status: 418, body: { success: false, errors: [] } }

it('compare --code-from runs a command, which finds the address in its environment', async () => {
  const provider = await openProvider()
  const inbox = `${provider.url}/_sandbox/inbox?email=`
  const command = `node --input-type=module --eval "
      const { messages } = await (await fetch('${inbox}' + process.env.RAMP_SANDBOX_EMAIL)).json()
      console.log('the code is', messages.at(-1).code)"`
  const { code, out } = await compare(provider, '--user', ALICE, '--code-from', command)
  expect(out).toBe(`42 calls compared with ${provider.url}: 0 differences\n`)
  expect(code).toBe(0)
})

it.each([
  ['a command that prints no code', ALICE, 'echo none', 'no login code was found'],
  ['a command that fails', ALICE, 'exit 3', '--code-from `exit 3` exited with 3'],
  ['a page that is not there', ALICE, '{url}/nowhere', 'nowhere responded with 404'],
  ['a page that has no end', ALICE, '{endless}', TOO_LONG],
  ['an unknown user', 'nobody@example.com', 'echo 1234', 'nobody@example.com was not found'],
  ['a wrong code', ALICE, 'echo 0000', 'the login returned no token'],
  [
    'a wrong code after the exit',
    ALICE,
    '(sleep 0.1; echo 0000) 2>/dev/null &',
    'the login returned no token',
  ],
  [
    'a wrong code and a daemon',
    ALICE,
    'echo 0000; sleep 3 2>/dev/null &',
    'the login returned no token',
  ],
])(
  'compare --code-from says what was not compared with %s, and exits with 1',
  async (_, user, from, why) => {
    const provider = await openProvider()
    const endless = await openServer(respondEndlessly)
    const source = from.replace('{url}', provider.url).replace('{endless}', endless)
    const { code, out } = await compare(provider, '--user', user, '--code-from', source)
    expect(out).toMatch(/Not compared: calls (about the user|with a token) \(/)
    expect(out).toContain(`${why})\n`)
    expect(code).toBeGreaterThan(0)
  },
)

describe('compare that exits with 1', () => {
  it('compare exits with 1 if the provider accepts everything', async () => {
    const url = await openServer((_, response) => response.end('{"success":true,"data":{}}'))
    const { code, out } = await compare({ url })
    expect(out).toBe(
      `No verdict: ${url} accepts every call, even without a key, so no difference would mean anything.\n`,
    )
    expect(code).toBe(1)
  })

  it('compare exits with 1 for a user that is not an e-mail address, and makes no call', async () => {
    const { code, err } = await compare({ url: 'http://127.0.0.1:9' }, ...USER_X)
    expect(err).toBe('ramp-sandbox: --user must be an e-mail address, not x.\n')
    expect(code).toBe(1)
  })

  it('compare exits with 1 if nothing is listening, after a single attempt', async () => {
    const { code, out } = await compare({ url: 'http://127.0.0.1:9' })
    expect(out).toMatch(/^No verdict: http:\/\/127\.0\.0\.1:9 is not available: .+\.\n$/)
    expect(code).toBe(1)
  })

  it('compare exits with 1 if the provider is down', async () => {
    let calls = 0
    const url = await openServer((_, response) => {
      calls++
      response.writeHead(503).end()
    })
    const { code, out } = await compare({ url })
    expect(out).toBe(`No verdict: ${url} is not available: it responded with 503.\n`)
    expect([code, calls]).toEqual([1, 1])
  })

  it('compare exits with 1 if a response never ends', async () => {
    const url = await openServer(respondEndlessly)
    const { code, out } = await compare({ url })
    expect(out).toBe(`No verdict: ${url} is not available: ${TOO_LONG}.\n`)
    expect(code).toBe(1)
  })

  it('compare exits with 1 if every call is redirected', async () => {
    const url = await openServer((_, response) => {
      response.writeHead(301, { location: 'https://provider.example/' }).end()
    })
    const { code, out } = await compare({ url })
    expect([code, out]).toEqual([1, expect.stringContaining('check the key and the base URL')])
  })

  it('compare exits with 1 if the key is not accepted', async () => {
    const provider = await openProvider()
    const { code, out } = await compare({ url: provider.url, key: 'not-a-key' })
    expect(out).toContain('rejected every call, so nothing was compared')
    expect(code).toBe(1)
  })

  it.each([
    [[], 'compare needs --against URL.'],
    [['--against', 'https://name:secret@api.example.com'], '--against must be a base URL'],
    [['--against', 'http://127.0.0.1:9'], '--api-key must name an environment variable'],
    [
      ['--against', 'http://127.0.0.1:9', '--api-key', 'secret'],
      '--api-key must name an environment',
    ],
    [['--against', 'http://127.0.0.1:9', '--api-key', 'env:NOT_THERE'], 'NOT_THERE is not set'],
    [
      ['--against', 'http://127.0.0.1:9', '--api-key', 'env:PATH', '--user', ALICE],
      '--user needs --code-from',
    ],
    [
      ['--against', 'http://127.0.0.1:9', '--code-from', 'stdin'],
      '--code-from needs --user EMAIL.',
    ],
    [
      ['--against', 'http://127.0.0.1:9', '--api-key', 'env:PATH', '--known', 'package.json'],
      'must contain the output of compare --json',
    ],
    [
      ['--against', 'http://127.0.0.1:9', '--api-key', 'env:PATH', '--set', 'quotes.tll=1h'],
      'There is no setting quotes.tll',
    ],
  ])('compare exits with 1 if the command line is wrong: %j', async (args, why) => {
    const { code, err } = await runInProcess(['compare', ...args])
    expect(err).toContain(why)
    expect(code).toBe(1)
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Calibration } from '../../src/calibrate/calibrate.ts'
import { toSettingsFile } from '../../src/calibrate/findings.ts'
import { judge } from '../../src/calibrate/judge.ts'
import { createCodeSource } from '../../src/cli/login-codes.ts'
import type { Json } from '../../src/client/http.ts'
import type { FixtureDocument } from '../../src/fixture/format.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { parseSettings, type SettingId, toSettings } from '../../src/world/settings/index.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { measure, type SettingsFile } from './measure.ts'
import { createSecondProvider } from './providers/second.mjs'
import { calibrateSecond, FIXTURE, KEY, NOW, type SecondSandbox, USER } from './second-sandbox.ts'

type Misbehave = NonNullable<SecondSandbox['misbehave']>
type Change = (json: Json, response: Response) => Json

/** Changes the JSON of the responses to the calls that match. */
const change =
  (pattern: RegExp, by: Change): Misbehave =>
  (send) =>
  async (url, init) => {
    const response = await send(url, init)
    if (!pattern.test(`${init.method} ${new URL(url).pathname}`)) return response
    const text = await response.text()
    const json = text === '' ? undefined : by(JSON.parse(text), response)
    return new Response(json === undefined ? null : JSON.stringify(json), response)
  }

/** What is news to runs after a first one, each of a provider that misbehaves in its own way. */
async function newsAfter(before: SecondSandbox, ...afters: SecondSandbox[]): Promise<string[][]> {
  const first = await calibrateSecond(before)
  const file = {
    settings: toSettingsFile(first.findings),
    accepted: judge(first, {}).accepted,
  }
  return await Promise.all(afters.map((after) => newsSince(file, after)))
}

async function newsSince(file: SettingsFile, after: SecondSandbox): Promise<string[]> {
  const earlier = { settings: file.settings, others: file.accepted.settings }
  const settings = toSettings(parseSettings(file.settings))
  const second = await calibrateSecond({ ...after, options: { earlier, settings, tag: 'later' } })
  const { rows } = judge(second, { file })
  const news = rows.filter(({ isNew }) => isNew)
  return news.map(({ verdict, where, what }) => `${verdict}: ${where} ${what}`)
}

const findingOf = ({ findings }: Calibration, id: SettingId) =>
  findings.find(({ setting }) => setting === id)

describe('a difference that was accepted', () => {
  const PUT = /^PUT .*webhook-configurations$/
  /** The first of them is 201, and the others 200. */
  const createdOnce =
    (also: Change = (json) => json): Misbehave =>
    (send) => {
      let puts = 0
      return async (url, init) => {
        const response = await send(url, init)
        if (!PUT.test(`${init.method} ${new URL(url).pathname}`) || !response.ok) return response
        const status = puts++ === 0 ? 201 : 200
        const json: Json = await response.json()
        return Response.json(status === 201 ? also(json, response) : json, { status })
      }
    }

  it('hides nothing else in the same responses', async () => {
    const once = () => ({ level: 'write', receives: true, misbehave: createdOnce() }) as const
    const without = createdOnce((json) => {
      delete json.data?.updatedAt
      return json
    })
    const after = { level: 'write', receives: true, misbehave: without } as const
    expect(await newsAfter(once(), once(), after)).toEqual([
      [],
      ['cannot imitate: putWebhookConfiguration data.updatedAt'],
    ])
  })

  it('is news once it is gone', async () => {
    const misbehave = change(/^GET \/v2\/quotes$/, (json) => {
      if (json.data) delete json.data.breakdown.total
      return json
    })
    expect(await newsAfter({ misbehave }, { misbehave }, {})).toEqual([
      [],
      ['agrees: createQuote data.breakdown.total'],
    ])
  })

  it.runIf(isFullDepth)('is news once it is gone, a status as well', async () => {
    const otherStatus: Misbehave = (send) => async (url, init) => {
      const response = await send(url, init)
      const isUsers = new URL(url).pathname === '/v2/users' && response.status === 400
      return isUsers ? new Response(response.body, { status: 422 }) : response
    }
    expect(await newsAfter({ misbehave: otherStatus }, {})).toEqual([
      // By the same mistake in v1 and v2.
      ['agrees:  errors.v1', 'agrees:  status.invalid-query'],
    ])
  })

  it('is not said to be gone where the call that showed it failed', async () => {
    const misbehave = change(/^GET \/v2\/limits$/, (json) => ({ errors: json.errors }))
    const fails: Misbehave = (send) => async (url, init) =>
      url.endsWith('/limits') ? new Response('', { status: 500 }) : await send(url, init)
    expect(await newsAfter({ misbehave }, { misbehave: fails })).toEqual([[]])
  })
})

describe('evidence', () => {
  it('is the request and the response of one exchange', async () => {
    const provider = await createSecondProvider({ eventDelayMs: 0 })
    onTestFinished(() => provider.close())
    const { run } = await measure(provider, { level: 'write', receives: false })
    const creations = run.readings.filter(({ step }) => step === 'required')
    const sizes = creations.map(({ sent }) => Object.keys(sent.body ?? {}).length)
    // The first field that is missing is named, and sent by the next call.
    expect(sizes).toEqual([0, 1, 2, 3, 4, 5])
    const [call = 0] = findingOf(run, 'quotes.gas.ethereum')?.calls ?? []
    expect(run.readings[call - 1]?.sent.query).toMatchObject({ rightSideLabel: 'USDC-ETH' })
  })

  it('is no empty list of requirements', async () => {
    const settings = { 'requirements.shape': 'array' } as const
    const run = await calibrateSecond({ settings })
    const why = 'nothing is outstanding for the user'
    expect(findingOf(run, 'requirements.shape')).toMatchObject({ verdict: 'not known', why })
  })

  it.runIf(isFullDepth)(
    'is no page of a proxy, after which each call is made again, orders and creations too',
    async () => {
      let calls = 0
      const pages: Misbehave = (send) => async (url, init) => {
        const isPage = ++calls % 9 === 0
        const headers = { 'content-type': 'text/html' }
        return isPage ? new Response('<h1>Back soon</h1>', { headers }) : await send(url, init)
      }
      const run = await calibrateSecond({ level: 'money', misbehave: pages })
      expect([run.drift, run.findings.filter(({ isFailure }) => isFailure)]).toEqual([[], []])
      expect(findingOf(run, 'limits.minimum')).toMatchObject({ verdict: 'agrees' })
    },
  )

  it('is no response to a wrong key where no key is needed', async () => {
    const keyless: Misbehave = (send) => async (url, init) => {
      const isQuote = new URL(url).pathname === '/v2/quotes'
      const headers = { ...(init.headers as object), ...(isQuote && { 'x-api-key': KEY }) }
      return await send(url, { ...init, headers })
    }
    const settings = { 'status.unknown-key': 403 } as const
    const run = await calibrateSecond({ settings, misbehave: keyless })
    expect(findingOf(run, 'auth.createQuote')?.provider).toBe('none')
    expect(findingOf(run, 'status.unknown-key')?.provider).toBe(403)
  })
})

describe('the QA user', () => {
  const buy = (sandbox: Awaited<ReturnType<typeof createSandbox>>) =>
    sandbox.control<{ transaction: { id: string } }>('POST', `/simulate/users/${USER}/buy`, {
      body: { cad: 50 },
    })

  it('may have open transactions of others, which are named and are no difference', async () => {
    const settings = { 'limits.active': 4 } as const
    const sandbox = await createSandbox({ fixture: FIXTURE, settings, clock: NOW, listen: false })
    onTestFinished(() => sandbox.close())
    const [{ transaction }, other] = [await buy(sandbox), await buy(sandbox)]
    // As strange as the transaction of another system may be.
    const misbehave = change(/^GET \/v2\/transactions$/, (json) => {
      for (const item of json.data?.items ?? []) {
        if (item.id === transaction.id) Object.assign(item, { status: 'on hold', rmtId: undefined })
      }
      return json
    })
    const run = await calibrateSecond({ level: 'money', sandbox, misbehave })
    expect(run.drift).toEqual([])
    expect(run.notes).toEqual([expect.stringContaining(`${transaction.id} (on hold)`)])
    const open = await sandbox.transactions.list({ status: 'pending request money transfer' })
    const ids = [transaction.id, other.transaction.id]
    expect(open.map(({ id }) => id).sort()).toEqual(ids.sort())
  })

  it('is not measured further where the open ones of others leave no room, which is said', async () => {
    const sandbox = await createSandbox({ fixture: FIXTURE, clock: NOW, listen: false })
    onTestFinished(() => sandbox.close())
    for (let i = 0; i < 3; i++) await buy(sandbox)
    const run = await calibrateSecond({ level: 'money', sandbox })
    expect(run.drift).toEqual([])
    expect(findingOf(run, 'limits.minimum')).toMatchObject({
      verdict: 'not known',
      why: expect.stringContaining('3 open ones of others'),
    })
  })

  const fixture: FixtureDocument = {
    ...FIXTURE,
    integrators: [{ name: 'ours', apiKey: KEY, webhook: { url: 'https://ours.example.com/' } }],
  }

  it('has new users only once the webhook URL is another one, or the report says so', async () => {
    const settings = { 'users.create.event': 'sent' } as const
    const options = { fixture, settings, clock: NOW, listen: false }
    const changed = await createSandbox(options)
    const kept = await createSandbox({
      ...options,
      settings: { ...settings, 'webhooks.url': 'https-only' },
    })
    onTestFinished(async () => void (await Promise.all([changed.close(), kept.close()])))
    const run = await calibrateSecond({ level: 'write', sandbox: changed })
    expect(run.notes).toEqual([])
    const urls = (await changed.webhooks.deliveries()).map(({ url }) => url)
    expect(urls.length).toBeGreaterThan(0)
    expect(urls.filter((url) => url?.includes('ours.example.com'))).toEqual([])
    if (!isFullDepth) return
    const other = await calibrateSecond({ level: 'write', sandbox: kept })
    expect(other.notes).toEqual([expect.stringContaining('events about its users went to it')])
  })
})

describe('an inbox', () => {
  it('that never responds is given up', async () => {
    const server = createServer(() => undefined).listen(0)
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const { signal } = new AbortController()
    const bounds = { pageMaxMs: 20, waitMs: 60_000 }
    const source = createCodeSource(`http://127.0.0.1:${port}/?to={email}`, signal, bounds)
    const read = await source(USER)
    expect(await read()).toBeUndefined()
  }, 30_000)
})

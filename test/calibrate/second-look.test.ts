import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Calibration } from '../../src/calibrate/calibrate.ts'
import { toSettingsFile } from '../../src/calibrate/findings.ts'
import { judge } from '../../src/calibrate/judge.ts'
import type { Json } from '../../src/client/http.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import type { SettingId } from '../../src/world/settings/index.ts'
import { calibrateSecond, FIXTURE, KEY, NOW, type SecondSandbox } from './second-sandbox.ts'

type Misbehave = NonNullable<SecondSandbox['misbehave']>

const callOf = (url: string, { method }: RequestInit) => `${method} ${new URL(url).pathname}`
const findingOf = ({ findings }: Calibration, id: SettingId) =>
  findings.find(({ setting }) => setting === id)
const NOT_FOUND = {
  success: false,
  errors: [{ field: '', message: 'Not found.' }],
}
const notFound = () => Response.json(NOT_FOUND, { status: 404 })

/** Something else in place of the responses to the calls that match. */
const instead =
  (pattern: RegExp, respond: (real: Response) => Response | Promise<Response>): Misbehave =>
  (send) =>
  async (url, init) => {
    const real = await send(url, init)
    return pattern.test(callOf(url, init)) ? await respond(real) : real
  }

/** A provider that does not have the operations that match; every unknown path looks the same. */
const without = (pattern: RegExp) =>
  instead(new RegExp(`${pattern.source}|calibrate-unknown-path`), notFound)

describe('a webhook configuration', () => {
  const OURS = 'https://ours.example.com/hooks'
  const fixture = {
    ...FIXTURE,
    integrators: [{ name: 'ours', apiKey: KEY, webhook: { url: OURS } }],
  }
  const READ = 'GET /v2/webhook-configurations'

  it('is not changed where its own URL would not be accepted again', async () => {
    const own = { url: 'http://127.0.0.1:9/ours' }
    const integrators = [{ name: 'ours', apiKey: KEY, webhook: own }]
    const options = { fixture: { ...FIXTURE, integrators }, clock: NOW, listen: false }
    await using sandbox = await createSandbox(options)
    await sandbox.control('PATCH', '/settings', { body: { 'webhooks.url': 'https-only' } })
    const second = { sandbox, isCompared: false, level: 'write' } as const
    const accepts: Misbehave = (send) => async (url, init) => {
      const isOurs = String(init.body).includes('/ours')
      const isPut = init.method === 'PUT' && url.endsWith('webhook-configurations')
      return isPut && !isOurs ? Response.json({ success: true, data: own }) : await send(url, init)
    }
    const run = await calibrateSecond({ ...second, misbehave: accepts })
    expect(run.notPutBack).toEqual([])
    expect(findingOf(run, 'webhooks.url')?.why).toContain('does not accept the webhook URL')
  })

  const HIDDEN: [string, Misbehave][] = [
    [
      'some calls of which say that there is none',
      (send) => {
        let reads = 0
        return async (url, init) =>
          callOf(url, init) === READ && ++reads > 2 ? notFound() : await send(url, init)
      },
    ],
    ['which no operation reads', without(/^GET .*webhook-configurations$/)],
    [
      'which reading says nothing about, with an error',
      instead(/^GET .*webhook-configurations$/, () => Response.json(NOT_FOUND, { status: 400 })),
    ],
  ]

  it.each(HIDDEN)('is neither deleted nor changed %s', async (_, misbehave) => {
    const options = { fixture, clock: NOW, listen: false }
    await using sandbox = await createSandbox(options)
    const seen: string[] = []
    const count: Misbehave = (send) => async (url, init) => {
      seen.push(callOf(url, init))
      return await send(url, init)
    }
    const second = { sandbox, isCompared: false, level: 'write' } as const
    await calibrateSecond({ ...second, misbehave: (send) => misbehave(count(send)) })
    expect(seen.filter((call) => /^(PUT|DELETE) .*webhook-conf/.test(call))).toEqual([])
    const { data }: Json = await (
      await sandbox.fetch('/v2/webhook-configurations', { headers: { 'x-api-key': KEY } })
    ).json()
    expect(data.url).toBe(OURS)
  })
})

it('sends no test event for a webhook configuration that is not there', async () => {
  const none = instead(/^POST .*webhook-configurations\/test$/, () =>
    Response.json({ success: true, data: { eventId: 'a', deliveredStatusCode: 200 } }),
  )
  const run = await calibrateSecond({ level: 'write', isCompared: false, misbehave: none })
  expect(findingOf(run, 'status.no-webhook-to-test')?.verdict).toBe('not known')
})

describe('an error', () => {
  const wrongClaims = (run: Calibration, settings: readonly SettingId[]) =>
    settings.filter((setting) => findingOf(run, setting)?.verdict !== 'not known')
  const lookAt = async (misbehave: Misbehave, level: 'write' | 'money' = 'write') =>
    await calibrateSecond({ level, misbehave, isCompared: false })

  it('shows nothing of an operation that the provider does not have', async () => {
    const login = await lookAt(without(/login-codes/))
    const ofLogin = ['status.unknown-user', 'status.unverified-login', 'login.eligible'] as const
    expect(wrongClaims(login, ofLogin)).toEqual([])
    expect(findingOf(login, 'status.invalid-body')?.provider).toBe(400)
    const webhooks = await lookAt(without(/webhook-configurations/))
    const ofWebhooks = [
      'status.missing-key',
      'status.unknown-key',
      'status.invalid-url',
      'status.no-webhook-configuration',
      'status.no-webhook-to-test',
    ] as const
    expect(wrongClaims(webhooks, ofWebhooks)).toEqual([])
    expect(findingOf(webhooks, 'errors.v1')?.verdict).not.toBe('cannot imitate')
    const kyc = await lookAt(without(/kyc|requirements/))
    const ofKyc = [
      'auth.createKycLink',
      'auth.importKyc',
      'auth.getRequirements',
      'status.already-verified',
      'status.other-user',
      'status.user-not-found',
    ] as const
    expect(wrongClaims(kyc, ofKyc)).toEqual([])
  })

  it('shows nothing where every call of the operation gets it', async () => {
    const locked = { success: false, errors: [{ field: 'email', message: 'Locked.' }] }
    const run = await lookAt(
      instead(/^POST .*login-codes$/, () => Response.json(locked, { status: 403 })),
    )
    const ofLogin = ['status.unknown-user', 'status.unverified-login', 'login.eligible'] as const
    expect(wrongClaims(run, ofLogin)).toEqual([])
    expect(findingOf(run, 'status.invalid-body')?.provider).toBe(400)
    const asked = { success: false, errors: [{ field: 'page', message: 'Missing.' }] }
    const webhooks = await lookAt(
      instead(/^GET .*webhook-configurations$/, () => Response.json(asked, { status: 400 })),
    )
    expect(wrongClaims(webhooks, ['status.missing-key', 'status.unknown-key'])).toEqual([])
  })

  it('counts where the call without the mistake gets another one of the same status', async () => {
    const settings = { 'status.unknown-key': 400, 'status.no-webhook-configuration': 400 } as const
    const run = await calibrateSecond({ settings })
    expect(findingOf(run, 'status.unknown-key')?.provider).toBe(400)
    expect(run.drift).toEqual([])
  })

  it('shows nothing where other mistakes get the same one', async () => {
    const same = { success: false, errors: [{ field: '', message: 'Bad request.' }] }
    const run = await lookAt(
      instead(/^\w+ \/v2/, (real) => (real.ok ? real : Response.json(same, { status: 400 }))),
      'money',
    )
    const ofAll = ['auth.importKyc', 'auth.updateUser', 'transactions.required'] as const
    expect(wrongClaims(run, ofAll)).toEqual([])
  })

  it('shows nothing of an operation with another method, or elsewhere', async () => {
    const denied = { success: false, errors: [{ field: 'method', message: 'Not allowed.' }] }
    const hooks = await lookAt(
      instead(/^(PUT|POST|DELETE) .*webhook-conf/, () => Response.json(denied, { status: 405 })),
    )
    const ofHooks = ['status.invalid-url', 'status.no-webhook-to-test'] as const
    expect(wrongClaims(hooks, ofHooks)).toEqual([])
    expect(findingOf(hooks, 'status.no-webhook-configuration')?.provider).toBe(404)
    const moved = await lookAt(
      instead(
        /requirements$/,
        () => new Response(null, { status: 302, headers: { location: '/' } }),
      ),
    )
    expect(wrongClaims(moved, ['auth.getRequirements'])).toEqual([])
  })

  it('shows an operation where only an unknown path gets the same one without a key', async () => {
    const run = await calibrateSecond({
      ...{ level: 'write', isCompared: false },
      misbehave: instead(/./, (real) => (real.status === 404 ? notFound() : real)),
    })
    expect(findingOf(run, 'status.no-webhook-configuration')?.provider).toBe(404)
    expect(findingOf(run, 'webhooks.url')?.provider).toBe('loopback-http')
  })

  it('of an amount shows no limit where amounts get different errors', async () => {
    let orders = 0
    const spent = { success: false, errors: [{ field: 'quoteId', message: 'Used.' }] }
    const misbehave = instead(/^POST \/v2\/transactions$/, (real) =>
      real.ok && ++orders === 1 ? Response.json(spent, { status: 409 }) : real,
    )
    const run = await lookAt(misbehave, 'money')
    expect(wrongClaims(run, ['status.limit-minimum', 'limits.minimum'])).toEqual([])
  })

  it('in a success of v1 is no success', async () => {
    const missing = { message: 'An API key is required.', status: 'error' }
    const misbehave: Misbehave = (send) => async (url, init) => {
      const isOpen =
        callOf(url, init) === 'GET /priceQuote' && !new Headers(init.headers).has('x-api-key')
      return isOpen ? Response.json(missing) : await send(url, init)
    }
    const run = await calibrateSecond({ misbehave })
    expect(wrongClaims(run, ['auth.v1PriceQuote'])).toEqual([])
    expect(judge(run, {}).outcome).toBe('differs')
  })
})

describe('a response', () => {
  const newsOf = async (misbehave: Misbehave) => {
    const run = await calibrateSecond({ level: 'money', misbehave })
    const { rows, outcome } = judge(run, {})
    const news = rows.filter(({ isNew }) => isNew).map(({ where, what }) => `${where} ${what}`)
    return { run, news, outcome }
  }

  it('is a difference where it is 200 with an error', async () => {
    const { news, outcome } = await newsOf(
      instead(/^GET \/v2\/quotes$/, (real) => new Response(real.body, { ...real, status: 200 })),
    )
    expect(news).toContain('createQuote status of invalid-query')
    expect(outcome).toBe('differs')
  })

  it('is a difference where it is a success without a body', async () => {
    const { news, outcome } = await newsOf(
      instead(/^GET \/v2\/limits$/, (real) =>
        real.ok ? new Response('', { headers: { 'content-type': 'application/json' } }) : real,
      ),
    )
    expect(news).toContain('getLimits body')
    expect(outcome).toBe('differs')
  })

  it('is a difference where an error says that it is a success', async () => {
    const { news } = await newsOf(
      instead(/^GET \/v2\/quotes$/, async (real) =>
        real.ok ? real : Response.json({ ...((await real.json()) as object), success: true }, real),
      ),
    )
    expect(news).toEqual(['createQuote success'])
  })

  it('is one difference where no error names a field', async () => {
    const { run, news } = await newsOf(
      instead(/^\w+ \/v2\//, async (real) => {
        if (real.ok) return real
        const { errors = [], ...json }: Json = await real.json()
        const bare = errors.map(({ message }: Json) => ({ message }))
        return Response.json({ ...json, errors: bare }, real)
      }),
    )
    expect(run.findings.filter(({ verdict }) => verdict === 'set')).toEqual([])
    expect(news).toEqual([expect.stringMatching(/^createQuote, .* more errors\.field$/)])
    expect(JSON.stringify([run.findings, run.drift])).not.toContain('undefined')
  })

  it('is a difference where a field is null that is never null in the contract', async () => {
    const nulls = (pattern: RegExp, fields: readonly string[]) =>
      instead(pattern, async (real) => {
        const { data, ...json }: Json = await real.json()
        for (const field of fields) if (data?.[field] !== undefined) data[field] = null
        return Response.json({ ...json, data }, real)
      })
    const quote = await newsOf(nulls(/^GET \/v2\/quotes$/, ['expiresAt', 'rate']))
    expect(quote.news).toEqual(['createQuote data.rate', 'createQuote data.expiresAt'])
    const order = await newsOf(nulls(/^POST \/v2\/transactions$/, ['paymentId']))
    expect(order.news).toEqual([])
  })

  it('is no difference where it may be of credentials that only a login shows', async () => {
    const settings = { 'auth.getRequirements': 'token', 'auth.getLimits': 'key' } as const
    const run = await calibrateSecond({ settings })
    expect(run.drift).toEqual([])
    expect(findingOf(run, 'auth.getRequirements')?.verdict).toBe('not known')
    expect(judge(run, {}).outcome).toBe('confirmed')
    const closed = instead(/^GET \/v2\/(quotes|limits)$/, () =>
      Response.json(NOT_FOUND, { status: 401 }),
    )
    const { drift } = await calibrateSecond({ misbehave: closed })
    expect(drift.flatMap(({ operations }) => operations)).toContain('createQuote')
  })

  it('without a transaction shows nothing of one', async () => {
    const misbehave = instead(/^POST \/v2\/transactions$/, (real) =>
      real.ok ? Response.json({ success: true, data: { accepted: true } }) : real,
    )
    const run = await calibrateSecond({ level: 'money', isCompared: false, misbehave })
    expect(findingOf(run, 'transactions.depositAddress')?.verdict).toBe('not known')
    expect(run.leftBehind.transactions).not.toContain('undefined')
  })

  it('may have a success status that no option is', async () => {
    const { news, outcome, run } = await newsOf(
      instead(/^PUT \/v2\/transactions\/.+\/cancel$/, (real) =>
        real.ok ? new Response(null, { status: 204 }) : real,
      ),
    )
    const finding = findingOf(run, 'status.cancelTransaction')
    expect(finding).toMatchObject({ verdict: 'cannot imitate', why: 'it is 204' })
    expect(news).toContain(' status.cancelTransaction')
    expect(outcome).toBe('differs')
  })

  it('that fails each time is named, and is not green', async () => {
    const fails: Misbehave = (send) => async (url, init) =>
      url.includes('CALIBRATE') ? new Response('', { status: 500 }) : await send(url, init)
    const first = await calibrateSecond({ misbehave: fails })
    const judged = judge(first, {})
    expect(judged.outcome).toBe('failed')
    const row = judged.rows.find(({ what }) => what.includes('labelUnknown'))
    expect(row).toMatchObject({ verdict: 'not known', isFailure: true })
    const whole = await calibrateSecond({})
    const file = { settings: toSettingsFile(whole.findings), accepted: judge(whole, {}).accepted }
    const later = judge(first, { file })
    expect(later.outcome).toBe('failed')
    expect(later.unchecked).toEqual(['GET /v2/quotes (labelUnknown)'])
    // What failed before is no claim of the file.
    const thin = { settings: toSettingsFile(first.findings), accepted: judged.accepted }
    expect(judge(first, { file: thin }).outcome).toBe('confirmed')
  })
})

it('shows for each claim the exchange that it rests on', async () => {
  const second = { level: 'money', isCompared: false } as const
  const runs = [await calibrateSecond({ ...second, receives: true }), await calibrateSecond(second)]
  const bare = runs.flatMap(({ findings }) =>
    findings.filter(({ provider, calls }) => provider !== null && calls.length === 0),
  )
  expect(bare.map(({ setting }) => setting)).toEqual([])
})

describe('a reason', () => {
  const why = async (pattern: RegExp, respond: (real: Response) => Response | Promise<Response>) =>
    await calibrateSecond({
      ...{ level: 'write', isCompared: false },
      misbehave: instead(pattern, respond),
    })

  it('is no missing option where it was given', async () => {
    const taken = { success: false, errors: [{ field: 'phone', message: 'Taken.' }] }
    const created = await why(/^POST \/v2\/users$/, () => Response.json(taken, { status: 409 }))
    expect(findingOf(created, 'users.formats')?.why).toBe('no user was created: 409 on phone')
    const renamed = await why(/verify$/, async (real) =>
      real.ok ? Response.json({ success: true, data: { access_token: 'a' } }) : real,
    )
    const said = 'the response to the login has no accessToken'
    expect(findingOf(renamed, 'transactions.list.limit')?.why).toBe(said)
  })

  it('names no field that may be the name of somebody', async () => {
    const locked = { success: false, errors: [{ field: 'ann@home.ca', message: 'Locked.' }] }
    const run = await calibrateSecond({
      ...{ level: 'money', isCompared: false },
      misbehave: instead(/^POST \/v2\/transactions$/, () => Response.json(locked, { status: 403 })),
    })
    const said = 'no transaction could be created: 403 on *'
    expect(findingOf(run, 'limits.minimum')?.why).toBe(said)
  })
})

describe('an event about a new user', () => {
  it('that names the user otherwise is not said to be none', async () => {
    const settings = { 'users.create.event': 'sent' } as const
    await using relay = await createRelay((text) => text.replaceAll('"userId"', '"user"'))
    const toRelay: Misbehave = (send) => async (url, init) => {
      const { url: receiver = '' }: Json = JSON.parse(String(init.body ?? '{}'))
      if (!/^http:\/\/127\.0\.0\.1:\d{3}/.test(receiver)) return await send(url, init)
      return await send(url, { ...init, body: JSON.stringify({ url: relay.to(receiver) }) })
    }
    const run = await calibrateSecond({
      ...{ settings, level: 'write', receives: true },
      misbehave: toRelay,
    })
    expect(findingOf(run, 'users.create.event')?.provider).toBe('sent')
    expect(run.drift.map(({ path }) => path)).toContain('payload.userId')
  })
})

/** A server that passes events on after their text was changed. */
async function createRelay(change: (text: string) => string) {
  const server = createServer(async (incoming, outgoing) => {
    const receiver = decodeURIComponent(incoming.url?.slice(1) ?? '')
    const body = change(await text(incoming))
    await fetch(receiver, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    outgoing.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    to: (receiver: string) => `http://127.0.0.1:${port}/${encodeURIComponent(receiver)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

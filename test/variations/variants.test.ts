import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openWorld } from '../../src/client/client.ts'
import { openHost } from '../../src/host/open-host.ts'
import { createReceiver, createSandbox } from '../../src/index.ts'
import { findFailure } from '../../src/variations/failing-test.ts'
import { isVariantId, listVariants } from '../../src/variations/variants.ts'
import { ERROR_CODES } from '../../src/world/settings/errors.ts'
import { parseSettings, SETTING_IDS, settingOf } from '../../src/world/settings/index.ts'

/** The contract is no part of the project; where it lies beside the checkout, it is read. */
const CONTRACT = join(import.meta.dirname, '../../../shared/provider-contract.md')

const usual = Object.fromEntries(
  SETTING_IDS.map((id) => [id, settingOf(id).format(settingOf(id).default)]),
)

/** Variants for a suite that calls everything and meets these errors. */
const listFor = (group?: string, met: readonly string[] = ERROR_CODES.map((code) => `a/${code}`)) =>
  listVariants(
    {
      code: 0,
      problem: null,
      output: '',
      settings: usual,
      evidence: {
        calls: 1,
        met: [...met, 'putWebhookConfiguration'],
        settings: SETTING_IDS,
        changes: 0,
      },
    },
    { group, given: [], secret: 'whsec_a' },
  ).map(({ id }) => id)

describe('the variants of the provider', () => {
  it('the variants of the provider are values that a sandbox accepts, each once', () => {
    const ids = listFor()
    expect(ids.length).toBeGreaterThan(80)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !isVariantId(id))).toEqual([])
    for (const id of ids.filter((each) => each !== 'secret=present')) {
      const [setting = '', value = ''] = id.split('=')
      expect(() => parseSettings({ [setting]: value })).not.toThrow()
    }
  })

  it.each([
    ['quotes.ttl', ['quotes.ttl=15m', 'quotes.ttl=1h']],
    ['transactions.list.limit', ['transactions.list.limit=1']],
    [
      'transactions.list.maximum',
      ['transactions.list.maximum=50', 'transactions.list.maximum=200'],
    ],
    ['status.not-verified', ['status.not-verified=401']],
    ['status.duplicate-user', ['status.duplicate-user=422']],
    ['status.unknown-user', ['status.unknown-user=400', 'status.unknown-user=200']],
    ['status.quote-spent', ['status.quote-spent=400']],
    ['users.create.required', ['users.create.required=all']],
    ['secret', ['secret=present']],
  ])(
    'the variants of the provider include only those of %s that a client can notice',
    (group, ids) => {
      expect(listFor(group)).toEqual(ids)
    },
  )

  it.each([
    'limits.active',
    'webhooks.url',
    'webhooks.body',
    'names.headerPrefix',
    'auth.createKycLink',
  ])(
    'the variants of the provider leave out %s: it is stated, excluded, or about the sandbox itself',
    (group) => {
      expect(() => listFor(group)).toThrow('applies to your suite')
    },
  )

  it('the variants of the provider leave out the status of an error that the suite never meets', () => {
    expect(() => listFor('status.wrong-code', [])).toThrow('applies to your suite')
  })

  it('the variants of the provider begin with the name of the event id, then what the contract does not show; statuses come last', () => {
    const ids = listFor()
    expect(ids.slice(0, 3)).toEqual([
      'names.envelopeId=eventId',
      'names.envelopeId=both',
      'transactions.cancelledStatus=canceled',
    ])
    const at = (id: string) => ids.indexOf(id)
    expect(at('transactions.list.limit=1')).toBeLessThan(at('users.visibility=integrator'))
    expect(at('users.visibility=integrator')).toBeLessThan(at('quotes.ttl=1h'))
    expect(at('quotes.ttl=1h')).toBeLessThan(at('status.wrong-code=403'))
  })

  const EXCLUSIONS = SETTING_IDS.flatMap((id) =>
    (settingOf(id).excluded ?? []).map((exclusion) => ({ id, ...exclusion })),
  )

  it.runIf(existsSync(CONTRACT))(
    'the variants of the provider contradict no sentence of the contract: each quoted one is in it',
    () => {
      const contract = readFileSync(CONTRACT, 'utf8')
      for (const { sentence } of EXCLUSIONS) expect(contract).toContain(sentence)
    },
  )

  it('each quoted sentence of the contract excludes a variant of the provider', () => {
    for (const { id, excludes, sentence } of EXCLUSIONS) {
      const { options } = settingOf(id)
      const values = typeof options === 'string' ? [400, 'USDC'] : options
      expect(values.some(excludes), `${id}: ${sentence}`).toBe(true)
    }
  })
})

describe('a change passed on by exec', () => {
  const settingsUnder = async (run: string, options: Parameters<typeof createSandbox>[0]) => {
    vi.stubEnv('RAMP_SANDBOX_RUN', run)
    try {
      const sandbox = await createSandbox({ listen: false, ...options })
      await sandbox.reset()
      const settings = ['status.created', 'quotes.ttl'].map((id) => sandbox.settings.get(id))
      const values = (await Promise.all(settings)).map(({ value }) => value)
      await sandbox.close()
      return values
    } finally {
      vi.unstubAllEnvs()
    }
  }
  const RUN = JSON.stringify({ settings: { 'status.created': 201, 'quotes.ttl': '1h' } })

  it.each<[string, Parameters<typeof createSandbox>[0], [number, string]]>([
    ['no setting', {}, [201, '1h']],
    ['another value', { settings: { 'quotes.ttl': '5m' } }, [201, '5m']],
    ['the usual value', { settings: { 'quotes.ttl': '30m' } }, [201, '30m']],
    ['a preset', { settings: { preset: 'contract' } }, [200, '30m']],
    ['a fixture', { fixture: { settings: { 'status.created': 200 } } }, [200, '1h']],
  ])(
    'a change passed on by exec applies to a sandbox with %s unless the sandbox sets it itself',
    async (_, options, values) => {
      expect(await settingsUnder(RUN, options)).toEqual(values)
    },
  )

  it('a change passed on by exec applies to the worlds of a server that the Vitest fixture opens and resets', async () => {
    vi.stubEnv('RAMP_SANDBOX_RUN', RUN)
    onTestFinished(() => void vi.unstubAllEnvs())
    const host = await openHost({ clock: 'frozen' })
    onTestFinished(() => host.close())
    const world = openWorld({ ...host, start: { settings: { 'quotes.ttl': '30m' } } }, 'test-1')
    await world.reset()
    expect((await world.settings.get('status.created')).value).toBe(201)
    expect((await world.settings.get('quotes.ttl')).value).toBe('30m')
  })

  it.each(['{', '{"settings": {"no.setting": 1}}'])(
    'a change passed on by exec is refused if it is malformed: %s',
    async (run) => {
      await expect(settingsUnder(run, {})).rejects.toThrow('RAMP_SANDBOX_RUN must be the JSON')
    },
  )
})

describe('a change to every webhook', () => {
  /** The bodies of the webhooks of a user who becomes three things, with the faults of a test. */
  const bodiesUnder = async (deliveries: string, fault?: { drop: true } | { reorder: true }) => {
    vi.stubEnv('RAMP_SANDBOX_RUN', JSON.stringify({ deliveries }))
    onTestFinished(() => void vi.unstubAllEnvs())
    await using receiver = await createReceiver()
    await using sandbox = await createSandbox({ fixture: 'verified-user' })
    await sandbox.webhooks.set(receiver.url)
    if (fault) await sandbox.faults.add({ on: 'webhook', times: 1, then: fault })
    for (const status of ['upload', 'in-review', 'verified'] as const) {
      await sandbox.simulate.kyc('alice@example.com', status)
    }
    await sandbox.reset()
    await sandbox.webhooks.set(receiver.url)
    await sandbox.simulate.kyc('alice@example.com', 'rejected')
    return receiver.received.map(({ body }) => {
      const { type, payload } = JSON.parse(body)
      return type === 'user.update' ? payload.status : type
    })
  }

  it.each([
    [
      'twice',
      [
        'upload',
        'upload',
        'in-review',
        'in-review',
        'verified',
        'verified',
        'rejected',
        'rejected',
      ],
    ],
    ['again', ['upload', 'in-review', 'upload', 'verified', 'in-review', 'rejected']],
    [
      'type',
      [
        'upload',
        'account.note',
        'in-review',
        'account.note',
        'verified',
        'account.note',
        'rejected',
        'account.note',
      ],
    ],
  ])(
    'a change to every webhook survives a reset, and repeats nothing from before it: %s',
    async (change, bodies) => {
      expect(await bodiesUnder(change)).toEqual(bodies)
    },
  )

  it.each([
    [
      'twice',
      { drop: true } as const,
      ['in-review', 'in-review', 'verified', 'verified', 'rejected', 'rejected'],
    ],
    ['again', { drop: true } as const, ['in-review', 'verified', 'in-review', 'rejected']],
  ])(
    'a change to every webhook leaves the faults of a test in effect: %s with %j',
    async (change, fault, bodies) => {
      expect(await bodiesUnder(change, fault)).toEqual(bodies)
    },
  )
})

describe('a damaged provider', () => {
  const open = async (change: object) => {
    vi.stubEnv('RAMP_SANDBOX_RUN', JSON.stringify(change))
    onTestFinished(() => void vi.unstubAllEnvs())
    const sandbox = await createSandbox({ fixture: 'verified-user' })
    onTestFinished(() => sandbox.close())
    return sandbox
  }

  it('a damaged provider refuses an operation in every world, with one of the operation’s own errors', async () => {
    const sandbox = await open({ refused: 'cancelTransaction' })
    await sandbox.reset()
    const alice = await sandbox.login('alice@example.com')
    const { data } = await alice.buy({ cad: 100 })
    const { status, headers } = await alice.put(`/v2/transactions/${data.id}/cancel`)
    expect([status, headers['x-sandbox-error']]).toEqual([404, 'unknown-transaction'])
    expect((await alice.get('/v2/limits')).status).toBe(200)
  })

  it('a damaged provider still refuses a wrong key with the usual error', async () => {
    const sandbox = await open({ refused: 'findUsers' })
    const search = (key: string) =>
      sandbox.fetch('/v2/users?email=a@example.com', { headers: { 'x-api-key': key } })
    expect((await search('wrong')).status).toBe(401)
    expect((await search(sandbox.apiKey)).status).toBe(503)
  })

  it('a damaged provider leaves a field out of every response and event that has it', async () => {
    const sandbox = await open({ leftOut: { resource: 'transaction', field: 'leftSideValue' } })
    await using receiver = await createReceiver()
    await sandbox.webhooks.set(receiver.url)
    const alice = await sandbox.login('alice@example.com')
    const { data: made } = await alice.buy({ cad: 100 })
    expect(made).not.toHaveProperty('leftSideValue')
    expect(made).toHaveProperty('leftSideLabel', 'CAD')
    const { body } = await receiver.next()
    expect(JSON.parse(body).payload).not.toHaveProperty('leftSideValue')
    const list = JSON.stringify((await alice.get('/v2/transactions')).data)
    expect(list).toContain('leftSideLabel')
    expect(list).not.toContain('leftSideValue')
  })
})

describe('the failed test in the output of a suite', () => {
  it.each([
    [
      'node:test, TAP',
      `TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 1
  ...
# Subtest: buys
not ok 2 - buys
  ---
  duration_ms: 2.5
  location: 'file:///a.mjs:4:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
    201 !== 200
  code: 'ERR_ASSERTION'
  expected: 200
  actual: 201
  stack: |-
    TestContext.<anonymous> (file:///a.mjs:5:10)
    Test.runInAsyncScope (node:async_hooks:203:9)
  ...
1..2
# tests 2
# pass 1
# fail 1
# duration_ms 90`,
      /^not ok 2 - buys\n[\s\S]*201 !== 200/,
    ],
    [
      'node:test, spec',
      `✔ adds (1.2ms)
✖ buys (2.5ms)
ℹ tests 2
ℹ fail 1

✖ failing tests:

test at a.mjs:4:1
✖ buys (2.5ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  201 !== 200
      at TestContext.<anonymous> (file:///a.mjs:5:10)`,
      /^test at a\.mjs:4:1\n✖ buys[\s\S]*201 !== 200$/,
    ],
    [
      'Vitest',
      ` ❯ a.test.ts (2 tests | 1 failed) 6ms
⎯⎯⎯ Failed Tests 1 ⎯⎯⎯
 FAIL  a.test.ts > the wallet > buys
AssertionError: expected 201 to be 200 // Object.is equality
 ❯ a.test.ts:3:40
 Test Files  1 failed (1)`,
      /^ *FAIL {2}a\.test\.ts > the wallet > buys\n *AssertionError: expected 201 to be 200 [^\n]*$/,
    ],
    [
      'pytest',
      `=================================== FAILURES ===================================
___________________________________ test_buy ___________________________________

    def test_buy():
>       assert 201 == 200
E       assert 201 == 200

test_a.py:2: AssertionError
=========================== short test summary info ============================
FAILED test_a.py::test_buy - assert 201 == 200
1 failed, 1 passed in 0.02s`,
      /^FAILED test_a\.py::test_buy - assert 201 == 200\nE +assert 201 == 200$/,
    ],
    [
      'Go',
      `--- FAIL: TestBuy (0.00s)
    a_test.go:6: status is 201, not 200
FAIL
exit status 1
FAIL	example.com/a	0.002s`,
      /^--- FAIL: TestBuy \(0\.00s\)\n {4}a_test\.go:6: status is 201, not 200/,
    ],
    ['a script', 'one\ntwo\n\nit broke\n', /^one\ntwo\nit broke$/],
  ])('the failed test in the output of a suite is found: %s', (_, output, expected) => {
    expect(findFailure(output).join('\n')).toMatch(expected)
  })
})

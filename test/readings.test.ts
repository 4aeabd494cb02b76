import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openWorld } from '../src/client/client.ts'
import { idOf, listReadings, NO_READINGS, settingIn } from '../src/coverage/readings.ts'
import { type Attempt, judgeReading } from '../src/coverage/readings-verdict.ts'
import { openHost } from '../src/host/create-sandbox.ts'
import { createSandbox } from '../src/index.ts'
import { ERROR_CODES } from '../src/world/settings/errors.ts'
import {
  isSettingId,
  parseSettings,
  SETTING_IDS,
  type SettingId,
  settingOf,
} from '../src/world/settings/index.ts'

/** The contract is no part of the project; where it lies beside the checkout, it is read. */
const CONTRACT = join(import.meta.dirname, '../../shared/provider-contract.md')

const usual = Object.fromEntries(
  SETTING_IDS.map((id) => [id, settingOf(id).format(settingOf(id).default)]),
)

/** Sentences of the contract that exclude an option. */
const EXCLUSIONS = SETTING_IDS.flatMap((id) =>
  (settingOf(id).excluded ?? []).map((exclusion) => ({ id, ...exclusion })),
)

/** Readings for a suite that calls everything and meets every error. */
function listAll(changes: { met?: string[]; given?: string[]; usual?: object } = {}) {
  const { met = ERROR_CODES.map((code) => `any/${code}`), given = [] } = changes
  const { readings, neverMet } = listReadings({
    concerned: new Map(SETTING_IDS.map((id) => [id, ['createUser']])),
    met: new Set(met),
    usual: { ...usual, ...changes.usual },
    given,
  })
  return { readings, neverMet, ids: readings.map(idOf) }
}

const valuesOf = (id: SettingId) => listAll().ids.filter((each) => each.startsWith(`${id}=`))

describe('readings of the contract', () => {
  it('are values that a sandbox accepts, each once, and none that it has already', () => {
    const { readings, ids } = listAll()
    expect(readings.length).toBeGreaterThan(100)
    for (const { setting, value } of readings)
      expect(() => parseSettings({ [setting]: value })).not.toThrow()
    expect(ids.filter((id) => settingIn(id) === undefined)).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    expect(readings.filter(({ setting, value }) => usual[setting] === value)).toEqual([])
  })

  it('leave out what the contract states, and what only a sandbox has', () => {
    const read = new Set(listAll().readings.map(({ setting }) => setting))
    const unread = SETTING_IDS.filter((id) => !read.has(id))
    const excluded = ['auth.getLimits', 'status.verified-field', 'status.requirements-outstanding']
    const explained = unread.filter(
      (id) => settingOf(id).stated || NO_READINGS.includes(id) || excluded.includes(id),
    )
    expect(unread).toEqual(explained)
    expect(NO_READINGS.filter((id) => !isSettingId(id))).toEqual([])
  })

  it('are those of a number that a client can tell', () => {
    expect(valuesOf('quotes.ttl')).toEqual(['quotes.ttl=15m', 'quotes.ttl=1h'])
    expect(valuesOf('transactions.list.maximum')).toEqual([
      'transactions.list.maximum=50',
      'transactions.list.maximum=200',
    ])
    expect(valuesOf('requests.perMinute')).toEqual(['requests.perMinute=60'])
    expect(valuesOf('status.not-verified')).toEqual(['status.not-verified=400'])
    expect(valuesOf('status.unknown-user')).toEqual([
      'status.unknown-user=200',
      'status.unknown-user=400',
    ])
  })

  it('take labels away only where orders were placed on their network', () => {
    expect(valuesOf('quotes.labels')).toEqual(['quotes.labels=USDC,USDC-ETH,CADC'])
    const { ids } = listAll({ met: ['network-POLY', 'network-ETH'] })
    const fewer = ids.filter((id) => id.startsWith('quotes.labels=')).slice(1)
    expect(
      fewer.map((id) =>
        ['USDC-POLY', 'CADC-POLY', 'CADC-ETH'].filter((label) => !id.includes(label)),
      ),
    ).toEqual([['USDC-POLY'], ['CADC-ETH'], ['CADC-POLY']])
  })

  it('begin with other names and the strictest, then a 201', () => {
    const { ids } = listAll()
    const at = (id: string) => ids.indexOf(id)
    expect(at('names.headerPrefix=X-Platform')).toBeLessThan(at('status.created=201'))
    expect(at('auth.getRequirements=token')).toBeLessThan(at('status.created=201'))
    expect(at('status.created=201')).toBeLessThan(at('requirements.shape=array'))
    expect(at('requirements.shape=array')).toBeLessThan(at('status.unknown-user=200'))
  })

  it('know an error that a suite never meets, and a setting that is given', () => {
    const { ids, neverMet } = listAll({ met: ['createUser/invalid-body'], given: ['quotes.ttl'] })
    expect(neverMet).toContain('status.wrong-code')
    expect(neverMet).not.toContain('status.invalid-body')
    expect(ids.filter((id) => /^(status\.wrong-code|quotes\.ttl)=/.test(id))).toEqual([])
    // A reading that refuses what succeeds needs no error to be met.
    expect(ids).toContain('status.unknown-field=400')
  })

  it.runIf(existsSync(CONTRACT))('contradict no sentence, each of which is in the contract', () => {
    const contract = readFileSync(CONTRACT, 'utf8')
    for (const { sentence } of EXCLUSIONS) expect(contract).toContain(sentence)
  })

  it('are excluded by each of these sentences', () => {
    for (const { id, excludes, sentence } of EXCLUSIONS) {
      const { options } = settingOf(id)
      const values = typeof options === 'string' ? [400, 'USDC'] : options
      expect(values.some(excludes), `${id}: ${sentence}`).toBe(true)
    }
  })
})

describe('a verdict', () => {
  const [reading] = listReadings({
    concerned: new Map([['status.created', ['createUser', 'onUserUpdate']]]),
    met: new Set(),
    usual,
    given: [],
  }).readings
  if (reading === undefined) throw new Error('There is no reading of status.created.')

  interface Run {
    code?: number | null
    called?: string[]
    value?: number
    failedControlCalls?: string[]
    problem?: string
  }
  const toAttempt = ({ code = 0, called = ['createUser'], value = 201, ...more }: Run): Attempt => {
    const under = [{ values: { 'status.created': value }, called }]
    const { failedControlCalls = [], problem = null } = more
    const evidence = [{ calls: 1, situations: [], under, failedControlCalls }]
    return { code, problem, output: [], evidence, ms: 1 }
  }
  const judge = (runs: Run[], undisturbed: Run = {}) =>
    judgeReading(reading, runs.map(toAttempt), toAttempt(undisturbed).evidence)

  it.each<[string, Run[], string, string]>([
    ['a run that called the operation under it', [{}], 'passed', ''],
    ['one under another value', [{ value: 200 }], 'untried', 'your tests give the setting'],
    ['one that called something else', [{ called: ['createQuote'] }], 'untried', 'no call'],
    ['two that failed', [{ code: 1 }, { code: 2 }], 'failed', 'exit 2'],
    ['one that failed and one that passed', [{ code: 1 }, {}], 'unsteady', 'exit 1, and 0'],
    ['two that did not end', [{ code: null }, { code: null }], 'failed', 'did not end in time'],
    ['a sandbox that does not start', [{ code: null, problem: 'No.' }], 'unreached', 'start: No.'],
    [
      'a suite that ended before its first call',
      [{ code: 1 }, { code: 1, called: [] }],
      'unreached',
      'before it made a call',
    ],
    [
      'a control operation that the reading refuses',
      [{ code: 1 }, { code: 1, failedControlCalls: ['buy/limit-minimum'] }],
      'unreached',
      'the control operation buy was refused: limit-minimum',
    ],
    [
      'a control operation that was given nothing to work on, because the client failed',
      [{ code: 1 }, { code: 1, failedControlCalls: ['settle/not-found'] }],
      'failed',
      'exit 1',
    ],
  ])('on %s', (_, runs, verdict, how) => {
    expect(judge(runs)).toEqual({ verdict, how: expect.stringContaining(how) })
  })

  it('lets a control operation be refused that is refused undisturbed as well', () => {
    const refused = { code: 1, failedControlCalls: ['buy/limit-minimum'] }
    expect(judge([refused, refused], { failedControlCalls: ['buy/limit-minimum'] }).verdict).toBe(
      'failed',
    )
  })
})

describe('RAMP_SANDBOX_READING', () => {
  const settingsUnder = async (reading: string, options: Parameters<typeof createSandbox>[0]) => {
    vi.stubEnv('RAMP_SANDBOX_READING', reading)
    try {
      const sandbox = await createSandbox({ listen: false, ...options })
      const settings = ['status.created', 'quotes.ttl'].map((id) => sandbox.settings.get(id))
      const values = (await Promise.all(settings)).map(({ value }) => value)
      await sandbox.close()
      return values
    } finally {
      vi.unstubAllEnvs()
    }
  }
  const READING = JSON.stringify({ 'status.created': 201, 'quotes.ttl': '1h' })

  it('changes what a sandbox is not given itself', async () => {
    expect(await settingsUnder(READING, {})).toEqual([201, '1h'])
    expect(await settingsUnder(READING, { settings: { 'quotes.ttl': '5m' } })).toEqual([201, '5m'])
    // The usual value wins as well, where it is given.
    expect(await settingsUnder(READING, { settings: { 'quotes.ttl': '30m' } })).toEqual([
      201,
      '30m',
    ])
    expect(await settingsUnder(READING, { settings: { preset: 'contract' } })).toEqual([200, '30m'])
  })

  it('changes the worlds of a server, as the fixture for Vitest opens and resets them', async () => {
    vi.stubEnv('RAMP_SANDBOX_READING', READING)
    onTestFinished(() => void vi.unstubAllEnvs())
    const host = await openHost({ clock: 'frozen' })
    onTestFinished(() => host.close())
    const world = openWorld({ ...host, start: { settings: { 'quotes.ttl': '30m' } } }, 'test-1')
    await world.reset()
    expect((await world.settings.get('status.created')).value).toBe(201)
    expect((await world.settings.get('quotes.ttl')).value).toBe('30m')
  })

  it('leaves the settings of a fixture alone', async () => {
    const fixture = { settings: { 'status.created': 200 } } as const
    expect(await settingsUnder(READING, { fixture })).toEqual([200, '1h'])
  })

  it.each(['{', '{"no.setting": 1}', '{"status.created": 500}'])(
    'is refused where it holds no settings: %s',
    async (reading) => {
      const refused = settingsUnder(reading, {})
      await expect(refused).rejects.toThrow('RAMP_SANDBOX_READING must hold settings as JSON')
    },
  )
})

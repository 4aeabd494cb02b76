import type { SettingId, Settings } from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import type { Context, EventReceiver, Known } from './context.ts'
import { type CheckAnswer, type Drift, findDrift } from './drift.ts'
import { type Finding, findAll, findSetting, settledBy } from './findings.ts'
import { NotMeasured } from './not-measured.ts'
import type { Ability, Level } from './probe.ts'
import { createProvider, type Exchange, type Provider, type ProviderOptions } from './provider.ts'
import { isOk } from './reading.ts'
import { runSteps } from './run.ts'

/** Called before a code is sent; what it returns reads the code that then arrives. */
export type CodeSource = (email: string) => Promise<() => Promise<string | undefined>>

/** One side of a calibration: the provider, or a sandbox that gets the same calls. */
export interface CalibratedSide {
  url: string
  fetch: ProviderOptions['fetch']
  apiKey: string
  secondApiKey?: string | undefined
  codes?: CodeSource | undefined
  receiver?: EventReceiver | undefined
}

/** How a sandbox must start to be compared with the provider as it stands. */
export interface ModelStart {
  settings: Readonly<Record<string, SettingValue>>
  user: ModelUser | undefined
  /** Where the provider sends events before the run. */
  webhookUrl: string | undefined
  /** Whether the user must have logged in. */
  withToken: boolean
  /** Whether it must have a receiver for its events. */
  withReceiver: boolean
  /** The time at the provider, in ms since 1970. */
  now: number
}

export interface ModelUser {
  email: string
  accessibleBy: readonly string[]
  /** Names of the fields that the requirements read still asks for. */
  outstanding: readonly string[]
}

export interface Model extends CalibratedSide {
  token: string | undefined
  close(): Promise<void>
}

export interface CalibrateOptions {
  provider: CalibratedSide
  level: Level
  /** What the sandbox does, to compare with. */
  expected: Settings
  user?: string | undefined
  token?: string | undefined
  /** The e-mail addresses of new users, with a `*` for what makes each unique. */
  newUsers?: string | undefined
  /** What makes the new users of this run unique. */
  tag: string
  timeoutMs: number
  waitMaxMs: number
  now(): number
  wait(ms: number): Promise<void>
  signal: AbortSignal
  openModel(start: ModelStart): Promise<Model>
  /** What is wrong with an answer by the contract. */
  check: CheckAnswer
  onFinding?(finding: Finding): void
}

export type Calibration = Awaited<ReturnType<typeof calibrate>>

/** Finds out with which settings the sandbox answers as the provider does, and what remains. */
export async function calibrate(options: CalibrateOptions) {
  const { level, expected, signal, onFinding } = options
  const side = openSide(options, options.provider, level === 'read')
  await assertKey(side.provider)
  const shown = new Set<SettingId>()
  const run = await runSteps({
    ...side,
    level,
    onStep(id, results, context) {
      for (const setting of settledBy(id, results, level)) {
        if (shown.has(setting)) continue
        shown.add(setting)
        onFinding?.(findSetting(setting, results, { level, expected, context }))
      }
    },
  })
  const findings = findAll(run.results, { level, expected, context: side.context() })
  const { exchanges } = side.provider
  const isInterrupted = signal.aborted
  const drift = isInterrupted ? [] : await compareWithModel(options, findings, exchanges)
  return { level, findings, drift, exchanges, isInterrupted, leftBehind: run.leftBehind }
}

/** Without a key that works, every answer would be the same. */
async function assertKey(provider: Provider): Promise<void> {
  const route = 'GET /v2/webhook-configurations'
  provider.step = 'key'
  const status = await provider.send(route).then(
    (reading) => reading.status,
    () => undefined,
  )
  if (status !== 401 && status !== 403) return
  throw new NotMeasured(`The provider does not accept the API key: ${route} answered ${status}.`)
}

/** The calls of a level, as a sandbox with the given settings gets them. */
export async function rehearse(options: CalibrateOptions, start: ModelStart): Promise<Exchange[]> {
  const model = await options.openModel(start)
  const side = openSide({ ...options, token: model.token }, model, false)
  try {
    await runSteps({ ...side, level: options.level })
    return [...side.provider.exchanges]
  } finally {
    await model.close()
  }
}

async function compareWithModel(
  options: CalibrateOptions,
  findings: readonly Finding[],
  exchanges: readonly Exchange[],
): Promise<Drift[]> {
  const start = toModelStart(options, findings, exchanges)
  return findDrift(exchanges, await rehearse(options, start), options.check)
}

/** The settings that were found, to start a sandbox with. */
export function toSettingsFile(findings: readonly Finding[]): Record<string, SettingValue> {
  const found = findings.flatMap(({ setting, actual }): [string, SettingValue][] =>
    actual === null ? [] : [[setting, actual]],
  )
  return Object.fromEntries(found)
}

function toModelStart(
  { provider, user, token, expected, now }: CalibrateOptions,
  findings: readonly Finding[],
  exchanges: readonly Exchange[],
): ModelStart {
  const of = (step: string) =>
    exchanges.flatMap(({ reading, ...exchange }) =>
      exchange.step === step && reading && isOk(reading) ? [reading.data] : [],
    )
  const [users] = of('findUser')
  const found = Array.isArray(users) ? users[0] : undefined
  const [requirements] = [...of('requirements'), ...of('requirementsOfUser')]
  const outstanding = Array.isArray(requirements) ? requirements : requirements?.outstanding
  const url = of('webhooks')[0]?.url
  const isFound = user !== undefined && (found !== undefined || of('findUser').length === 0)
  const access = found?.accessibleBy ?? (of('keyAccess').length > 0 ? ['jwt', 'apiKey'] : ['jwt'])
  const ofModel = {
    email: user ?? '',
    accessibleBy: Array.isArray(access) ? access : ['jwt'],
    outstanding: Array.isArray(outstanding) ? outstanding.map((row) => String(row?.field)) : [],
  }
  return {
    settings: { ...expected, ...toSettingsFile(findings) },
    user: isFound ? ofModel : undefined,
    webhookUrl: typeof url === 'string' ? url : undefined,
    withToken: token !== undefined,
    withReceiver: provider.receiver !== undefined,
    now: now(),
  }
}

function openSide(options: CalibrateOptions, side: CalibratedSide, readsOnly: boolean) {
  const { user, newUsers, tag, now } = options
  const { codes, receiver, secondApiKey } = side
  const provider = createProvider({ ...options, ...side, readsOnly })
  const known: Known = options.token === undefined ? {} : { token: options.token }
  const canLogIn = codes !== undefined && user !== undefined && options.level !== 'read'
  const given: [Ability, boolean][] = [
    ['user', user !== undefined],
    ['token', options.token !== undefined || canLogIn],
    ['code', codes !== undefined],
    ['newUsers', newUsers !== undefined],
    ['receiver', receiver !== undefined],
    ['secondKey', secondApiKey !== undefined],
  ]
  const abilities = new Set(given.flatMap(([ability, isGiven]) => (isGiven ? [ability] : [])))
  const createContext = (putBack: Context['putBack']): Context => ({
    user,
    known,
    now,
    send: provider.send,
    newEmail: (name) => (newUsers ?? '*').replace('*', `${tag}-${name}`),
    receiveCode: (email, send) => receiveCode(codes, email, send),
    putBack,
    receiver: receiver && {
      url: receiver.url,
      async next(matches) {
        const event = await receiver.next(matches)
        if (event) provider.note(event.body)
        return event
      },
    },
  })
  return { provider, abilities, createContext, context: () => createContext(() => undefined) }
}

async function receiveCode(
  codes: CodeSource | undefined,
  email: string,
  send: Parameters<Context['receiveCode']>[1],
) {
  if (codes === undefined) throw new NotMeasured('it needs --code-from stdin|URL|COMMAND')
  const read = await codes(email)
  const sent = await send()
  if (!isOk(sent)) throw new NotMeasured(`no login code was sent: ${sent.status}`)
  const code = await read().catch(() => undefined)
  if (code !== undefined) return { sent, code }
  throw new NotMeasured('no login code came from --code-from', { isFailure: true })
}

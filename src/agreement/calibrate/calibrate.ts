import type { Settings } from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import type { DifferenceRow } from '../differences.ts'
import { type CheckAnswer, findDrift } from './drift.ts'
import { type Finding, findAll, toSettingsFile, withdraw } from './findings.ts'
import { type ChangeJournal, NO_JOURNAL } from './journal.ts'
import { createProvider, type Exchange, type Provider, type ProviderOptions } from './provider.ts'
import { isOk } from './reading.ts'
import { runSteps } from './run.ts'
import {
  type Ability,
  type Context,
  type EventReceiver,
  type Known,
  type Level,
  NotMeasured,
} from './step.ts'

/**
 * Called before a code is sent; what it returns reads the code that then arrives, or is null where a
 * person would have to wait for one that may not come.
 */
export type CodeSource = (
  email: string,
) => Promise<(maxMs?: number) => Promise<string | null | undefined>>

/** How long a code may take that may not come at all. */
const CODE_MAX_MS = 3_000

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
  /** What is wrong with a response by the contract. */
  check: CheckAnswer
  journal?: ChangeJournal | undefined
  onStep?(step: string): void
}

/** What a run has found out, and what remains. */
export interface Calibration {
  level: Level
  findings: Finding[]
  drift: DifferenceRow[]
  exchanges: readonly Exchange[]
  isInterrupted: boolean
  /** What could not be put back, with how to do it by hand. */
  leftBehind: string[]
  /** Keys, tokens and addresses, which nothing may show that is written. */
  secrets: string[]
}

/** Finds out with which settings the sandbox responds as the provider does, and what remains. */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { level, expected, signal, journal = NO_JOURNAL, onStep } = options
  const side = openSide(options, options.provider, level === 'read')
  await assertKey(side.provider)
  const run = await runSteps({ ...side, level, journal, ...(onStep && { onStep }) })
  const found = findAll(run, level, expected)
  const { exchanges, leftBehind } = run
  const secrets = secretsOf(options, run.context)
  if (signal.aborted) {
    return {
      level,
      findings: found,
      drift: [],
      exchanges,
      isInterrupted: true,
      leftBehind,
      secrets,
    }
  }
  const first = await dryRun(options, toModelStart(options, found, exchanges))
  const findings = withdraw(found, first, level)
  const isWithdrawn = findings.some((finding, i) => finding !== found[i])
  const model = isWithdrawn
    ? await dryRun(options, toModelStart(options, findings, exchanges))
    : first
  const drift = findDrift(exchanges, model.exchanges, options.check)
  return { level, findings, drift, exchanges, isInterrupted: false, leftBehind, secrets }
}

function secretsOf({ provider, token, user }: CalibrateOptions, { known }: Context): string[] {
  const all = [provider.apiKey, provider.secondApiKey, token, known.token, user]
  const given = all.filter((secret) => secret !== undefined)
  // A header or field may hold a part of an address.
  return [...given, ...(user === undefined ? [] : [user.split('@')[0] ?? ''])]
}

/** Without a key that works, every answer would be the same. */
async function assertKey(provider: Provider): Promise<void> {
  const route = 'GET /v2/webhook-configurations'
  provider.step = 'put back'
  const status = await provider.send(route, { isRefusal: true }).then(
    (reading) => reading.status,
    () => undefined,
  )
  if (status !== 401 && status !== 403) return
  throw new NotMeasured(`The provider does not accept the API key: ${route} answered ${status}.`)
}

/** The calls of a level, as a sandbox with the given settings gets them. */
export async function dryRun(options: CalibrateOptions, start: ModelStart) {
  const model = await options.openModel(start)
  const side = openSide({ ...options, token: model.token }, model, false)
  try {
    return await runSteps({ ...side, level: options.level, journal: NO_JOURNAL })
  } finally {
    await model.close()
  }
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
  const createContext = (more: Pick<Context, 'putBack' | 'note'>): Context => ({
    user,
    known,
    now,
    send: provider.send,
    newEmail: (name) => (newUsers ?? '*').replace('*', `${tag}-${name}`),
    receiveCode: (email, send) => receiveCode(codes, email, send),
    async watchCode(email, send) {
      const read = await codes?.(email)
      const sent = await send()
      const code = isOk(sent) ? await read?.(CODE_MAX_MS).catch(() => null) : undefined
      const isKnown = read !== undefined && code !== null
      return { sent, hasArrived: isKnown ? code !== undefined : undefined }
    },
    ...more,
    receiver: receiver && {
      url: receiver.url,
      async next(matches) {
        const event = await receiver.next(matches)
        if (event) provider.note(event.body)
        return event
      },
    },
  })
  return { provider, abilities, createContext }
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
  if (typeof code === 'string') return { sent, code }
  throw new NotMeasured('no login code came from --code-from', { isFailure: true })
}

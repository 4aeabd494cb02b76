import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseJson } from '../../client/http.ts'
import type { Received, Receiver } from '../../client/receiver.ts'
import type { Settings } from '../../world/settings/index.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import type { DifferenceRow } from '../differences.ts'
import { findDrift } from './drift.ts'
import {
  type Finding,
  findAll,
  type MeasuredRun,
  stepsWithin,
  toSettingsFile,
  withdraw,
} from './findings.ts'
import { cancelOwn } from './money.ts'
import { createProvider, type Exchange, type ProviderOptions } from './provider.ts'
import { isOk } from './reading.ts'
import {
  type Changes,
  type Context,
  type Level,
  NotMeasured,
  notMeasured,
  toNotMeasured,
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
  receiver?: SideReceiver | undefined
}

/** Receiver of the events of one side. */
export interface SideReceiver extends Pick<Receiver, 'url' | 'next'> {
  /** How long an event may take; where none is to come, a run waits that long. */
  waitMs: number
}

export interface Model extends CalibratedSide {
  close(): Promise<void>
}

type SomeSettings = Readonly<Record<string, SettingValue>>
type Exchanges = readonly Exchange[]
type Timing = 'timeoutMs' | 'waitMaxMs' | 'now' | 'wait' | 'signal'

export interface CalibrateOptions extends Pick<ProviderOptions, Timing> {
  provider: CalibratedSide
  level: Level
  /** Settings of the sandbox, to compare with. */
  expected: Settings
  user?: string | undefined
  /** The e-mail addresses of new users, with a `*` for what makes each unique. */
  newUsers?: string | undefined
  /** Text that makes the new users of this run unique. */
  tag: string
  /** A sandbox to compare with, as the provider stands by what it responded. */
  openModel(options: CalibrateOptions, settings: SomeSettings, exchanges: Exchanges): Promise<Model>
  journal?: ChangeJournal | undefined
  /** Prints a line for the person who runs it. */
  say(text: string, how?: { isProgress: boolean }): void
}

/** Findings of a run, and what remains. */
export interface Calibration {
  level: Level
  findings: Finding[]
  drift: DifferenceRow[]
  exchanges: readonly Exchange[]
  isInterrupted: boolean
  /** Changes that could not be put back, with how to do it by hand. */
  leftBehind: string[]
  /** Keys, tokens and addresses, which nothing may show that is written. */
  secrets: string[]
}

/** Finds out with which settings the sandbox responds as the provider does, and what remains. */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { level, expected, signal, journal, say } = options
  const side = openSide(options, options.provider, journal)
  await assertKey(side)
  const run = await runSteps(side, say)
  const { exchanges, leftBehind } = run
  const secrets = secretsOf(options, run.context)
  const isInterrupted = signal.aborted
  const base = { level, exchanges, isInterrupted, leftBehind, secrets }
  const found = findAll(run, level, expected)
  if (isInterrupted) return { ...base, findings: found, drift: [] }
  const model = await dryRun(options, toSettingsFile(found), exchanges)
  const findings = withdraw(found, model, level, expected)
  const isWithdrawn = findings.some((finding, i) => finding !== found[i])
  const like = isWithdrawn ? await dryRun(options, toSettingsFile(findings), exchanges) : model
  return { ...base, findings, drift: findDrift(exchanges, like.exchanges, findings) }
}

function secretsOf({ provider, user }: CalibrateOptions, { known }: Context): string[] {
  // A header or field may hold a part of an address.
  const given = [provider.apiKey, provider.secondApiKey, known.token, user, user?.split('@')[0]]
  return given.filter((secret) => secret !== undefined)
}

/** Without a key that works, every response would be the same. */
async function assertKey({ provider }: OpenSide): Promise<void> {
  const route = 'GET /v2/webhook-configurations'
  provider.step = 'put back'
  const sent = await provider.send(route).catch(() => undefined)
  if (sent?.status !== 401 && sent?.status !== 403) return
  throw new NotMeasured(`The provider does not accept the API key: ${route} got ${sent.status}.`)
}

/** The calls of a level, as a sandbox with the given settings gets them. */
export async function dryRun(
  options: CalibrateOptions,
  settings: SomeSettings = {},
  exchanges: Exchanges = [],
): Promise<MeasuredRun> {
  const model = await options.openModel(options, { ...options.expected, ...settings }, exchanges)
  try {
    return await runSteps(openSide(options, model))
  } finally {
    await model.close()
  }
}

function openSide(options: CalibrateOptions, side: CalibratedSide, journal = createJournal()) {
  const { user, newUsers, tag, now, level } = options
  const { codes, receiver } = side
  const provider = createProvider({ ...options, ...side, readsOnly: level === 'read' })
  const context: Context = {
    ...{ user, now, send: provider.send, changes: journal.changes, note: journal.note },
    known: { webhookUrl: journal.changes.webhookUrl },
    warn: side === options.provider ? options.say : () => undefined,
    newEmail: (name) =>
      (newUsers ?? notMeasured('it needs --new-users')).replace('*', `${tag}-${name}`),
    async askCode(email, { isTrial } = { isTrial: false }) {
      if (codes === undefined && !isTrial) return notMeasured('it needs --code-from')
      const read = await codes?.(email)
      const call = { body: { email }, isRepeatable: isTrial }
      const sent = await provider.send('POST /v2/auth/login-codes', call)
      if (read === undefined || !isOk(sent)) return { sent, code: null }
      const code = await read(isTrial ? CODE_MAX_MS : undefined).catch(() => null)
      return { sent, code }
    },
    receiver: receiver && {
      url: receiver.url,
      async next(matches) {
        const arriving = receiver.next((one) => matches(toEvent(one)), receiver.waitMs)
        const event = await arriving.then(toEvent, () => undefined)
        if (event) provider.note(event.body)
        return event
      },
    },
  }
  return { provider, journal, context, level }
}

type OpenSide = ReturnType<typeof openSide>

const toEvent = ({ headers, body }: Received) => ({ headers, body: parseJson(body) })

/** Makes the calls of a level, in order, and puts back at the end whatever they changed. */
async function runSteps(
  { level, provider, journal, context }: OpenSide,
  say?: CalibrateOptions['say'],
): Promise<MeasuredRun> {
  const results = new Map<string, { value: unknown } | NotMeasured>()
  let leftBehind: string[] = []
  try {
    for (const { id, run } of stepsWithin(level)) {
      provider.step = id
      const act = async () => await run(context)
      results.set(id, await act().then((value) => ({ value }), toNotMeasured))
      say?.(id, { isProgress: true })
    }
  } finally {
    provider.ignoreSignal()
    provider.step = 'put back'
    leftBehind = await putBack(context)
    if (leftBehind.length === 0) journal.end()
  }
  return { results, leftBehind, context, exchanges: provider.exchanges }
}

/** Changes of a run that are not put back yet; in a file, so that a later run can do it. */
export type ChangeJournal = ReturnType<typeof createJournal>

/** `file` holds nothing that is secret; without one, a run that is killed leaves nothing behind. */
export function createJournal(file?: string, provider = '') {
  const changes: Changes = {}
  if (file !== undefined) {
    const { provider: other, ...earlier } = read(file)
    if (other !== undefined && other !== provider) {
      const why = `is of another provider (${other}): finish it there, or delete it`
      throw new NotMeasured(`${file} ${why}`)
    }
    Object.assign(changes, earlier)
  }
  return {
    changes,
    note(change: Changes) {
      Object.assign(changes, change)
      if (file === undefined) return
      const text = JSON.stringify({ provider, ...changes }, null, 2)
      writeFileSync(file, `${text}\n`, { mode: 0o600 })
    },
    end() {
      if (file !== undefined) rmSync(file, { force: true })
    },
  }
}

function read(file: string): Changes & { provider?: string } {
  try {
    const json = JSON.parse(readFileSync(file, 'utf8'))
    return typeof json?.provider === 'string' ? json : {}
  } catch {
    return {}
  }
}

/** Puts back what was changed; returns what it could not, with how to do it by hand. */
async function putBack(context: Context): Promise<string[]> {
  const { changes, send } = context
  const { webhookUrl, ordered } = changes
  const leftBehind: string[] = []
  if (ordered !== undefined) {
    const title = `PUT /v2/transactions/${ordered ?? '{id}'}/cancel of the pending one`
    await attempt(title, () => cancelOwn(context))
  }
  if (webhookUrl !== undefined) {
    const route = '/v2/webhook-configurations'
    const [method, body] = webhookUrl === null ? ['DELETE'] : ['PUT', { url: webhookUrl }]
    const title = body ? `PUT ${JSON.stringify(body)} to ${route}` : `DELETE ${route}`
    await attempt(title, async () => {
      const call = { isRepeatable: true, ...(body && { body }) }
      const restored = await send(`${method} ${route}`, call)
      if (!isOk(restored) && restored.status !== 404) return notMeasured(`${restored.status}`)
      // A later run, for what else is left behind, must not put this URL back again.
      delete changes.webhookUrl
      context.note({})
    })
  }
  return leftBehind

  async function attempt(title: string, undo: () => Promise<void>) {
    await undo().catch((error: unknown) => {
      leftBehind.push(`${title} (${toNotMeasured(error).message})`)
    })
  }
}

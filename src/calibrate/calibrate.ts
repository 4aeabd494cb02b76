import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { SettingValue } from '../world/settings/setting.ts'
import type { DifferenceRow } from './differences.ts'
import { findDrift } from './drift.ts'
import {
  type Finding,
  findAll,
  settingsOf,
  stepsWithin,
  toSettingsFile,
  withdraw,
} from './findings.ts'
import { restoreConfiguration } from './hooks.ts'
import { cancelOwn, ORDER, TRANSACTION } from './order.ts'
import { NotMeasured, type Reading, successesOf, toNotMeasured } from './reading.ts'
import {
  type ChangeJournal,
  type Changes,
  type Level,
  Run,
  type RunOptions,
  type Side,
} from './run.ts'
import { USERS } from './users.ts'

export interface Model extends Side {
  close(): Promise<void>
}

type SomeSettings = Readonly<Record<string, SettingValue>>

export interface CalibrateOptions extends RunOptions {
  provider: Side
  /** Opens a sandbox to compare with, in the state that the provider's responses describe. */
  openModel(
    options: CalibrateOptions,
    settings: SomeSettings,
    readings: readonly Reading[],
  ): Promise<Model>
  journal?: ChangeJournal | undefined
  /** Prints a line for the person who runs it. */
  say(text: string, how?: { isProgress: boolean }): void
}

/** A call that failed, although all that it would have shown of settings is known by others. */
export interface MissedCall {
  step: string
  /** The route and the step. */
  name: string
  why: string
}

/** Result of a calibration. */
export interface Calibration {
  level: Level
  findings: Finding[]
  drift: DifferenceRow[]
  /** The steps whose responses were compared. */
  compared: string[]
  /** The calls that failed, of which no setting says so. */
  missed: MissedCall[]
  readings: readonly Reading[]
  isInterrupted: boolean
  /** Facts that the user should know and that are not differences. */
  notes: string[]
  /** Ids of the users and transactions that the run created and that stay at the provider. */
  leftBehind: { users: string[]; transactions: string[] }
  /** Changes that could not be put back, with how to do it by hand. */
  notPutBack: string[]
  /** Keys, tokens and addresses, which must not appear in any file or message. */
  secrets: string[]
}

/** Finds the settings with which the sandbox responds like the provider, and what still differs. */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { provider, level, settings, signal, journal = createJournal(), say } = options
  const run = new Run(options, provider, { journal, warn: say })
  await assertKey(run)
  const notPutBack = await observe(run, level, say)
  const found = findAll(run, settings)
  const calibration: Calibration = {
    level,
    findings: found,
    drift: [],
    compared: [],
    missed: missedBy(run, found),
    readings: run.readings,
    isInterrupted: signal.aborted,
    notPutBack,
    notes: notesOf(run),
    leftBehind: { users: madeBy(run, USERS), transactions: transactionsOf(run) },
    secrets: secretsOf(run, options),
  }
  if (signal.aborted) return calibration
  const model = await dryRun(options, toSettingsFile(found), run.readings)
  const findings = withdraw(found, model, settings)
  const isWithdrawn = findings.some((finding, i) => finding !== found[i])
  const like = isWithdrawn ? await dryRun(options, toSettingsFile(findings), run.readings) : model
  const { rows, compared } = findDrift(run, like, findings)
  return { ...calibration, findings, drift: rows, compared }
}

/** Finds the calls that failed and whose settings, if any, other calls show. */
function missedBy({ results, readings }: Run, findings: readonly Finding[]): MissedCall[] {
  const unknown = findings.filter(({ verdict }) => verdict === 'not known')
  return [...results].flatMap(([step, result]) => {
    if (!(result instanceof NotMeasured && result.isFailure)) return []
    const isSaid = settingsOf(step).some((id) => unknown.some(({ setting }) => setting === id))
    // A step without a call depends on another one, which says why.
    const last = readings.findLast((reading) => reading.step === step)
    if (isSaid || last === undefined) return []
    return [{ step, name: `${last.route} (${step})`, why: result.message }]
  })
}

/** Ids of the objects that a route created. */
function madeBy(run: Run, route: string): string[] {
  const ids = successesOf(run, route).flatMap(({ data }) => data?.id ?? [])
  return [...new Set(ids.map(String))]
}

/** Ids of the transactions, also of those that were only found when they were cancelled. */
function transactionsOf(run: Run): string[] {
  const cancelled = successesOf(run, `PUT ${TRANSACTION}/cancel`)
  const found = cancelled.flatMap(({ sent }) => sent.path?.txId ?? [])
  return [...new Set([...madeBy(run, ORDER), ...found])]
}

/** Keys, tokens and addresses; a header or field may hold a part of an address. */
function secretsOf({ known }: Run, { provider, user }: CalibrateOptions): string[] {
  const given = [provider.apiKey, provider.secondApiKey, known.token, user, user?.split('@')[0]]
  return given.filter((secret) => secret !== undefined)
}

function notesOf({ known, results }: Run): string[] {
  const { others = [], webhookUrl, isUrlChanged, created, ordered } = known
  const notes: string[] = []
  if (others.length > 0) {
    const named = others.map(({ id, status }) => `${id} (${status})`).join(', ')
    notes.push(`Open transactions of the user that are not of this run, and stay: ${named}.`)
  }
  const made = [...(created ? ['its users'] : []), ...(ordered?.created ? ['its transaction'] : [])]
  const isElsewhere = results.has('putLoopback') && webhookUrl !== null && !isUrlChanged
  if (isElsewhere && made.length > 0) {
    const which = made.join(' and ')
    notes.push(`The webhook URL could not be changed, so events about ${which} went to it.`)
  }
  return notes
}

/** Without a valid key, every response would be the same error. */
async function assertKey(run: Run): Promise<void> {
  const route = 'GET /v2/webhook-configurations'
  const sent = await run.send(route).catch(() => undefined)
  if (sent?.status !== 401 && sent?.status !== 403) return
  throw new NotMeasured(`The provider does not accept the API key: ${route} got ${sent.status}.`)
}

/** Makes the calls of a level to a sandbox with the given settings. */
export async function dryRun(
  options: CalibrateOptions,
  settings: SomeSettings = {},
  readings: readonly Reading[] = [],
): Promise<Run> {
  const model = await options.openModel(options, { ...options.settings, ...settings }, readings)
  const silent = { journal: createJournal(), warn: () => undefined }
  const run = new Run(options, model, silent)
  try {
    await observe(run, options.level)
    return run
  } finally {
    await model.close()
  }
}

/** Makes the calls of a level in order and undoes their changes; returns what it could not undo. */
async function observe(run: Run, level: Level, say?: CalibrateOptions['say']): Promise<string[]> {
  let notPutBack: string[] = []
  try {
    for (const { id, run: act } of stepsWithin(level)) {
      run.step = id
      const result = await act(run).catch(toNotMeasured)
      run.results.set(id, result)
      say?.(id, { isProgress: true })
    }
  } finally {
    run.end()
    notPutBack = await putBack(run)
  }
  return notPutBack
}

/** Undoes the changes of a run; returns those it could not undo, with how to do it by hand. */
async function putBack(run: Run): Promise<string[]> {
  const { changes, end } = run.journal
  const { webhookUrl, ordered } = changes
  const notPutBack: string[] = []
  if (ordered !== undefined) {
    const title = `PUT /v2/transactions/${ordered ?? '{id}'}/cancel of the pending one`
    await attempt(title, cancelOwn)
  }
  if (webhookUrl !== undefined) {
    const method = webhookUrl === null ? 'DELETE' : `PUT ${JSON.stringify({ url: webhookUrl })} to`
    await attempt(`${method} /v2/webhook-configurations`, restoreConfiguration)
  }
  if (notPutBack.length === 0) end()
  return notPutBack

  async function attempt(title: string, undo: (run: Run) => Promise<unknown>) {
    await undo(run).catch((error: unknown) => {
      notPutBack.push(`${title} (${toNotMeasured(error).message})`)
    })
  }
}

/**
 * Changes of a run that are not undone yet, even if the run was killed. The file has no secrets;
 * without a file, nothing is kept.
 */
export function createJournal(file?: string, provider = ''): ChangeJournal {
  const { provider: other = provider, ...earlier } = file === undefined ? {} : read(file)
  if (other !== provider) {
    const why = `is of another provider (${other}): finish it there, or delete it`
    throw new NotMeasured(`${file} ${why}`)
  }
  const changes: Changes = earlier
  return {
    changes,
    note(change) {
      Object.assign(changes, change)
      if (file === undefined) return
      const text = JSON.stringify({ provider, ...changes }, null, 2)
      // A process that is killed must not leave half a journal.
      writeFileSync(`${file}.part`, `${text}\n`, { mode: 0o600 })
      renameSync(`${file}.part`, file)
    },
    end() {
      if (file !== undefined) rmSync(file, { force: true })
    },
  }
}

function read(file: string): Changes & { provider?: string } {
  if (!existsSync(file)) return {}
  try {
    const json = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof json?.provider === 'string') return json
  } catch {
    // It is named below.
  }
  const how = 'put back what it names by hand, and delete it'
  throw new NotMeasured(`${file} cannot be read, the journal of a run that was killed: ${how}`)
}

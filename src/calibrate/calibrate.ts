import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Settings } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import type { DifferenceRow } from './differences.ts'
import { findDrift } from './drift.ts'
import {
  type Finding,
  findAll,
  type Observed,
  stepsWithin,
  toSettingsFile,
  withdraw,
} from './findings.ts'
import { restoreConfiguration } from './hooks.ts'
import { cancelOwn } from './money.ts'
import { NotMeasured, type Reading, toNotMeasured } from './reading.ts'
import {
  type ChangeJournal,
  type Changes,
  type Level,
  Run,
  type RunOptions,
  type Side,
} from './run.ts'

export interface Model extends Side {
  close(): Promise<void>
}

type SomeSettings = Readonly<Record<string, SettingValue>>

export interface CalibrateOptions extends RunOptions {
  provider: Side
  /** Settings of the sandbox, to compare with. */
  settings: Settings
  /** A sandbox to compare with, as the provider stands by what it responded. */
  openModel(
    options: CalibrateOptions,
    settings: SomeSettings,
    readings: readonly Reading[],
  ): Promise<Model>
  journal?: ChangeJournal | undefined
  /** Prints a line for the person who runs it. */
  say(text: string, how?: { isProgress: boolean }): void
}

/** Findings of a run, and what remains. */
export interface Calibration {
  level: Level
  findings: Finding[]
  drift: DifferenceRow[]
  readings: readonly Reading[]
  isInterrupted: boolean
  /** Changes that could not be put back, with how to do it by hand. */
  leftBehind: string[]
  /** Keys, tokens and addresses, which nothing may show that is written. */
  secrets: string[]
}

/** Finds out with which settings the sandbox responds as the provider does, and what remains. */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { provider, level, settings, user, signal, journal = createJournal(), say } = options
  const run = new Run(options, provider, { journal, warn: say })
  await assertKey(run)
  const { leftBehind, ...observed } = await observe(run, level, say)
  const { readings, known } = run
  // A header or field may hold a part of an address.
  const given = [provider.apiKey, provider.secondApiKey, known.token, user, user?.split('@')[0]]
  const secrets = given.filter((secret) => secret !== undefined)
  const base = { level, readings, isInterrupted: signal.aborted, leftBehind, secrets }
  const found = findAll(observed, settings)
  if (signal.aborted) return { ...base, findings: found, drift: [] }
  const model = await dryRun(options, toSettingsFile(found), readings)
  const findings = withdraw(found, model, settings)
  const isWithdrawn = findings.some((finding, i) => finding !== found[i])
  const like = isWithdrawn ? await dryRun(options, toSettingsFile(findings), readings) : model
  return { ...base, findings, drift: findDrift(readings, like.run.readings, findings) }
}

/** Without a key that works, every response would be the same. */
async function assertKey(run: Run): Promise<void> {
  const route = 'GET /v2/webhook-configurations'
  const sent = await run.send(route).catch(() => undefined)
  if (sent?.status !== 401 && sent?.status !== 403) return
  throw new NotMeasured(`The provider does not accept the API key: ${route} got ${sent.status}.`)
}

/** The calls of a level, as a sandbox with the given settings gets them. */
export async function dryRun(
  options: CalibrateOptions,
  settings: SomeSettings = {},
  readings: readonly Reading[] = [],
): Promise<Observed> {
  const model = await options.openModel(options, { ...options.settings, ...settings }, readings)
  const silent = { journal: createJournal(), warn: () => undefined }
  try {
    return await observe(new Run(options, model, silent), options.level)
  } finally {
    await model.close()
  }
}

/** Makes the calls of a level, in order, and puts back at the end whatever they changed. */
async function observe(run: Run, level: Level, say?: CalibrateOptions['say']) {
  const results = new Map<string, unknown>()
  let leftBehind: string[] = []
  try {
    for (const { id, run: act } of stepsWithin(level)) {
      run.step = id
      const result = await act(run).catch(toNotMeasured)
      if (result instanceof NotMeasured) run.failed.set(id, result)
      results.set(id, result)
      say?.(id, { isProgress: true })
    }
  } finally {
    run.end()
    leftBehind = await putBack(run)
  }
  return { results, run, leftBehind }
}

/** Puts back what was changed; returns what it could not, with how to do it by hand. */
async function putBack(run: Run): Promise<string[]> {
  const { changes, end } = run.journal
  const { webhookUrl, ordered } = changes
  const leftBehind: string[] = []
  if (ordered !== undefined) {
    const title = `PUT /v2/transactions/${ordered ?? '{id}'}/cancel of the pending one`
    await attempt(title, cancelOwn)
  }
  if (webhookUrl !== undefined) {
    const method = webhookUrl === null ? 'DELETE' : `PUT ${JSON.stringify({ url: webhookUrl })} to`
    await attempt(`${method} /v2/webhook-configurations`, restoreConfiguration)
  }
  if (leftBehind.length === 0) end()
  return leftBehind

  async function attempt(title: string, undo: (run: Run) => Promise<void>) {
    await undo(run).catch((error: unknown) => {
      leftBehind.push(`${title} (${toNotMeasured(error).message})`)
    })
  }
}

/**
 * Changes of a run that are not put back yet, of a run that was killed, too. `file` holds nothing that
 * is secret; without one, nothing is kept.
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

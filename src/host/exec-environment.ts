import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import { atExit } from '../at-exit.ts'
import type { Coverage } from '../control-api/wire.ts'
import type { Evidence } from '../coverage/evidence.ts'
import type { Situations } from '../engine/situations.ts'
import { realTime } from '../real-time.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { parseSettings } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { Log, type LogLevel } from './log.ts'

/**
 * Environment variable in which `exec` passes settings to the sandboxes of its command, as JSON.
 */
export const READING = 'RAMP_SANDBOX_READING'
/** Environment variable with the folder where those sandboxes write their coverage. */
export const COVERAGE_FOLDER = 'RAMP_SANDBOX_COVERAGE'
/** Environment variable that says where those sandboxes write their log, as JSON. */
export const LOG = 'RAMP_SANDBOX_LOG'

/** The log that `exec` prints for the sandboxes of its command. */
export interface InheritedLog {
  level: LogLevel
  folder: string
}

/** Settings that a sandbox inherits from the `exec` around it; all others take precedence. */
export type InheritedSettings = Readonly<Record<string, SettingValue>>

export function readInheritedSettings(): InheritedSettings {
  const text = process.env[READING]
  if (text === undefined || text === '') return {}
  try {
    const reading: Record<string, SettingValue> = JSON.parse(text)
    parseSettings(reading)
    return reading
  } catch (error) {
    const message = `${READING} must hold settings as JSON: ${messageOf(error)}`
    throw new DomainError('invalid', message, { field: READING })
  }
}

/** Reads the coverage that sandboxes of other processes wrote to a folder. */
export const readEvidence = (folder: string): Evidence[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))

/** The part of `Worlds` that coverage is read from. */
interface CoveredWorlds {
  coverage(): Coverage
  situations: Situations
}

/** Collects the situations that were met, and the values of inherited settings at the time. */
export function toEvidence(worlds: CoveredWorlds): Evidence {
  const { under, failedControlCalls } = worlds.situations
  return {
    ...worlds.coverage(),
    under: [...under.values()].map(({ values, called }) => ({ values, called: [...called] })),
    failedControlCalls: [...failedControlCalls],
  }
}

/**
 * Writes a sandbox's coverage to the folder that `exec` named: at the end, and whenever something new
 * was met, because a test runner may end its workers with a signal. Returns a function that ends this.
 */
export function keepCoverage(worlds: CoveredWorlds): () => void {
  const folder = process.env[COVERAGE_FOLDER]
  if (folder === undefined || folder === '') return () => undefined
  const file = join(folder, `${process.pid}-${nanoid()}.json`)
  const write = () => {
    const evidence = toEvidence(worlds)
    if (evidence.calls === 0 && evidence.failedControlCalls.length === 0) return
    try {
      // A process that is killed while it writes leaves no half of a file to read.
      writeFileSync(`${file}.part`, JSON.stringify(evidence))
      renameSync(`${file}.part`, file)
    } catch {
      // The exec that reads it has ended.
    }
  }
  let isDue = false
  worlds.situations.onGrowth = () => {
    if (isDue) return
    isDue = true
    realTime.setImmediate(() => {
      isDue = false
      write()
    })
  }
  const takeBack = atExit(write)
  return () => {
    takeBack()
    write()
  }
}

/** Opens the log that the `exec` around this process prints. */
export function openInheritedLog(): Log | undefined {
  const text = process.env[LOG]
  if (text === undefined || text === '') return undefined
  const { level, folder }: InheritedLog = JSON.parse(text)
  const file = join(folder, `${process.pid}-${nanoid()}.log`)
  return new Log(level, (entry) => {
    try {
      appendFileSync(file, `${JSON.stringify(entry)}\n`)
    } catch {
      // The exec that reads it has ended.
    }
  })
}

import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import { atExit } from '../at-exit.ts'
import type { Evidence, RunChange } from '../engine/run-change.ts'
import type { Situations } from '../engine/situations.ts'
import { realTime } from '../real-time.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { parseSettings } from '../world/settings/index.ts'
import { Log, type LogLevel } from './log.ts'

/** Environment variable in which `exec` hands on what its run changes, as JSON. */
export const RUN = 'RAMP_SANDBOX_RUN'
/** Environment variable with the folder where those sandboxes write what they have met. */
export const EVIDENCE_FOLDER = 'RAMP_SANDBOX_COVERAGE'
/** Environment variable that says where those sandboxes write their log, as JSON. */
export const LOG = 'RAMP_SANDBOX_LOG'

/** The log that `exec` prints for the sandboxes of its command. */
export interface InheritedLog {
  level: LogLevel
  folder: string
}

/** Reads what the `exec` around this process changes. */
export function readRunChange(): RunChange {
  const text = process.env[RUN]
  if (text === undefined || text === '') return {}
  try {
    const change: RunChange = JSON.parse(text)
    parseSettings(change.settings ?? {})
    return change
  } catch (error) {
    const message = `${RUN} must be the JSON that exec passes on: ${messageOf(error)}`
    throw new DomainError('invalid', message, { field: RUN })
  }
}

export const toEvidence = ({ calls, met, settings, changes }: Situations): Evidence => {
  return { calls, met: [...met], settings: [...settings], changes }
}

/** Reads what sandboxes of other processes wrote to a folder. */
export const readEvidence = (folder: string): Evidence[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))

export const joinEvidence = (all: readonly Evidence[]): Evidence => ({
  calls: all.reduce((sum, { calls }) => sum + calls, 0),
  met: [...new Set(all.flatMap(({ met }) => met))],
  settings: [...new Set(all.flatMap(({ settings }) => settings))],
  changes: all.reduce((sum, { changes }) => sum + changes, 0),
})

/**
 * Writes what a sandbox has met to the folder that `exec` named: at the end, and whenever something
 * new was met, because a test runner may end its workers with a signal. Returns a function that ends this.
 */
export function keepEvidence(situations: Situations): () => void {
  const folder = process.env[EVIDENCE_FOLDER]
  if (folder === undefined || folder === '') return () => undefined
  const file = join(folder, `${process.pid}-${nanoid()}.json`)
  const write = () => {
    if (situations.calls === 0) return
    try {
      // A process that is killed while it writes leaves no half of a file to read.
      writeFileSync(`${file}.part`, JSON.stringify(toEvidence(situations)))
      renameSync(`${file}.part`, file)
    } catch {
      // The exec that reads it has ended.
    }
  }
  let isDue = false
  situations.onGrowth = () => {
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
  const append = (text: string) => {
    try {
      appendFileSync(file, text)
    } catch {
      // The exec that reads it has ended.
    }
  }
  // Even an empty file says that there was a sandbox.
  append('')
  return new Log(level, (entry) => append(`${JSON.stringify(entry)}\n`))
}

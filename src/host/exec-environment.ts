import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence } from '../coverage/evidence.ts'
import type { Situations } from '../engine/situations.ts'
import type { Coverage } from '../levers/wire.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { isSettingId, parseSettings, settingOf } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'

/** Environment in which `exec` hands settings to the sandboxes of its command, as JSON. */
export const READING = 'RAMP_SANDBOX_READING'
/** Environment in which it names the folder where they leave what was met. */
export const COVERAGE_FOLDER = 'RAMP_SANDBOX_COVERAGE'

export type Reading = Readonly<Record<string, SettingValue>>

/** Settings that `exec` hands on; any that a sandbox is given itself win. */
export function readReading(): Reading {
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

/** What the sandboxes of other processes have left in a folder. */
export const readEvidence = (folder: string): Evidence[] =>
  readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))

/** Parts of a process's worlds that say what was met. */
interface Witness {
  coverage(): Coverage
  situations: Situations
}

/** What was met, and under which values of some settings. */
export function toEvidence(worlds: Witness, ids: readonly string[]): Evidence {
  const { situations } = worlds
  const under = [...situations.settings.values()].map(({ settings, called }) => {
    const values = ids
      .filter(isSettingId)
      .map((id) => [id, settingOf(id).format(settings[id])] as const)
    return { values: Object.fromEntries(values), called: [...called] }
  })
  return { ...worlds.coverage(), under, refusedLevers: [...situations.refusedLevers] }
}

/**
 * Leaves what a sandbox has met in the folder that `exec` names, when it is closed, or when its
 * process ends before. Returns what does that at once.
 */
export function leaveCoverage(worlds: Witness): () => void {
  const folder = process.env[COVERAGE_FOLDER]
  if (folder === undefined || folder === '') return () => undefined
  const ids = Object.keys(readReading())
  const write = () => {
    process.off('exit', write)
    const evidence = toEvidence(worlds, ids)
    if (evidence.calls === 0 && evidence.refusedLevers.length === 0) return
    writeFileSync(join(folder, `${process.pid}-${randomUUID()}.json`), JSON.stringify(evidence))
  }
  process.on('exit', write)
  return write
}

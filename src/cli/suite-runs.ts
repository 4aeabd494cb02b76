import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Attempt } from '../coverage/readings-verdict.ts'
import type { InheritedSettings } from '../host/exec-environment.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { gatherEvidence, openOwn, runIn } from './exec-place.ts'
import type { ServingGiven } from './serving-options.ts'

export interface SuiteCommand {
  command: string
  args: readonly string[]
}

const OUTPUT_LINES = 12
/** Characters of the output of a run that are kept. */
const OUTPUT_MAX = 64 * 1024
/** Time limit of a run: a minute, or five times the undisturbed run if that is longer. */
const LIMIT_MS = 60_000
const LIMIT_FACTOR = 5

/** Runs of one command, each with a sandbox of its own. */
export class SuiteRuns {
  readonly #given: ServingGiven
  readonly #command: SuiteCommand
  readonly #folder = createTemporaryFolder()
  readonly #stopping = new AbortController()
  /** Settings of the undisturbed run. */
  usual: Readonly<Record<string, SettingValue>> = {}
  #count = 0
  #limitMs = 0

  constructor(given: ServingGiven, command: SuiteCommand) {
    this.#given = given
    this.#command = command
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** Runs the suite undisturbed, with its output shown and without a time limit. */
  async first(): Promise<Attempt> {
    const { signal } = this.#stopping
    const attempt = await this.#run({}, { given: this.#given, signal, isShown: true })
    this.#limitMs = Math.max(LIMIT_MS, LIMIT_FACTOR * Math.ceil(attempt.ms))
    return attempt
  }

  /** The suite under other settings, and perhaps with other options. */
  async under(reading: InheritedSettings, given = this.#given): Promise<Attempt> {
    const limit = AbortSignal.timeout(this.#limitMs)
    const signal = AbortSignal.any([limit, this.#stopping.signal])
    try {
      const attempt = await this.#run(reading, { given, signal, isShown: false })
      return limit.aborted ? { ...attempt, code: null } : attempt
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return { code: null, problem: messageOf(error), output: [], evidence: [], ms: 0 }
    }
  }

  async #run(
    reading: InheritedSettings,
    { given, signal, isShown }: { given: ServingGiven; signal: AbortSignal; isShown: boolean },
  ) {
    const folder = join(this.#folder, String(++this.#count))
    mkdirSync(folder)
    const startedAt = performance.now()
    let output = ''
    const onOutput = (text: string) => {
      output = `${output}${text}`.slice(-OUTPUT_MAX)
      if (isShown) process.stderr.write(text)
    }
    const place = await openOwn(given, { reading })
    if (isShown) this.usual = place.info.settings
    try {
      const code = await runIn(place, { ...this.#command, folder, onOutput, signal })
      const evidence = await gatherEvidence(place, folder)
      const ms = performance.now() - startedAt
      return { code, problem: null, output: lastLinesOf(output), evidence, ms }
    } finally {
      await place.close()
    }
  }
}

const lastLinesOf = (output: string) =>
  stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-OUTPUT_LINES)

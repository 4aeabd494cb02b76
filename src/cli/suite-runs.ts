import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RunChange } from '../engine/run-change.ts'
import { joinEvidence, readEvidence } from '../host/exec-environment.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import type { SuiteRun } from '../variations/suite.ts'
import { DomainError } from '../world/domain-error.ts'
import { openOwn, runIn } from './exec-place.ts'
import type { ServingGiven } from './serving-options.ts'

export interface SuiteCommand {
  command: string
  args: readonly string[]
}

/** Characters of the output of a run that are kept. */
const OUTPUT_MAX = 512 * 1024

/** Runs of one command, each with a sandbox of its own. */
export class SuiteRuns {
  readonly #given: ServingGiven
  readonly #command: SuiteCommand
  readonly #folder = createTemporaryFolder()
  #count = 0

  constructor(given: ServingGiven, command: SuiteCommand) {
    this.#given = given
    this.#command = command
  }

  async run(
    change: RunChange,
    { signal, isShown }: { signal: AbortSignal; isShown: boolean },
  ): Promise<SuiteRun> {
    try {
      return await this.#run(change, { signal, isShown })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const evidence = joinEvidence([])
      return { code: null, problem: error.message, output: '', evidence, settings: {} }
    }
  }

  async #run(
    run: RunChange,
    { signal, isShown }: { signal: AbortSignal; isShown: boolean },
  ): Promise<SuiteRun> {
    const folder = join(this.#folder, String(++this.#count))
    mkdirSync(folder)
    let output = ''
    const onOutput = (text: string) => {
      output = `${output}${text}`.slice(-OUTPUT_MAX)
      if (isShown) process.stderr.write(text)
    }
    const place = await openOwn(this.#given, { run })
    try {
      const code = await runIn(place, { ...this.#command, folder, onOutput, signal })
      const evidence = joinEvidence([place.evidence(), ...readEvidence(folder)])
      const { settings } = place.info
      return { code: signal.aborted ? null : code, problem: null, output, evidence, settings }
    } finally {
      await place.close()
    }
  }
}

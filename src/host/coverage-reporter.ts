import { formatReport, mergeCoverage, reportCoverage } from '../coverage/report.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { COVERAGE_FOLDER, readEvidence } from './exec-environment.ts'

const NO_CALL = 'The tests made no call of the contract, so there is no coverage of it.'

export interface CoverageReporterOptions {
  /** Lists everything that was never seen. Default: false, at most 40 lines. */
  all?: boolean | undefined
}

/** A reporter of Vitest. */
export interface CoverageReporter {
  onInit(): void
}

/**
 * Vitest reporter that prints at the end which situations of the contract the sandboxes of all
 * tests met, and which they never met. It is silent under `exec --coverage`, which prints the same.
 *
 * @example
 * const config = defineConfig({
 *   test: { reporters: ['default', coverageReporter()] },
 * })
 * assert.equal(config.test.reporters.length, 2)
 */
export function coverageReporter({ all = false }: CoverageReporterOptions = {}): CoverageReporter {
  return {
    onInit() {
      if (process.env[COVERAGE_FOLDER]) return
      // Registered before the listener that deletes the folder. Workers write their last coverage
      // after the last test, so this has to wait for the exit.
      process.once('exit', () => {
        const report = reportCoverage(mergeCoverage(readEvidence(folder)))
        const text = report.calls > 0 ? formatReport(report, { isAll: all }) : NO_CALL
        process.stdout.write(`\n${text}\n`)
      })
      const folder = createTemporaryFolder()
      process.env[COVERAGE_FOLDER] = folder
    },
  }
}

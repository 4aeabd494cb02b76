import { formatReport, mergeCoverage, reportCoverage } from '../coverage/report.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { COVERAGE_FOLDER, readEvidence } from './exec-environment.ts'

const NO_CALL = 'The tests made no call of the contract, so there is no coverage of it.'

export interface CoverageReporterOptions {
  /** Whether to list everything that was never seen. Default: false, at most 40 lines. */
  all?: boolean | undefined
}

/** A reporter of Vitest. */
export interface CoverageReporter {
  onInit(): void
}

/**
 * A reporter of Vitest that prints, when Vitest ends, which situations of the contract the sandboxes
 * of all tests have met, and which never. Within `exec --coverage`, which prints the same, it is silent.
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
      // Before the folder goes; workers leave the last of it after the last test.
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

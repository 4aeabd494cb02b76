import { mergeCoverage } from '../coverage/report.ts'
import type { Coverage } from '../levers/wire.ts'
import { createCommand } from './command.ts'
import {
  DEMAND_OPTIONS,
  printReport,
  REPORT_OPTIONS,
  readCoverageFile,
  toReport,
  writeCoverage,
} from './coverage-options.ts'
import { invalid } from './option-values.ts'
import { REMOTE_OPTIONS, withSandbox } from './remote.ts'

export const coverage = createCommand({
  usage: 'coverage [merge FILE …] [options]',
  about:
    'Shows which situations of the contract the calls and webhooks of a running sandbox have met, and which\n' +
    'never occurred, the worst first. merge joins the files of exec --coverage.\n\n' +
    'ramp-sandbox coverage --url http://127.0.0.1:4100/w/worker-1',
  words: true,
  options: {
    out: { value: 'FILE', help: 'write the coverage, joined by merge, to this file' },
    ...DEMAND_OPTIONS,
    ...REPORT_OPTIONS,
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print the whole report as JSON' },
  },
  exits: { 3: 'A requirement was not met; stderr says which.' },
  async act({ values, words }) {
    const coverages = await readCoverages(words, values)
    const report = toReport(coverages, values)
    if (values.out !== undefined) writeCoverage('--out', values.out, mergeCoverage(coverages))
    process.exitCode = printReport(report, { ...values, stream: process.stdout })
  },
})

async function readCoverages(
  [word, ...files]: readonly string[],
  place: Parameters<typeof withSandbox>[0],
): Promise<Coverage[]> {
  if (word === undefined) return [await withSandbox(place, (sandbox) => sandbox.coverage())]
  if (word !== 'merge') {
    throw invalid(word, `coverage does not take ${word}; it takes merge.`, 'ramp-sandbox coverage')
  }
  if (files.length === 0) throw invalid('FILE', 'coverage merge needs the files to join.')
  return files.map(readCoverageFile)
}

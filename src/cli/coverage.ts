import { createCommand } from './command.ts'
import { DEMAND_OPTIONS, printReport, writeCoverage } from './coverage-options.ts'
import { REMOTE_OPTIONS, withSandbox } from './remote.ts'

export const coverage = createCommand({
  usage: 'coverage [options]',
  about:
    'Shows which situations of the contract the calls and webhooks of a running sandbox have met, and which\n' +
    'never occurred, the worst first.\n\n' +
    'ramp-sandbox coverage --url http://127.0.0.1:4100/w/worker-1',
  options: {
    out: { value: 'FILE', help: 'write the coverage to this file' },
    ...DEMAND_OPTIONS,
    all: { help: 'list everything that was never seen' },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print the whole report as JSON' },
  },
  exits: { 3: 'A requirement was not met; stderr says which.' },
  async act({ values }) {
    const { all: isAll, json, out } = values
    const met = await withSandbox(values, (sandbox) => sandbox.coverage())
    if (out !== undefined) writeCoverage('--out', out, met)
    process.exitCode = printReport(met, values, { isAll, json, stream: process.stdout })
  },
})

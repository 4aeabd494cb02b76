// Measures the sandbox beside the least that could do the same, in one run, as ratios. README.md here
// says how. `npm run bench` takes all rows; `node test/bench/run.mjs GET advance` those that match.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { PINNING, stopAll } from './processes.mjs'
import { formatTable, toRow } from './report.mjs'
import { advance } from './rows/advance.mjs'
import { create, read } from './rows/serving.mjs'
import { memory, start } from './rows/start.mjs'

const ROWS = [start, memory, read, create, advance]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    /** A folder for a CPU profile of the sandbox, one for each row. */
    profile: { type: 'string' },
  },
})

const wanted = ROWS.filter(({ name }) => {
  return positionals.length === 0 || positionals.some((part) => name.includes(part))
})
const nodeArgs = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
const startedAt = performance.now()
console.log(`node ${process.version}, ${cpus()[0]?.model}; ${PINNING}`)
try {
  const rows = []
  for (const row of wanted) {
    rows.push(toRow(row, await row.measure({ rounds: Number(values.rounds), nodeArgs })))
    console.log(`${rows.at(-1).ratio} ${row.name}`)
  }
  console.log(`\n${formatTable(rows)}\n`)
  console.log(`${Math.round((performance.now() - startedAt) / 1000)} s in all`)
} finally {
  await stopAll()
}

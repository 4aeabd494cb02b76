// Measures the sandbox beside the least that could do the same, in one run, as ratios. README.md here
// says how. `npm run bench` takes all rows; `node test/bench/run.mjs stored advance` those that match.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { PINNING, stopAll } from './processes.mjs'
import { formatTable, toRow } from './report.mjs'
import { advance } from './rows/advance.mjs'
import { deliveries } from './rows/deliveries.mjs'
import { packedSize } from './rows/package.mjs'
import { persistence } from './rows/persistence.mjs'
import { resetFixture, resetGrown } from './rows/reset.mjs'
import { create, read } from './rows/serving.mjs'
import { memory, runs, starts } from './rows/start.mjs'

/** In the order of the table. */
const ROWS = [
  ...starts,
  memory,
  ...runs,
  read,
  create,
  advance,
  deliveries,
  resetGrown,
  resetFixture,
  persistence,
  packedSize,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    /** A folder for a CPU profile of the sandbox, one for each row. */
    profile: { type: 'string' },
  },
})

/** A whole name means that row alone: some names begin as another one does. */
const isNamed = (name, part) =>
  ROWS.some((row) => row.name === part) ? name === part : name.includes(part)
const chosen = ROWS.filter(({ name }) => {
  return positionals.length === 0 || positionals.some((part) => isNamed(name, part))
})
const nodeArgs = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => stopAll().finally(() => process.exit(1)))
}
const startedAt = performance.now()
console.log(`node ${process.version}, ${cpus()[0]?.model}; ${PINNING}`)
try {
  const rows = []
  for (const row of chosen) {
    const rowStartedAt = performance.now()
    rows.push(toRow(row, await row.measure({ rounds: Number(values.rounds), nodeArgs })))
    const { ratio, ours } = rows.at(-1)
    const seconds = Math.round((performance.now() - rowStartedAt) / 1000)
    console.log(`${ratio || ours}  ${row.name}  (${seconds} s)`)
  }
  console.log(`\n${formatTable(rows)}\n`)
  console.log(`${Math.round((performance.now() - startedAt) / 1000)} s in all`)
} finally {
  await stopAll()
}

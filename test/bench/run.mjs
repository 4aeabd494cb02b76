// Measures the sandbox beside the least that could do the same, in one run, as ratios. README.md here
// says how. `npm run bench` takes all rows; `node test/bench/run.mjs stored advance` those that match.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { PINNING, stopAll } from './processes.mjs'
import { ROWS } from './rows.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    /** A folder for a CPU profile of the sandbox, one for each row. */
    profile: { type: 'string' },
  },
})
const nodeArgs = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
const options = { rounds: Number(values.rounds), nodeArgs }

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => stopAll().finally(() => process.exit(1)))
}
const startedAt = performance.now()
const secondsSince = (at) => Math.round((performance.now() - at) / 1000)
console.log(`node ${process.version}, ${cpus()[0]?.model}; ${PINNING}`)
try {
  const lines = []
  for (const row of ROWS.filter(isChosen)) {
    const rowStartedAt = performance.now()
    const line = toLine(row, await row.measure(options))
    console.log(`${line.ratio || line.ours}  ${row.name}  (${secondsSince(rowStartedAt)} s)`)
    lines.push(line)
  }
  console.log(`\n${formatTable(lines)}\n\n${secondsSince(startedAt)} s in all`)
} finally {
  await stopAll()
}

/** A whole name means that row alone: some names begin as another one does. */
function isChosen({ name }) {
  const isNamed = (part) =>
    ROWS.some((row) => row.name === part) ? name === part : name.includes(part)
  return positionals.length === 0 || positionals.some(isNamed)
}

/** Without anything beside it, the figure itself is held against the aim, not a ratio. */
function toLine({ name, beside = '', unit, aim }, measured) {
  const isRatio = beside !== ''
  const figures = measured.map(({ ours, bare }) => (isRatio ? ours / bare : ours))
  const figure = quantile(figures, aim.at ?? 0.5)
  const show = isRatio ? (ratio) => ratio.toFixed(ratio < 10 ? 2 : 1) : short
  const median = (side) =>
    whole(
      quantile(
        measured.map((round) => round[side]),
        0.5,
      ),
    )
  return {
    what: name,
    beside,
    ratio: isRatio ? show(figure) : '',
    spread: `${show(Math.min(...figures))}–${show(Math.max(...figures))}`,
    ...judge(aim, figure, isRatio ? '' : ` ${unit}`),
    ours: `${isRatio ? median('ours') : show(figure)} ${unit}`,
    bare: isRatio ? `${median('bare')} ${unit}` : '',
  }
}

/** The aim in words, and whether it is met; nothing for a row that has none. */
function judge({ least, most, under }, figure, unit) {
  if (least !== undefined) return toVerdict(`≥ ${least.toFixed(2)}${unit}`, figure >= least)
  if (most !== undefined) return toVerdict(`≤ ${most}${unit}`, figure <= most)
  if (under !== undefined) return toVerdict(`< ${under}${unit}`, figure < under)
  return { aim: '', met: '' }
}

function toVerdict(aim, isMet) {
  return { aim, met: isMet ? 'yes' : 'no' }
}

/** The value that this part of all values does not exceed; between two of them for a median. */
function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = part * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

function whole(figure) {
  return Math.round(figure).toLocaleString('en')
}

function short(figure) {
  return figure < 100 ? String(Math.round(figure * 10) / 10) : whole(figure)
}

/** Markdown, so that it can be pasted as it is. */
function formatTable(lines) {
  const names = Object.keys(lines[0] ?? {})
  const cells = [names, ...lines.map((line) => names.map((name) => line[name]))]
  const widths = names.map((_, i) => Math.max(...cells.map((row) => row[i].length)))
  const toRow = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  const [head, ...body] = cells
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(toRow).join('\n')
}

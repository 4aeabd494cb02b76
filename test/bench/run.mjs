// Measures the sandbox beside its build of before and the least that could do the same, in one run.
// README.md here says how. `npm run bench -- requests start` takes those measurements only.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stopAll } from '../helpers/sandbox.mjs'
import { evaluateWith, PINNING } from './processes.mjs'
import { DYNALITE, JSON_SERVER } from './requests.mjs'
import { MEASUREMENTS } from './rows.mjs'
import { root } from './sandbox.mjs'

const COLUMNS = [
  ...['Row', 'This build', 'Before', 'Of before', 'Bare', 'Beside bare'],
  ...['zod-validator', 'dynalite', 'json-server', 'Aim', 'Result'],
]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    nodes: { type: 'string' },
    starts: { type: 'string', default: '3' },
    profile: { type: 'string' },
    write: { type: 'boolean' },
  },
})
const unknown = positionals.filter((name) => !Object.hasOwn(MEASUREMENTS, name))
if (unknown.length > 0)
  throw new Error(
    `no measurement ${unknown.join(', ')}; there are ${Object.keys(MEASUREMENTS).join(', ')}`,
  )
if (values.write && positionals.length > 0)
  throw new Error('--write replaces all results, so it needs all measurements')
const builds = { now: root, ...(values.before && { before: resolve(values.before) }) }
const majors = values.nodes?.split(',') ?? []
const nodes = Object.fromEntries([process.execPath, ...majors.map(findNode)].map(withVersion))
const nodeArgs = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
const options = { builds, nodes, starts: Number(values.starts), nodeArgs }

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => stopAll().finally(() => process.exit(1)))
}
const startedAt = performance.now()
const rows = []
const machine = describeMachine()
console.log(machine)
for (const name of positionals.length > 0 ? positionals : Object.keys(MEASUREMENTS)) {
  const nameStartedAt = performance.now()
  const measured = await measure(name)
  rows.push(...measured)
  for (const row of measured) console.log(toLine(row))
  console.log(`${name}: ${secondsSince(nameStartedAt)} s\n`)
}
const table = `${machine}\n\n${formatTable(rows)}`
console.log(`${table}\n\n${secondsSince(startedAt)} s in all`)
if (values.write) writeResults(table)

/** The rows of a measurement; one that fails has a row that says so, and the others keep theirs. */
async function measure(name) {
  try {
    return (await MEASUREMENTS[name](options)).map(toCells)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
    return [{ Row: name, Result: 'failed' }]
  } finally {
    await stopAll()
  }
}

function secondsSince(at) {
  return Math.round((performance.now() - at) / 1_000)
}

/** Another version of Node, from the package of that name. */
function findNode(major) {
  return evaluateWith(`node@${major}`, 'process.execPath')
}

function withVersion(node) {
  return [execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim(), node]
}

function describeMachine() {
  const commit = (cwd) =>
    execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd, encoding: 'utf8' }).trim()
  const version = (name) =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version
  const packages = ['hono', '@hono/node-server', '@hono/zod-validator', 'zod']
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores of ${cpus()[0]?.model}`,
    `load ${loadavg()[0].toFixed(1)} before the run`,
    PINNING,
    `Node ${Object.keys(nodes).join(', ')}`,
    ...packages.map((name) => `${name}@${version(name)}`),
    DYNALITE,
    JSON_SERVER,
    ...Object.entries(builds).map(([side, build]) => `${side}: ${commit(build)}`),
  ].join('; ')
}

/** One row of the table as text. A share is the other side's cost as a part of ours. */
function toCells({ name, unit, aim, figures }) {
  const { now, before, bare, validator, dynalite, jsonServer } = figures
  const ratios = (of) => of.map((figure, i) => (aim.share ? figure / now[i] : now[i] / figure))
  const withUnit = (of) => `${short(median(of))} ${unit}`.trim()
  const share = (of) => median(ratios(of)).toFixed(2)
  return {
    Row: name,
    'This build': withUnit(now),
    Before: before && withUnit(before),
    'Of before': before && spread(before.map((figure, i) => now[i] / figure)),
    Bare: bare && withUnit(bare),
    'Beside bare': bare && spread(ratios(bare)),
    'zod-validator': validator && share(validator),
    dynalite: dynalite && share(dynalite),
    'json-server': jsonServer && share(jsonServer),
    ...judge(aim, unit, aim.most ? now : bare && ratios(bare)),
  }
}

/** The aim in words, and by how much it is missed; nothing for a row that has none. */
function judge({ share, times, most }, unit, figures) {
  const bound = share ?? times ?? most
  if (bound === undefined) return {}
  const figure = median(figures)
  const isMet = share ? figure >= bound : figure <= bound
  return {
    Aim: `${share ? '≥' : '≤'} ${bound} ${most ? unit : ''}`.trim(),
    Result: isMet ? 'met' : `missed by ${Math.ceil(Math.abs(figure / bound - 1) * 100)} %`,
  }
}

/** The median of ratios, and between what half of them are. */
function spread(ratios) {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(2))
  return ratios.length > 1 ? `${middle} [${low}–${high}]` : middle
}

function median(figures) {
  return quantile(figures, 0.5)
}

/** The value that this part of all values does not exceed; between two of them for a median. */
function quantile(figures, part) {
  const sorted = [...figures].sort((a, b) => a - b)
  const at = part * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

function short(figure) {
  const digits = figure < 10 ? 2 : figure < 100 ? 1 : 0
  return Number(figure.toFixed(digits)).toLocaleString('en')
}

/** Markdown, so that it can be pasted as it is. */
function formatTable(rows) {
  const head = [COLUMNS, COLUMNS.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`)
  return [...head, ...rows.map(toLine)].join('\n')
}

function toLine(row) {
  return `| ${COLUMNS.map((name) => row[name] ?? '').join(' | ')} |`
}

/** Replaces the results in README.md. */
function writeResults(table) {
  const file = join(import.meta.dirname, 'README.md')
  const text = readFileSync(file, 'utf8')
  const results = /(?<=<!-- results -->\n).*(?=<!-- \/results -->)/s
  writeFileSync(
    file,
    text.replace(results, () => `\n${table}\n\n`),
  )
}

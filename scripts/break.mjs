// Breaks each operation, event and rule of scripts/breaks.json on purpose and writes down which tests notice:
//   node scripts/break.mjs                 every change of scripts/breaks.json
//   node scripts/break.mjs ROW…         those of some rows, such as 'POST /v2/users' or transactionComplete
//   node scripts/break.mjs --missing    those that have no result yet, or another change
// It works in a copy of the last commit and never in the working tree. Only tests that run in their own
// process are asked; the result is written after each change, so it can be interrupted at any time.
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { countOf, fingerprintOf, isKnown, RESULT_FILE, readBreaks, readResult } from './breaks.mjs'

/** Tests that say what the contract says, without those that measure time or need sockets of their own. */
const TESTS = [
  'test/v2',
  'test/v1',
  'test/webhooks/journal.test.ts',
  'test/webhooks/sign.test.ts',
  'test/kyb.test.ts',
]
const LEFT_OUT = ['test/v2/bad-sockets.test.ts', 'test/v2/strangers.test.ts']
/** Other work goes first: the whole table takes half an hour. */
const NICENESS = 5
/** A change may keep a test waiting for ever. */
const RUN_MAX_MS = 300_000

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { missing: { type: 'boolean', default: false } },
})
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const commit = git('rev-parse', '--short=10', 'HEAD')
const breaks = readBreaks()
const result = readResult()
const folder = mkdtempSync(join(tmpdir(), 'ramp-break-'))
let running
process.on('exit', () => {
  running?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

const chosen = choose()
if (chosen.length === 0) {
  console.log('Nothing to do.')
} else {
  copyCommit()
  const files = testFiles()
  await assertSound(files)
  await breakAll(files)
}

/** The first change of each row comes first, so that an interrupted run has proven most rows. */
function choose() {
  const unknown = positionals.filter((row) => breaks[row] === undefined)
  if (unknown.length > 0) throw new Error(`scripts/breaks.json has no row ${unknown.join(', ')}.`)
  const rows = positionals.length > 0 ? positionals : Object.keys(breaks)
  const all = rows.flatMap((row) => breaks[row].map((change, place) => ({ row, change, place })))
  return all
    .filter(({ row, change }) => !values.missing || !isKnown(change, result[row]?.[change.says]))
    .sort((a, b) => a.place - b.place)
}

/** The last commit, with the installed packages linked one by one: caches stay in the copy. */
function copyCommit() {
  if (git('status', '--porcelain', '--untracked-files=no', 'src', 'test') !== '') {
    console.error('Changes that are not committed are left out.')
  }
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  mkdirSync(join(folder, 'node_modules'))
  const packages = readdirSync(join(root, 'node_modules')).filter(
    (name) => !/^\.(?!bin)/.test(name),
  )
  for (const name of packages) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
}

/** The files of tests, with their texts. */
function testFiles() {
  const paths = TESTS.flatMap((path) =>
    path.endsWith('.ts')
      ? [path]
      : readdirSync(join(folder, path)).map((name) => `${path}/${name}`),
  )
  return paths
    .filter((path) => path.endsWith('.test.ts') && !LEFT_OUT.includes(path))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

/** A red test proves nothing where it is red without a change. */
async function assertSound(files) {
  const { test } = await runTests(files)
  if (test !== null) throw new Error(`Without any change this is red: ${test.file}: ${test.title}.`)
}

async function breakAll(files) {
  const unproven = []
  for (const [index, { row, change }] of chosen.entries()) {
    const { test, unloaded } = await breakOnce(files, { row, change })
    const entry = { change: fingerprintOf(change), commit, test }
    result[row] = { ...result[row], [change.says]: entry }
    writeResult()
    const noticed = test ? `${test.file}: ${test.title}` : (unloaded ?? 'no test noticed')
    console.log(`${index + 1}/${chosen.length} ${row} ${change.says}\n    ${noticed}`)
    if (test === null) unproven.push(`${row} ${change.says}: ${noticed}`)
  }
  if (unproven.length === 0) return
  console.error(`\nNothing is proven by\n  ${unproven.join('\n  ')}`)
  process.exitCode = 1
}

/** Asks the tests that are about the row first, and the others only where those notice nothing. */
async function breakOnce(files, { row, change }) {
  const path = join(folder, change.file)
  const source = readFileSync(path, 'utf8')
  const count = countOf(source, change.text)
  if (count !== 1)
    throw new Error(`${row}: ${change.file} has the text ${count} times: ${change.text}`)
  writeFileSync(
    path,
    source.replace(change.text, () => change.instead),
  )
  try {
    const near = files.filter((file) => isAbout(file, row))
    const found = await runTests(near)
    if (found.test || found.unloaded) return found
    return await runTests(files.filter((file) => !near.includes(file)))
  } finally {
    writeFileSync(path, source)
  }
}

/** Whether a file of tests calls an operation or names an event, or is named like the resource. */
function isAbout({ path, text }, row) {
  const named = row.toLowerCase().includes(basename(path, '.test.ts'))
  return named || text.includes(row.includes(' ') ? `'${row}'` : row)
}

/** Runs tests until the first of them fails. */
async function runTests(files) {
  if (files.length === 0) return { test: null }
  const output = join(folder, 'report.json')
  rmSync(output, { force: true })
  const paths = files.map(({ path }) => path)
  const options = ['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${output}`]
  const args = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...paths, ...options]
  running = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', timeout: RUN_MAX_MS })
  setPriority(running.pid, NICENESS)
  await new Promise((resolve) => running.on('close', resolve))
  return readReport(output)
}

/** The test that failed. Where a file cannot even be loaded, the change proves nothing. */
function readReport(output) {
  if (!existsSync(output)) return { test: null, unloaded: 'the tests do not end' }
  const { testResults } = JSON.parse(readFileSync(output, 'utf8'))
  const failed = testResults.filter(({ status }) => status === 'failed')
  const unloaded = failed.find(({ assertionResults }) => assertionResults.length === 0)
  if (unloaded) return { test: null, unloaded: `does not load: ${unloaded.message}` }
  const [test = null] = failed.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => ({ file: relative(folder, name), title: fullName.trim() })),
  )
  return { test }
}

/** Rows and changes in the order of the table, without those that are gone. */
function writeResult() {
  const rows = Object.entries(breaks).map(([row, changes]) => {
    const known = changes.map(({ says }) => [says, result[row]?.[says]])
    return [row, Object.fromEntries(known.filter(([, entry]) => entry !== undefined))]
  })
  const text = JSON.stringify(Object.fromEntries(rows), null, 2)
  writeFileSync(RESULT_FILE, `${text}\n`)
}

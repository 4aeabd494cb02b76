// Explores receivers with one mistake each, and correct ones, with those of the examples: says how many
// mistakes are found, and how many correct receivers are accused. `node test/explore/run.mjs NAME…`
// explores only some.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CLI, findFreePort } from '../helpers/sandbox.mjs'
import { EXPLORED } from './examples.mjs'

const receivers = join(import.meta.dirname, 'receivers')
const folder = mkdtempSync(join(tmpdir(), 'explore-'))
/** They wait most of their time. */
const AT_ONCE = 4

/** Receivers by name: how each is started, and the finding that names its mistake. */
const MISTAKES = {
  twice: ['node', /arrives twice, `wallet`/],
  overwrites: ['node', /`pending` arrives after `processing`/],
  'responds-first': ['node', /killed right after its response/],
  'two-writes': ['node', /killed while it stores `complete`, `wallet`/],
  're-serialised': ['node', /verifies a re-serialised body/],
  'order-trusted': ['python', /`pending` (arrives after|is lost)/],
  'verifies-late': ['python', /a copy of `\w+` with (a changed body|a wrong signature)/],
  'any-age': ['python', /a copy of `\w+` with an old timestamp/],
  'reconcile-forgets': ['python', /`complete` is lost/],
  'reconcile-credits': ['python', /reconciles though nothing was lost/],
  'lost-update': ['go', /arrive at the same time/],
  'forgets-seen': ['go', /arrives again after a restart/],
  'id-only': ['go', /eventId instead of id/],
  slow: ['go', /takes 3 s to respond to `\w+`: respond first/],
  others: ['go', /someone else places an order, the receiver responds/],
}
const RIGHT = { plain: ['python'], 'store-respond-work': ['go'], queue: ['node'] }
/** The second story ends earlier: what `complete` mends shows there. */
const STORIES = ['buy-completes', 'buy-funded']

/** Starts a receiver with a port, a file for its store, and its name. */
const STARTS = {
  node: (...words) => ['node', join(receivers, 'receiver.mjs'), ...words],
  python: (...words) => ['python3', join(receivers, 'receiver.py'), ...words],
  go: (...words) => [join(folder, 'receiver-go'), ...words],
  // It keeps its state in memory, so nobody kills it.
  example: (...words) => ['node', join(receivers, 'example.mjs'), ...words],
}

try {
  execFileSync('go', ['build', '-o', join(folder, 'receiver-go'), join(receivers, 'receiver.go')])
  const wanted = process.argv.slice(2)
  const all = [
    ...Object.entries(MISTAKES).map(([name, [start, finding]]) => ({ name, start, finding })),
    ...Object.entries(RIGHT).map(([name, [start]]) => ({ name, start })),
    ...Object.keys(EXPLORED).map((name) => ({ name, start: 'example' })),
  ]
  const unknown = wanted.filter((name) => all.every((receiver) => receiver.name !== name))
  if (unknown.length > 0) throw new Error(`There is no receiver ${unknown.join(', ')}.`)
  const listed = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const results = await runAll(listed)
  const wrong = results.filter(({ finding }) => finding)
  const right = results.filter(({ finding }) => !finding)
  const failed = results.filter(({ isFailed }) => isFailed)
  const found = wrong.filter(({ isFailed }) => !isFailed).length
  const accused = right.filter(({ isFailed }) => isFailed).length
  console.log(
    `${found} of ${wrong.length} found, ${accused} of ${right.length} accused${failed.map(({ line }) => `; ${line}`).join('')}`,
  )
  process.exitCode = failed.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function runAll(listed) {
  const waiting = [...listed.entries()]
  const results = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      results[next[0]] = await explore(next[1])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

/** Explores with one story after another until the mistake shows, and prints a line. */
async function explore(receiver) {
  const { name, finding } = receiver
  const ended = []
  const conclude = (verdict, isFailed) => {
    const said = isFailed ? ` (${ended.map(summarise).join('; ')})` : ''
    const line = `${name}: ${verdict}${said}`
    console.log(line)
    if (isFailed) console.log(ended.map(({ out }) => out.replace(/^/gm, '    ')).join('\n'))
    return { ...receiver, line, isFailed }
  }
  for (const story of STORIES) {
    const { code, out } = await exploreStory(receiver, story)
    ended.push({ story, code, out })
    if (finding && code === 2 && finding.test(out)) return conclude('found', false)
    if (!finding && code !== 0) return conclude('ACCUSED', true)
  }
  return finding ? conclude('MISSED', true) : conclude('right', false)
}

/** What a report says, in one line. */
function summarise({ story, code, out }) {
  const said = out
    .split('\n')
    .filter((line) => /^(\d+\. |No verdict|Unclear| {2}.*it failed once)/.test(line))
  return [`${story} ended with ${code}`, ...said.map((line) => line.trim())].join(', ')
}

async function exploreStory({ name, start }, story) {
  const port = await findFreePort()
  const store = join(folder, `${name}-${story}.json`)
  const command = STARTS[start](String(port), store, name)
  const isKilled = start !== 'example'
  const run = ['--run', command.map((word) => `'${word}'`).join(' ')]
  const url = `http://127.0.0.1:${port}`
  const args = [
    ...['explore', story, '--port', '0', '--webhook-url', `${url}/hooks`],
    ...['--state', `${url}/state`, '--reset', `${url}/reset`],
    ...(isKilled ? ['--reconcile', `${url}/reconcile`, ...run] : []),
  ]
  const server = isKilled ? undefined : spawn(command[0], command.slice(1), { stdio: 'inherit' })
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  server?.kill()
  return { code, out: out + err }
}

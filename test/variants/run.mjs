/**
 * Runs suites of four runners under the three modes of `exec` that run a command again: one that
 * asserts nothing, a right one, and one with a planted assumption; and five right clients, none of
 * which may be accused. It takes some minutes; with --short, only a cross-section of seconds.
 * `node test/variants/run.mjs WORD…` runs only the cases with all of these words.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLI } from '../helpers/sandbox.mjs'

const root = join(import.meta.dirname, '../..')
const here = (path) => join(import.meta.dirname, path)
const cache = mkdtempSync(join(tmpdir(), 'ramp-variants-'))
process.once('exit', () => rmSync(cache, { recursive: true, force: true }))

const RUNNERS = {
  node: ['node', '--test', here('node.test.mjs')],
  vitest: [
    'node',
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    here('vitest.config.mjs'),
    '--root',
    here(''),
  ],
  pytest: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', here('py')],
  go: ['sh', '-c', `cd '${here('go')}' && go test -count=1 ./...`],
}

const MODES = {
  variants: ['--variants'],
  deliveries: ['--variants', 'deliveries'],
  unchecked: ['--unchecked'],
  created: ['--variants=status.created'],
}

/** The code that each kind of suite ends with, and what the report must say. */
const EXPECTED = {
  nothing: {
    variants: [1, /also passes when nearly every API call is refused/],
    deliveries: [1, /also passes when nearly every API call is refused/],
    unchecked: [1, /also passes when nearly every API call is refused/],
  },
  right: {
    variants: [0, / 0 findings/],
    deliveries: [0, / 0 findings/],
    unchecked: [0, / [1-9]\d* noticed/],
  },
  planted: {
    variants: [
      2,
      /With status\.created=201[\s\S]*\| .*(a user signs up|test_signs_up|TestSignsUp)/,
    ],
    deliveries: [
      2,
      /With every event twice[\s\S]*\| .*(credits once|test_receives_a_webhook|TestReceivesAWebhook)/,
    ],
    unchecked: [0, /stays green/],
  },
}

const only = process.argv.slice(2).filter((word) => word !== '--short')
const isShort = process.argv.includes('--short')
/** pytest is not everywhere, and Go compiles for longer than all else takes. */
const SHORT = ['node', 'vitest']
let count = 0
let failed = 0

function check(name, mode, suite, env, [code, says]) {
  if (only.length > 0 && !only.every((word) => `${name} ${mode}`.includes(word))) return
  count++
  const startedAt = performance.now()
  const { status, stdout } = spawnSync(
    process.execPath,
    [CLI, 'exec', ...MODES[mode], '--jobs', '2', '--', ...suite],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        NO_COLOR: '1',
        PYTHONDONTWRITEBYTECODE: '1',
        GOCACHE: join(cache, 'go'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const isRight = status === code && says.test(stdout)
  if (!isRight) failed++
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  console.log(
    `${isRight ? 'ok  ' : 'FAIL'} ${name.padEnd(16)} ${mode.padEnd(10)} exit ${status}  ${seconds} s`,
  )
  if (!isRight || process.env.SHOW) console.log(stdout.replace(/^/gm, '     '))
}

function runAll() {
  for (const [runner, suite] of Object.entries(RUNNERS)) {
    for (const kind of ['nothing', 'right', 'planted']) {
      for (const mode of Object.keys(EXPECTED.right)) {
        const mistake = kind === 'planted' && mode === 'deliveries' ? 'no-dedupe' : ''
        const cancels = kind === 'planted' && mode === 'unchecked' ? 'assumes-cancel' : ''
        const env = { KIND: kind, MISTAKE: mistake || cancels, STYLE: 'users' }
        check(`${runner} ${kind}`, mode, suite, env, EXPECTED[kind][mode])
      }
    }
  }

  for (const style of ['users', 'refetch', 'inbox', 'once', 'strict']) {
    for (const mode of Object.keys(EXPECTED.right)) {
      const env = { KIND: 'right', MISTAKE: '', STYLE: style }
      check(`client ${style}`, mode, RUNNERS.node, env, EXPECTED.right[mode])
    }
  }

  // A client that assumes that a cancellation succeeds is the one that stays green.
  check(
    'cancel checked',
    'unchecked',
    RUNNERS.node,
    { KIND: 'right', MISTAKE: '', STYLE: 'users' },
    [0, /^(?![\s\S]*cancelTransaction is refused)[\s\S]*$/],
  )
  check(
    'cancel assumed',
    'unchecked',
    RUNNERS.node,
    { MISTAKE: 'assumes-cancel', STYLE: 'users' },
    [0, /cancelTransaction is refused/],
  )
}

/** One mistake for each runner, under the variant that shows it. */
function runShort() {
  for (const runner of SHORT) {
    const env = { KIND: 'planted', MISTAKE: '', STYLE: 'users' }
    check(`${runner} planted`, 'created', RUNNERS[runner], env, EXPECTED.planted.variants)
  }
}

if (isShort) runShort()
else runAll()
if (count === 0) throw new Error(`No case has all of the words ${only.join(', ')}.`)
console.log(failed === 0 ? 'all as expected' : `${failed} not as expected`)
process.exitCode = failed === 0 ? 0 : 1

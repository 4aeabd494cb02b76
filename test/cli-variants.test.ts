import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endCommands, runCommand, startCommand } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runAtOnce } from './helpers/in-process.ts'

afterAll(endCommands)

const root = join(import.meta.dirname, '..')
const folder = createFolder()
const path = (name: string) => join(folder, name)
const shell = (name: string, ...args: string[]) => ['sh', path(`${name}.sh`), ...args]

/** What the suites share. A process of Node for each run would take five times as long. */
const CALLS = `
  set -e
  send() {
    curl --silent --output "$0.$$.response" --write-out '%{http_code}' --request "$1" \\
      --header "x-api-key: $RAMP_SANDBOX_API_KEY" --header 'content-type: application/json' \\
      --data "$3" "$RAMP_SANDBOX_URL$2"
  }
  create() { send POST /v2/users '{"email":"ana@example.com"}'; }
  find_user() { send GET '/v2/users?email=ana@example.com' ''; }
  configure() {
    send PUT /v2/webhook-configurations '{"url":"'$RAMP_SANDBOX_URL'/_sandbox/catch/hooks"}'
  }
  decide() {
    send POST /_sandbox/simulate/users/ana@example.com/kyc '{"status":"'$1'"}' >/dev/null
  }
  caught() {
    curl --silent "$RAMP_SANDBOX_URL/_sandbox/catch/hooks/requests" | grep -o "$1" | wc -l
  }
  expect() {
    actual=$($1)
    if test "$actual" != "$2"; then echo "not ok 1 - expected $2, got $actual"; exit 1; fi
  }
  # How often this suite has run.
  count() { printf . >> "$0.count"; wc -c < "$0.count"; }`

const SUITES = {
  /** Takes one status for granted. */
  strict: 'expect create 200; expect find_user 200',
  /** Expects what the contract says. */
  right: `
    case $(create) in 2??) ;; *) exit 1 ;; esac
    expect find_user 200
    grep -q '"id"' "$0.$$.response"`,
  /** Asserts nothing. */
  blind: 'create; find_user',
  /** Looks at its first call only. */
  careless: 'case $(create) in 2??) ;; *) exit 1 ;; esac; find_user; find_user; find_user',
  single: 'expect find_user 200',
  idle: '',
  broken: 'create; exit 7',
  endless: 'create; echo calling >&2; while :; do sleep 60 & wait $!; done',
  /** Fails once, in its fourth run: the first with a variant. */
  once: 'expect find_user 200; test $(count) -ne 4 || exit 9; expect find_user 200',
  /** Meets the error of a missing key. */
  keyless: `
    expect find_user 200
    RAMP_SANDBOX_API_KEY=none; status=$(find_user)
    test "$status" -ge 400`,
  /** Takes it for granted that each of three events comes once, and may reset. */
  counting: `
    expect configure 200; expect create 200
    for status in upload in-review verified; do decide $status; done
    send POST /_sandbox/webhooks/drain '{}' >/dev/null
    test $(caught '"method"') -eq 3 || { echo "FAIL: counted $(caught '"method"')"; exit 1; }`,
  /** Looks for each status, however often it comes. */
  looking: `
    expect configure 200; expect create 200
    for status in upload in-review verified; do decide $status; done
    send POST /_sandbox/webhooks/drain '{}' >/dev/null
    for status in upload in-review verified; do
      test $(caught "status[^a-z]*$status") -ge 1 || { echo "FAIL: no $status"; exit 1; }
    done`,
  /** Has the secret of its webhooks from the first configuration, or from elsewhere. */
  secretive: `
    expect configure 200
    grep -q whsec_ "$0.$$.response" || test -n "$RAMP_SANDBOX_SIGNING_SECRET"`,
  configuring: 'expect configure 200',
  /** Leaves a daemon behind, which holds the output of the suite. */
  daemonic: 'setsid sleep 90 & echo $! >> "$0.pids"; create; exit 7',
  forgetful: 'expect configure 200; grep -q whsec_ "$0.$$.response"',
}

/** A suite that has a sandbox of its own, which may give the setting itself. */
const OWN = `
  import { appendFileSync } from 'node:fs'
  import { createSandbox } from ${JSON.stringify(join(root, 'dist/index.js'))}
  const settings = process.argv[2] === 'given' ? { 'status.created': 200 } : {}
  const sandbox = await createSandbox({ settings, listen: false })
  for (const email of ['ana@example.com', 'ben@example.com']) {
    const { status } = await sandbox.fetch('/v2/users', {
      method: 'POST',
      headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    await sandbox.reset()
    appendFileSync(import.meta.filename + '.' + process.argv[2], status + ' ')
    if (status >= 400) throw new Error('got ' + status)
  }
  await sandbox.close()`

beforeAll(() => {
  for (const [name, code] of Object.entries(SUITES)) {
    writeFileSync(path(`${name}.sh`), `${CALLS}\n${code}\n`)
  }
  writeFileSync(path('own.mjs'), OWN)
})

const variants = (group: string, ...command: string[]) =>
  runAtOnce(['exec', `--variants=${group}`, '--', ...command])
const unchecked = (...command: string[]) => runAtOnce(['exec', '--unchecked', '--', ...command])

it.concurrent('exec --variants names a variant with which a suite fails, the failed assertion, and the command', async () => {
  const { code, out } = await variants('status.created', ...shell('strict'))
  expect(code).toBe(2)
  expect(out).toContain('With status.created=201 instead of 200, your suite fails (exit 1).')
  expect(out).toContain('| not ok 1 - expected 200, got 201')
  const [again = ''] = /ramp-sandbox exec --set status\.created=201 -- .*/.exec(out) ?? []
  const reproduced = await runCommand(again.split(' ').slice(1))
  expect(reproduced).toMatchObject({ code: 1, out: 'not ok 1 - expected 200, got 201\n' })
})

it.concurrent('exec --variants finds nothing in a suite that expects what the contract says', async () => {
  const { code, out } = await variants('status', ...shell('right'))
  expect([code, out]).toEqual([0, expect.stringContaining('0 findings')])
  expect(out).toMatch(/status\.missing-key, .* more \(errors that your suite never hits/)
})

it.concurrent('exec --variants tries no setting that the command line or a fixture gives', async () => {
  const fixture = path('given.json')
  writeFileSync(fixture, JSON.stringify({ settings: { 'users.visibility': 'integrator' } }))
  for (const [group, ...given] of [
    ['status.created', '--set', 'status.created=200'],
    ['users.visibility', '--fixture', fixture],
  ] as const) {
    const args = ['exec', `--variants=${group}`, ...given, '--', ...shell('strict')]
    const { code, out } = await runAtOnce(args)
    expect([code, out]).toEqual([1, expect.stringContaining(`no variant of ${group} applies`)])
  }
})

it.concurrent('exec --variants lists a failure that the project accepts, and exits with 0', async () => {
  const options = ['--variants=status.created', '--ignore', 'status.created=201,quotes.ttl=1h']
  const { code, out } = await runAtOnce(['exec', ...options, '--', ...shell('strict')])
  expect([code, out]).toEqual([0, expect.stringMatching(/Ignored:\n.*status\.created=201/)])
})

it.concurrent('exec --variants tries another status for an error that the suite meets', async () => {
  const { code, out } = await variants('status.unknown-key', ...shell('keyless'))
  expect([code, out]).toEqual([0, expect.stringContaining('statuses 1 of 1')])
})

it.concurrent.each([
  ['that asserts nothing', 'blind', 1, 'also passes when nearly every API call is refused (429)'],
  ['that looks at its first call only', 'careless', 1, 'nearly every API call is refused (429)'],
  ['that makes no call', 'idle', 1, 'your suite made no API calls'],
  ['that fails unchanged', 'broken', 1, 'your suite fails even with nothing changed (exit 7)'],
])('exec --variants has no verdict for a suite %s', async (_, name, code, problem) => {
  const options = ['--variants=users.visibility', '--json']
  const ended = await runAtOnce(['exec', ...options, '--', ...shell(name)])
  expect(ended.code).toBe(code)
  expect(JSON.parse(ended.out).problem).toContain(problem)
})

it.concurrent('exec --variants has no verdict on a failure that does not happen again', async () => {
  const { code, out } = await variants('users.visibility', ...shell('once'))
  expect([code, out]).toEqual([1, expect.stringContaining('it failed once, but not when run')])
})

it.concurrent('exec --variants ends even if the suite left a daemon that holds its output open', async () => {
  const { code, out } = await runCommand([
    ...['exec', '--variants=users.visibility', '--'],
    ...shell('daemonic'),
  ])
  expect([code, out]).toEqual([1, expect.stringContaining('(exit 7)')])
  const daemons = readFileSync(path('daemonic.sh.pids'), 'utf8').trim().split('\n')
  // Each must still be there, or the test has shown nothing.
  for (const pid of daemons) process.kill(Number(pid))
})

it.concurrent('exec --variants also tries sandboxes that the suite creates, even after they are reset', async () => {
  const { code, out } = await variants('status.created', process.execPath, path('own.mjs'), 'open')
  expect([code, out]).toEqual([0, expect.stringContaining('statuses 1 of 1')])
  const statuses = readFileSync(path('own.mjs.open'), 'utf8')
  expect(statuses).toBe('200 200 200 429 200 200 201 201 ')
})

it.concurrent('exec --variants says that a variant had no effect if the suite’s own sandboxes set its setting', async () => {
  const suite = [process.execPath, path('own.mjs'), 'given']
  const { out } = await variants('status.created', ...suite)
  expect(out).toContain('status.created=201 instead of 200 (it affected no call or webhook)')
})

it.concurrent('exec --variants has one variant with a signing secret from the start, which it passes to the suite', async () => {
  const forgetful = await variants('secret', ...shell('forgetful'))
  expect(forgetful.code).toBe(2)
  expect(forgetful.out).toContain('With a signing secret from the start (secret=present), your')
  expect((await variants('secret', ...shell('secretive'))).code).toBe(0)
})

it.concurrent('exec --variants reports its progress, and after Ctrl-C what it has found', async () => {
  const command = ['exec', '--variants', '--', ...shell('strict')]
  const running = startCommand(command, { columns: 100 })
  await running.says(/2 of \d+, \d failed; Ctrl-C shows the results so far/)
  running.type('\x03')
  const { code, out } = await running.ended
  expect([code, out]).toEqual([
    2,
    expect.stringMatching(/Stopped: \d+ variations? in \d+ runs, \d finding/),
  ])
})

it.concurrent.each([
  [['--variants', '--on', 'http://127.0.0.1:9'], 'exec --variants cannot be combined with --on'],
  [['--unchecked', '--on', 'http://127.0.0.1:9'], 'exec --unchecked cannot be combined with --on'],
  [['--variants=nothing'], '--variants: there is no group nothing; use access, '],
  [['--jobs', '2'], '--jobs needs --variants or --unchecked.'],
  [['--variants', '--ignore', 'status.createUsr=201'], 'not status.createUsr=201'],
])('exec --variants rejects %j and starts nothing', async (options, sentence) => {
  const { code, out, err } = await runAtOnce(['exec', ...options, '--', ...shell('strict')])
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(sentence)])
})

it.concurrent('exec --variants deliveries names each change to webhooks that a suite fails with', async () => {
  const { code, out } = await variants('deliveries', ...shell('counting'))
  expect(code).toBe(2)
  expect(out).toContain('With every event twice (deliveries=twice), your suite fails (exit 1).')
  expect(out).toContain('| FAIL: counted 6')
  // The first of three comes again after the second, and the second after the third.
  expect(out).toMatch(/\(deliveries=again\).*\n +\| FAIL: counted 5/)
  expect(out).toMatch(/\(deliveries=type\).*\n +\| FAIL: counted 6/)
  expect(out).toContain('exec --variants=deliveries=twice -- sh')
  expect(out).toContain('deliveries 3 of 6')
})

it.concurrent('exec --variants deliveries finds nothing in a suite that checks what has arrived', async () => {
  const { code, out } = await variants('deliveries', ...shell('looking'))
  expect([code, out]).toEqual([0, expect.stringContaining('deliveries 6 of 6')])
})

it.concurrent('exec --variants deliveries has no verdict for a suite without webhooks', async () => {
  const { code, out } = await variants('deliveries', ...shell('right'))
  expect([code, out]).toEqual([1, expect.stringContaining('no webhooks were sent to your suite')])
})

it.concurrent('exec --unchecked lists what a suite would not miss, and exits with the status of the suite', async () => {
  const { code, out } = await unchecked(...shell('right'))
  expect(code).toBe(0)
  expect(out).not.toContain('user.id')
  expect(out).toContain('user.accessibleBy is left out')
  expect(out).not.toContain('is refused')
  const counted = /(\d+) changes in \d+ runs: (\d+) noticed, (\d+) unchecked$/m.exec(out) ?? []
  const [, changes, noticed, rest] = counted.map(Number)
  expect(changes).toBe(Number(noticed) + Number(rest))
})

it.concurrent.each([
  ['asserts nothing', 'blind', 1, 'also passes when nearly every API call is refused (429)'],
  ['makes no call', 'idle', 1, 'your suite made no API calls'],
  ['fails unchanged', 'broken', 7, 'your suite fails even with nothing changed (exit 7)'],
])('exec --unchecked has no verdict for a suite that %s', async (_, name, code, problem) => {
  const ended = await runAtOnce(['exec', '--unchecked', '--json', '--', ...shell(name)])
  expect(ended.code).toBe(code)
  expect(JSON.parse(ended.out).problem).toContain(problem)
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingOf } from '../src/world/settings/index.ts'
import { endCommands, runCommand, startCommand } from './helpers/command.ts'
import { isFullDepth } from './helpers/depth.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

afterAll(endCommands)

const root = join(import.meta.dirname, '..')
const folder = createFolder()
const path = (name: string) => join(folder, name)
const shell = (name: string, ...args: string[]) => ['sh', path(`${name}.sh`), ...args]

/** What the suites share. A process of Node for each run would take five times as long. */
const CALLS = `
  set -e
  send() {
    curl --silent --output /dev/null --write-out '%{http_code}' --request "$1" \\
      --header "x-api-key: $RAMP_SANDBOX_API_KEY" --header 'content-type: application/json' \\
      --data "$3" "$RAMP_SANDBOX_URL$2"
  }
  create() { send POST /v2/users '{"email":"ana@example.com"}'; }
  find_user() { send GET '/v2/users?email=ana@example.com' ''; }
  expect() {
    actual=$($1)
    if test "$actual" != "$2"; then echo "expected $2, got $actual" >&2; exit 1; fi
  }
  # How often this suite has run.
  count() { printf . >> "$0.count"; wc -c < "$0.count"; }`

const SUITES = {
  /** Depends on one reading. */
  strict: 'expect create 200; expect find_user 200',
  /** Looks at two calls of four; a minute of the world's time passes after each of the two. */
  careless: `
    later() { send POST /_sandbox/clock/advance '{"by":"61s"}' >/dev/null; }
    expect create 200; later; expect find_user 200; later
    send PUT /v2/webhook-configurations '{"url":"http://127.0.0.1:9/hooks"}'
    send GET /v2/webhook-configurations`,
  /** Passes whatever happens. */
  blind: 'create; find_user',
  /** Passes as well, though each of its operations succeeds once before it is refused. */
  twice_blind: 'find_user; find_user',
  /** Makes the one call again that is refused, when it may. */
  patient: `
    expect create 200
    actual=$(find_user)
    if test "$actual" = 429; then
      send POST /_sandbox/clock/advance '{"by":"61s"}' >/dev/null
      actual=$(find_user)
    fi
    test "$actual" = 200`,
  single: 'find_user',
  idle: '',
  broken: 'create; exit 7',
  endless: 'create; echo calling >&2; while :; do sleep 60 & wait $!; done',
  /** Fails once, in its third run: the first under a reading. */
  once: 'test $(count) -ne 3 || exit 9; expect find_user 200; expect find_user 200',
  /** Fails in every run but the first. */
  worse: 'expect find_user 200; test $(count) -eq 1 || exit 9',
  /** Meets an error in its first run only. */
  once_refused: `
    expect find_user 200; expect create 200
    test $(count) -ne 1 || curl --silent --output /dev/null "$RAMP_SANDBOX_URL/v2/users"`,
  /** Fails while another run of it is under way. */
  exclusive: `
    expect find_user 200
    mkdir "$0.lock" || exit 9
    for each in 1 2 3 4 5 6 7 8 9 10; do find_user >/dev/null; done
    rmdir "$0.lock"
    expect find_user 200`,
  /** Needs a control operation before it calls anything. */
  control: `
    url='{"url":"http://127.0.0.1:9/hooks"}'
    control() { send PUT /_sandbox/webhooks/settings "$url"; }
    configure() { send PUT /v2/webhook-configurations "$url"; }
    expect control 200; expect create 200; expect find_user 200; expect configure 200`,
}

/** A suite that has a sandbox of its own, which may give the setting itself. */
const OWN = `
  import { appendFileSync } from 'node:fs'
  import { createSandbox } from ${JSON.stringify(join(root, 'dist/index.js'))}
  const settings = process.argv[2] === 'given' ? { 'status.created': 200 } : {}
  const sandbox = await createSandbox({ settings, listen: false })
  const create = (email) => sandbox.fetch('/v2/users', {
    method: 'POST',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  for (const email of ['ana@example.com', 'ben@example.com']) {
    const { status } = await create(email)
    appendFileSync(import.meta.filename + '.statuses', status + ' ')
    if (status >= 400) throw new Error('got ' + status)
  }
  await sandbox.close()`

beforeAll(() => {
  for (const [name, code] of Object.entries(SUITES)) {
    writeFileSync(path(`${name}.sh`), `${CALLS}\n${code}\n`)
  }
  writeFileSync(path('own.mjs'), OWN)
})

const readings = (groups: string, ...command: string[]) =>
  runInProcess(['exec', `--readings=${groups}`, '--', ...command])

const resultsOf = (out: string): { id: string; verdict: string; how: string }[] =>
  JSON.parse(out).results

describe('exec --readings', () => {
  it('names the readings under which a suite fails, with the last lines and the command', async () => {
    const { code, out, err } = await readings('status.created', ...shell('strict'))
    expect(code).toBe(3)
    expect(out).toContain('Your suite passes under 0 of 1 reading that concerns it.')
    expect(out).toContain('status.created=201 (200 otherwise): exit 1')
    expect(out).toContain(
      'Which status does the success of a POST have that the contract leaves open?',
    )
    expect(out).toContain('| expected 200, got 201')
    expect(err).toContain('1 readings, about')
    const [again = ''] = /ramp-sandbox exec --set status\.created=201 -- .*/.exec(out) ?? []
    const args = again.split(' ').slice(1)
    const reproduced = await runCommand(args)
    expect([reproduced.code, reproduced.err]).toEqual([1, 'expected 200, got 201\n'])
  })

  it('keeps the options of the runs, and no secret, in the command that it prints', async () => {
    const own = ['--clock', 'frozen', '--set', 'quotes.ttl=5m', '--control-token', 'secret']
    const options = [...own, '--readings=status.created', '--readings-max', '1']
    const { code, out } = await runInProcess(['exec', ...options, '--', ...shell('strict', "it's")])
    const again = `--clock=frozen --set=quotes.ttl=5m --set status.created=201 -- `
    expect([code, out]).toEqual([3, expect.stringContaining(again)])
    expect(out).toContain(`'it'\\''s'`)
    expect(out).not.toContain('secret')
  })

  it('takes what the command line gives as known', async () => {
    const options = ['--readings=status.created', '--set', 'status.created=200']
    const { code, err } = await runInProcess(['exec', ...options, '--', ...shell('strict')])
    expect([code, err]).toEqual([1, expect.stringContaining('no reading of these groups')])
  })

  it('passes readings that a suite does not depend on, and says which errors it never met', async () => {
    const { code, out } = await readings('users.visibility,status.missing-key', ...shell('strict'))
    expect(code).toBe(0)
    expect(out).toContain('passes under 1 of 1 reading that concerns it.')
    expect(out).toContain('your suite never meets these errors: missing-key.')
  })

  it('accepts failures that the file of gaps names, each with its reason', async () => {
    const every = `users.create.required=${settingOf('users.create.required').parse('all')}`
    const accepted = { [every]: { why: 'Known.' }, 'expired-sell': { why: 'No.' } }
    writeFileSync(path('gaps.json'), JSON.stringify(accepted))
    const options = [
      '--readings=status.created,users.create.required',
      '--coverage-accept',
      path('gaps.json'),
      '--json',
    ]
    const { code, out } = await runInProcess(['exec', ...options, '--', ...shell('strict')])
    expect(code).toBe(3)
    expect(resultsOf(out)).toMatchObject([
      { id: 'status.created=201', verdict: 'failed', accepted: null },
      { id: every, verdict: 'failed', accepted: 'Known.' },
    ])
    const first = [...options, '--readings-max', '1']
    expect((await runInProcess(['exec', ...first, '--', ...shell('strict')])).code).toBe(0)
  })

  it('says which accepted failures are none any more, and keeps its exit code', async () => {
    const why = 'Known.'
    const passed = { 'users.visibility=integrator': { why }, 'quotes.ttl=1h': { why } }
    const file = path('unneeded.json')
    // The last one is about another group, which this run does not look at.
    writeFileSync(file, JSON.stringify({ ...passed, 'names.headerPrefix=X-Platform': { why } }))
    const options = ['--readings=users.visibility,quotes', '--coverage-accept', file]
    const args = ['exec', ...options, '--', ...shell('strict')]
    const { code, out } = await runInProcess(args)
    expect(out).toContain('need not name users.visibility=integrator: your suite passes under it.')
    expect(out).toContain('need not name quotes.ttl=1h: it does not concern your suite.')
    expect([code, out.match(/need not name/g)?.length]).toEqual([0, 2])
  })

  it.each([
    ['that passes whatever happens', 'blind', 1, 'where nearly every call is refused (429)'],
    [
      'that calls twice whatever happens',
      'twice_blind',
      1,
      'it passes as well where nearly every call is refused (429)',
    ],
    ['that makes one call', 'single', 1, 'it makes too few calls for one to be refused (429)'],
    ['that makes no call', 'idle', 1, 'it made no call of the contract'],
    ['that fails undisturbed', 'broken', 7, 'it does not pass undisturbed (exit 7)'],
    ['that fails every other time', 'worse', 1, 'it failed undisturbed as well'],
  ])('is never green for a suite %s, and says why', async (_, name, code, problem) => {
    const options = ['--readings=users.visibility', '--json']
    const ended = await runInProcess(['exec', ...options, '--', ...shell(name)])
    expect(ended.code).toBe(code)
    expect(ended.err).toContain(problem)
    expect(JSON.parse(ended.out).problem).toContain(problem)
  })

  it('names the refused calls that a suite did not notice, and how many readings were tried', async () => {
    const options = ['--readings=users.visibility,status.created', '--readings-max', '1']
    const args = ['exec', ...options, '--', ...shell('careless')]
    const { code, out } = await runInProcess(args)
    expect(out).toMatch(/^Your suite passes under 1 of 1 reading tried, of \d+ that concern it\.$/m)
    expect(out).toContain('did not notice that getWebhookConfiguration was refused (429).')
    expect(code).toBe(0)
  })

  it('takes no call for unnoticed that the suite makes again', async () => {
    const { code, out } = await readings('users.visibility', ...shell('patient'))
    expect([code, out]).toEqual([0, expect.not.stringContaining('429')])
  })

  it('sees whether a suite notices a refused call also where the command line limits calls', async () => {
    const set = ['--readings=users.visibility', '--set', 'requests.perMinute=60', '--']
    const strict = await runInProcess(['exec', ...set, ...shell('strict')])
    expect([strict.code, strict.err]).toEqual([0, expect.not.stringContaining('429')])
    const blind = await runInProcess(['exec', ...set, ...shell('blind')])
    expect([blind.code, blind.err]).toEqual([1, expect.stringContaining('it passes as well where')])
  })

  it('does not pass the status of an error that a run did not meet', async () => {
    const { code, out, err } = await readings('status.missing-key', ...shell('once_refused'))
    expect(out).toMatch(/^No verdict\. Your suite passes under 0 of/)
    expect(out).toContain('this run did not meet the error missing-key')
    expect([code, err]).toEqual([1, expect.stringContaining('no reading could be tried')])
  })

  it('passes an error that only a reading has, where the suite causes none', async () => {
    const { code, out } = await readings('status.unknown-field', ...shell('strict'))
    expect([code, out]).toEqual([0, expect.stringContaining('passes under 1 of 1 reading that')])
  })

  it('blames no reading where a suite cannot run beside itself', async () => {
    const options = ['--readings=users.visibility,requests', '--jobs', '2']
    const args = ['exec', ...options, '--', ...shell('exclusive')]
    const { code, err } = await runInProcess(args)
    expect(err).toContain('it failed undisturbed as well, with --jobs 2')
    expect(code).toBe(1)
  })

  it('tells a failure that did not happen again from one that did', async () => {
    const { code, out } = await readings('users.visibility', ...shell('once'))
    expect(code).toBe(3)
    expect(out).toContain(
      'It failed once, and passed when it was run again:\n  users.visibility=integrator',
    )
  })

  it('tells runs that could not reach the calls from failures', async () => {
    const { code, out } = await readings('webhooks.url,users.visibility', ...shell('control'))
    expect(code).toBe(0)
    expect(out).toContain('passes under 1 of 2')
    expect(out).toContain('the control operation putWebhookSettings was refused: invalid-url')
  })

  it('tries sandboxes inside the suite as well', async () => {
    const options = ['--readings=status.created', '--readings-max', '1', '--']
    const open = await runInProcess(['exec', ...options, process.execPath, path('own.mjs')])
    const passed = expect.stringContaining('passes under 1 of 1 reading that concerns it')
    expect([open.code, open.out]).toEqual([0, passed])
    expect(readFileSync(path('own.mjs.statuses'), 'utf8')).toBe('200 200 200 429 201 201 ')
  })

  it.runIf(isFullDepth)(
    'says so where the sandboxes inside give the setting themselves',
    async () => {
      const options = ['--readings=status.created', '--readings-max', '1', '--']
      const suite = [process.execPath, path('own.mjs'), 'given']
      const { code, out } = await runInProcess(['exec', ...options, ...suite])
      expect(code).toBe(1)
      expect(out).toContain('no call was made under it: your tests give the setting')
    },
  )

  it('says so in its report when it is stopped before any reading', async () => {
    const running = startCommand(['exec', '--readings=users', '--json', '--', ...shell('endless')])
    running.process.stderr?.on('data', (text) => {
      if (String(text).includes('calling')) running.process.kill('SIGINT')
    })
    const { code, out } = await running.ended
    expect(code).toBeGreaterThan(128)
    const stopped = { problem: 'it was stopped in its undisturbed run', isStopped: true }
    expect(JSON.parse(out)).toMatchObject({ ...stopped, results: [], notices: null })
  })

  it('says on a terminal what is left, and after Ctrl-C what is known', async () => {
    const command = ['exec', '--readings=users,status,responses', '--', ...shell('strict')]
    const running = startCommand(command, { columns: 100 })
    await running.says(/2 of \d+ readings, \d failed, about \w+ left/)
    running.type('\x03')
    const { code, out } = await running.ended
    expect(code).toBe(3)
    expect(out).toMatch(/Stopped\. Your suite passes under \d+ of \d+ readings/)
    expect(out).toMatch(/\d+ readings were not run\./)
  })

  it('runs several at once, at most as many as are asked for', async () => {
    const options = ['--readings=users,status', '--jobs', '2', '--readings-max', '3']
    const { code, out } = await runInProcess(['exec', ...options, '--', ...shell('strict')])
    expect([code, out]).toEqual([
      3,
      expect.stringContaining('of 3 readings tried, of 5 that concern it'),
    ])
    expect(out).toMatch(/\d+ readings were not run \(--readings-max\)\./)
  })

  it.each(['status.createUsr=201', 'status.created=2O1', 'quotes.ttl=300s'])(
    'rejects a file of gaps that names %s, which no reading is called',
    async (id) => {
      const file = path(`${id}.json`)
      writeFileSync(file, JSON.stringify({ [id]: { why: 'Known.' } }))
      const options = ['--readings', '--coverage-accept', file]
      const { code, out, err } = await runInProcess(['exec', ...options, '--', ...shell('strict')])
      expect([code, out, err]).toEqual([2, '', expect.stringContaining(`names ${id}, which is no`)])
    },
  )

  it.each([
    [['--readings', '--on', 'http://127.0.0.1:9'], 'so it takes no --readings.'],
    [['--readings=nothing'], '--readings has no group nothing; it has all, '],
    [['--jobs', '2'], '--jobs needs --readings.'],
  ])('rejects %j and starts nothing', async (options, sentence) => {
    const { code, out, err } = await runInProcess(['exec', ...options, '--', ...shell('strict')])
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(sentence)])
  })
})

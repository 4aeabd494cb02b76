import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import type { PlayedHere } from '../../src/control-api/plays.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { scenarios } from '../../src/http/control/scenarios.ts'
import { verifySignature } from '../../src/webhooks/sign.ts'
import { openLive } from '../control/live.ts'
import { readSse } from '../control/sse.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'

const folder = createFolder()

function plant(name: string, play: string): string {
  const file = join(folder, name)
  const head = "title: 'Planted', description: 'To be judged.'"
  writeFileSync(file, `export default { ${head}, async play(stage) {\n${play}\n} }\n`)
  return file
}

const BUY_COMPLETES = {
  name: 'buy-completes',
  title: 'A buy completes',
  outcome: 'passed',
  problem: null,
  steps: [
    { title: 'A fresh world', deliveries: [] },
    { title: 'Alice logs in with the code from her inbox', deliveries: [] },
    { title: 'A quote locks the rate', deliveries: [] },
    ...Object.entries({
      'The transaction waits for the e-transfer': ['pending request money transfer'],
      'Her bank asks her to approve the request': [],
      'She approves it': ['processing request money transfer'],
      'The coins arrive in her wallet': ['complete'],
      'You receive one webhook for each status, in order': [],
    }).map(([title, statuses]) => ({
      title,
      deliveries: statuses.map((status) => ({
        event: 'transaction.update',
        status,
        outcome: 'delivered',
        error: null,
        response: { status: 200 },
      })),
    })),
  ],
}

const FAILING = `
  const { step, expect, api } = stage
  step('A quote is asked for')
  const pair = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }
  const { data } = await api.get('/v2/quotes', pair)
  step('It is <better> & "cheaper"')
  expect(data, { rightSideValue: 709, breakdown: { fee: 5 }, rate: /\\d/ })`

it('play lists the scenarios when none is named', async () => {
  const { code, out } = await runInProcess(['play'])
  expect(code).toBe(0)
  expect(out).toMatch(/^ {2}bank-refuses {2,}The bank refuses/)
  const listed = JSON.parse((await runInProcess(['play', '--json'])).out)
  expect(listed).toHaveLength(19)
  expect(listed[2]).toEqual({
    name: 'buy-completes',
    title: 'A buy completes',
    description: expect.stringContaining('e-transfer'),
    steps: expect.arrayContaining(['A quote locks the rate']),
  })
})

it('play runs a file from anywhere, and says what was expected and what it got', async () => {
  plant('mine.js', FAILING)
  const { code, out } = await runInProcess(['play', './mine.js'], {}, folder)
  expect(code).toBe(1)
  expect(out.split('\n')).toEqual([
    'mine',
    '  ✓ A quote is asked for',
    '  ✗ It is <better> & "cheaper"',
    '    The result is not as expected. (mine.js:8)',
    '    rightSideValue: expected 709, got 708.98',
    '    rate: expected /\\d/, got 1.4015',
    '',
    '0 of 1 passed, 1 failed',
    '',
  ])
})

it.each([
  ['a date', "new Date('2026-07-01')", "new Date('2026-07-02')"],
  ['a set', "new Set(['a'])", "new Set(['b'])"],
  ['a URL', "new URL('http://a.test')", "new URL('http://b.test')"],
])('play compares %s, which has no fields', async (what, one, other) => {
  const plantOne = (name: string, expected: string) =>
    plant(name, `await stage.api.get('/v2/users'); stage.expect(${one}, ${expected})`)
  const [same, different] = [plantOne(`same-${what}.js`, one), plantOne(`other-${what}.js`, other)]
  expect(await runInProcess(['play', same])).toMatchObject({ code: 0 })
  const { code, out } = await runInProcess(['play', different])
  expect([code, out]).toEqual([2, expect.stringContaining('The result is not as expected.')])
})

it('play starts from a fixture beside the scenario, wherever it is run', async () => {
  const integrators = [{ name: 'mine', apiKey: 'my-key' }]
  writeFileSync(join(folder, 'world.json'), JSON.stringify({ integrators }))
  const file = join(folder, 'own-world.js')
  writeFileSync(
    file,
    `export default { title: 'T', description: 'D', fixture: './world.json', clock: '2030-01-01T00:00:00Z',
        async play({ control, api, expect }) {
          expect(await control.get('/clock'), { now: '2030-01-01T00:00:00.000Z', mode: 'frozen' })
          expect(await api.with({ 'x-api-key': 'sandbox-key' }).get('/v2/users', { email: 'a@b.ca' }), { status: 401 })
          expect(await api.get('/v2/users', { email: 'a@b.ca' }), { status: 200, body: { data: [] } })
        } }`,
  )
  expect(await runInProcess(['play', file])).toMatchObject({ code: 0 })
})

it('play prints each step as it passes, writes results for CI, and prints no progress on a pipe', async () => {
  const junit = join(folder, 'junit.xml')
  const files = [plant('fails.js', FAILING), plant('throws.js', "throw new Error('boom')")]
  const args = ['play', 'token-expires', ...files, '--junit', junit]
  const { code, out, err } = await runInProcess(args)
  expect({ code, err }).toEqual({ code: 2, err: '' })
  expect(out.split('\n').slice(0, 6)).toEqual([
    'token-expires',
    '  ✓ Alice logs in',
    '  ✓ A second before the hour is over, her token works',
    '  ✓ A second later, it is refused',
    '  ✓ After another login she can call again',
    '',
  ])
  expect(out).toContain('\n1 of 3 passed')
  expect(out).not.toContain('(1 of 3)')
  const xml = readFileSync(junit, 'utf8').replace(/time="\d+\.\d{3}"/g, 'time=""')
  expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /)
  expect(xml).toContain('<testsuite name="scenarios" tests="3" failures="1" errors="1" time="">')
  expect(xml).toContain('<testcase classname="scenarios" name="token-expires" time="">')
  expect(xml).toContain('It is &lt;better&gt; &amp; &quot;cheaper&quot;')
  expect(xml).toContain('<failure message="The result is not as expected.">')
  expect(xml).toContain('<error message="It threw Error: boom">')
})

it.each([
  [['buy-compltes'], 'There is no scenario buy-compltes; did you mean buy-completes?'],
  [
    ['--all', 'token-expires'],
    'play takes --all or scenarios, not both; unexpected: token-expires.',
  ],
  [['token-expires', '--control-token', 'x'], '--control-token needs --url URL.'],
  [['--webhook-url', 'localhost:9/x'], 'play --webhook-url needs a scenario, or --all.'],
  [['token-expires', '--timeout', 'soon'], '--timeout must be a length of time'],
  [['token-expires', '--url', 'http://127.0.0.1:9'], 'http://127.0.0.1:9'],
])('play rejects %j with a sentence', async (args, sentence) => {
  const { code, err } = await runInProcess(['play', ...args])
  expect(code).toBe(2)
  expect(err).toContain(sentence)
  expect(err).not.toMatch(/^\s+at /m)
})

it('play --webhook-url sends the events to an endpoint, and exits with 1 if it did not acknowledge one', async () => {
  await using receiver = await createReceiver({
    respond: ({ body }) => (body.includes('processing') ? 500 : 204),
  })
  const { code, out } = await runInProcess([
    'play',
    'buy-completes',
    '--webhook-url',
    `${receiver.url}/hooks`,
  ])
  expect(code).toBe(1)
  expect(out.match(/→ transaction\.update .*: acknowledged with 204/g)).toHaveLength(2)
  expect(out).toContain('processing request money transfer: not acknowledged (responded with 500)')
  expect(out).toContain(`did not acknowledge every webhook.`)
  const [, secret = ''] = /signed with (whsec_\w+)/.exec(out) ?? []
  for (const { headers, bytes } of receiver.received) {
    expect(verifySignature({ secret, headers, body: bytes })).toEqual({ ok: true })
  }
})

const BUY =
  "await (await login('alice@example.com')).buy({ cad: 100 }); await control.post('/webhooks/drain')"
const RESET = "await control.post('/reset', { fixture: 'verified-user', keep: ['webhooks'] })"

it.each([
  ['before a reset in the same step', `${BUY}\n${RESET}\n${BUY}`, 1],
  ['after a reset in another step', `${BUY}\nstep('again')\n${RESET}\n${BUY}\n${BUY}`, 2],
  [
    'before a restore',
    `await control.post('/snapshots', { name: 'a' })\n${BUY}
      await control.post('/snapshots/a/restore')\n${BUY.replace('100', '200')}`,
    1,
  ],
])(
  'play --webhook-url notices an unacknowledged webhook when the scenario replaces its world: %s',
  async (_, story, refused) => {
    let count = 0
    await using receiver = await createReceiver({
      respond: () => (++count === refused ? 500 : 204),
    })
    const file = plant(
      'replaces.js',
      `const { step, control, login } = stage\nstep('one')\n${story}`,
    )
    const args = ['play', file, '--webhook-url', `${receiver.url}/hooks`]
    const { code, out } = await runInProcess(args)
    expect(out).toContain('did not acknowledge every webhook.')
    expect(code).toBe(1)
    expect(out.match(/^ {4}[→✗] transaction/gm)).toHaveLength(count)
  },
)

const url = 'http://127.0.0.1:9/hooks'
const sentence = `No webhooks were sent to ${url}`

it.each([
  ['because the scenario has none', "stage.step('a')\nawait stage.login('alice@example.com')"],
  [
    'because the scenario sends them elsewhere',
    `stage.step('a')
      await stage.api.put('/v2/webhook-configurations', { url: 'http://127.0.0.1:9/other' })
      await (await stage.login('alice@example.com')).buy({ cad: 100 })`,
  ],
])('play --webhook-url exits with 1 if no webhook is sent to it %s', async (_, play) => {
  const junit = join(folder, 'unasked.xml')
  const args = ['play', plant('unasked.js', play), '--webhook-url', url, '--junit', junit]
  const { code, out } = await runInProcess(args)
  expect(out).toContain('1 of 1 passed\n')
  expect(out).toContain(sentence)
  expect(readFileSync(junit, 'utf8')).toContain('tests="2" failures="0" errors="1"')
  expect(code).toBe(1)
})

it('play --url runs in a world of its own there, and leaves nothing behind', async () => {
  await using live = await openLive({ controlToken: 'secret' })
  const { url } = live
  const env = { RAMP_SANDBOX_CONTROL_TOKEN: 'secret' }
  const args = ['play', 'buy-completes', '--json']
  const elsewhere = url.replace('127.0.0.1', 'localhost')
  const there = await runInProcess([...args, '--url', `${elsewhere}/`], env)
  expect(there.code).toBe(0)
  expect(JSON.parse(there.out).scenarios[0]).toMatchObject(BUY_COMPLETES)
  const headers = { authorization: 'Bearer secret' }
  const worlds = await fetch(`${url}/_sandbox/worlds`, { headers })
  expect(await worlds.json()).toMatchObject({ total: 1, items: [{ transactions: 0 }] })
})

it('a running sandbox lists the scenarios and plays one on request', async () => {
  await using live = await openLive()
  const controlUrl = `${live.url}/_sandbox`
  const { total } = await read(`${controlUrl}/scenarios`)
  expect(total).toBe(19)
  const { json: played } = await post(`${controlUrl}/scenarios/buy-completes/play`)
  expect(played.problem).toBeNull()
  const documented = scenarios.find(({ id }) => id === 'playScenario')?.response?.()
  expect(documented?.parse(played)).toEqual(played)
  expect(played).toMatchObject(BUY_COMPLETES)
  expect((await read(`${controlUrl}/worlds`)).total).toBe(1)
  const unknown = await post(`${controlUrl}/scenarios/buy-complete/play`)
  expect(unknown.status).toBe(404)
  expect(unknown.json.title).toContain('did you mean buy-completes?')
  const path = await post(`${controlUrl}/scenarios/..%2Fbuy.js/play`)
  expect(path.status).toBe(404)
})

it('a running sandbox plays a scenario for the library in the same process if it has a socket', async () => {
  await using sandbox = await createSandbox()
  expect(await sandbox.scenarios.play('buy-completes')).toMatchObject(BUY_COMPLETES)
  await using deaf = await createSandbox({ listen: false })
  await expect(deaf.scenarios.play('buy-completes')).rejects.toMatchObject({ code: 'no-socket' })
})

it('a running sandbox keeps the worlds of the last five plays that asked for it', async () => {
  await using live = await openLive()
  const { url } = live
  const controlUrl = `${live.url}/_sandbox`
  const keep = () => post(`${controlUrl}/scenarios/limit-value/play`, { keepWorld: true })
  const { json } = await keep()
  expect((await read(`${url}/w/${json.world}/_sandbox/transactions`)).total).toBeGreaterThan(0)
  await Promise.all(Array.from({ length: 4 }, keep))
  expect((await read(`${controlUrl}/worlds`)).total).toBe(6)
  const last = (await keep()).json.world
  const { items } = await read(`${controlUrl}/worlds`)
  const names = items.map(({ name }: { name: string }) => name)
  expect(names).toHaveLength(6)
  expect([names.includes(json.world), names.includes(last)]).toEqual([false, true])
})

it('a running sandbox streams the steps to a caller who accepts events', async () => {
  await using live = await openLive()
  const controlUrl = `${live.url}/_sandbox`
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const play = (name: string) =>
    fetch(`${controlUrl}/scenarios/${name}/play`, { method: 'POST', headers, body: '{}' })
  const stream = readSse(await play('buy-completes'))
  const all = [await stream.next()]
  while (all.at(-1)?.event !== 'ended') all.push(await stream.next())
  expect(await stream.ended()).toBe(true)
  const played: PlayedHere = all.at(-1)?.data
  expect(played.outcome).toBe('passed')
  const dataOf = (kind: string) => all.filter(({ event }) => event === kind).map(({ data }) => data)
  expect(dataOf('began')).toEqual(played.steps.map(({ title }) => ({ title })))
  expect(dataOf('passed')).toEqual(played.steps)
  expect(all[0]?.event).toBe('began')
  // Who goes away ends nothing, and nothing is left of what was played.
  const left = readSse(await play('buy-expires'))
  await left.next()
  await left.close()
  await expect.poll(async () => (await read(`${controlUrl}/worlds`)).total).toBe(1)
  expect((await play('buy-complete')).status).toBe(404)
})

// biome-ignore lint/suspicious/noExplicitAny: the control API has tests and shapes of its own
const read = async (url: string): Promise<any> => (await fetch(url)).json()

async function post(url: string, body = {}) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const json = (await response.json()) as PlayedHere & { title: string }
  return { status: response.status, json }
}

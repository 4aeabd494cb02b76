import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openLive } from './control/live.ts'
import { type CommandOptions, endCommands, startCommand } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

const folder = createFolder()
afterAll(endCommands)

const HEADERS = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
const NOON = ['--fixture', 'cast', '--clock', '2026-07-01T12:00:00Z']

async function start(args: string[], options: CommandOptions) {
  const command = startCommand(['start', '--port', '0', ...args], options)
  const [url] = await command.says(/http:\/\/127\.0\.0\.1:\d+/)
  return { ...command, url }
}

/** A user logs in, asks for a quote, forgets the wallet; a reviewer rejects her. */
async function playStory(url: string) {
  const post = (path: string, body: object, method = 'POST') =>
    fetch(url + path, { method, headers: HEADERS, body: JSON.stringify(body) })
  await post('/v2/webhook-configurations', { url: `${url}/_sandbox/catch/app` }, 'PUT')
  await post('/v2/auth/login-codes', { email: 'alice@example.com' })
  const get = (path: string) => fetch(url + path, { headers: HEADERS })
  await get('/v2/quotes?leftSideLabel=CAD&leftSideValue=250&rightSideLabel=USDC-ETH')
  await post('/v2/quotes', {})
  await post('/_sandbox/simulate/users/alice@example.com/kyc', { status: 'rejected' })
  await get('/w/other/priceQuote?leftSideLabel=CAD&leftSideValue=90&rightSideLabel=CADC-ETH')
  await post('/w/other/_sandbox/clock/advance', { by: '1h' })
}

it('logs shows the newest errors, however many good calls came after them', async () => {
  await using live = await openLive()
  const get = (path: string) => fetch(live.url + path, { headers: HEADERS })
  await get('/v2/quotes?leftSideLabel=CAD')
  const good = '/v2/quotes?leftSideLabel=CAD&leftSideValue=250&rightSideLabel=USDC-ETH'
  for (let count = 0; count < 20; count++) await get(good)
  const { out } = await runInProcess(['logs', '--errors', '--url', live.url])
  expect(out.match(/req_\d+ .*/g)).toEqual([expect.stringMatching(/^req_1 .* 400 /)])
})

it('logs says that a world has no entries, and which worlds have some', async () => {
  await using live = await openLive()
  const call = (world: string, query: string) =>
    fetch(`${live.url}/w/${world}/v2/quotes${query}`, { headers: HEADERS })
  const logs = (...args: string[]) => runInProcess(['logs', '--url', live.url, ...args])
  const since = 'since its start or last reset'
  const nothing = `ramp-sandbox: The world default has had no entries ${since}.\n`
  expect(await logs()).toEqual({ code: 0, out: '', err: nothing })
  await call('one', '?leftSideLabel=CAD&leftSideValue=250&rightSideLabel=USDC-ETH')
  await call('two', '')
  const { code, out, err } = await logs()
  expect([code, out]).toEqual([0, ''])
  expect(err).toMatch(/no entries since .*, but the worlds (one and two|two and one) have\.\n/)
  expect(err).toContain(`ramp-sandbox logs --url ${live.url}/w/`)
  expect((await logs('--errors')).err).toContain(
    `no errors ${since}, but the world two has.\n  ramp-sandbox logs --errors --url ${live.url}/w/two\n`,
  )
  const { err: three } = await runInProcess(['logs', '--url', `${live.url}/w/three`])
  expect(three).toBe(nothing.replace('default', 'three'))
})

it.concurrent('the live log of start shows a resend and its webhook, as the log of another process does', async () => {
  const { url, says, process: child } = await start(['--log', 'all', ...NOON], {})
  await playStory(url)
  const other = startCommand(['logs', '--follow', '--url', url])
  await other.says(/user\.update rejected/)
  const resend = `${url}/_sandbox/webhooks/deliveries/dlv_1/resend`
  await fetch(resend, { method: 'POST', headers: HEADERS, body: '{}' })
  for (const each of [says, other.says]) {
    await each(/ user\.update rejected \(repeat\)/)
    await each(/Webhook resent: dlv_1/)
  }
  child.kill('SIGTERM')
  expect((await other.ended).err).toContain(`the connection to ${url} was lost.`)
})

it.concurrent('the live log of start is off on a pipe unless it is requested, for example as JSON with errors only', async () => {
  const quiet = await start(NOON, {})
  await playStory(quiet.url)
  quiet.process.kill('SIGTERM')
  expect((await quiet.ended).out).toMatch(/^ramp-sandbox .* is ready\n(?: {2}[\w ]+ {2}.*\n)+$/)

  const args = ['--log', 'errors', '--json', ...NOON]
  const { url, process: child, says, ended } = await start(args, {})
  await playStory(url)
  await says(/"status":405/)
  child.kill('SIGTERM')
  const lines = (await ended).out.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'ready', url },
    { event: 'request', world: 'default', path: '/v2/quotes', status: 405 },
  ])
})

it.concurrent('the live log of start says that the id of a webhook was delivered before, unless it is a resend', async () => {
  const { url, says, process: child, ended } = await start(['--log', 'all', ...NOON], {})
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) })
  const reject = async (seed?: string) => {
    await post('/_sandbox/reset', { seed })
    const hook = JSON.stringify({ url: `${url}/_sandbox/catch/app` })
    const path = `${url}/v2/webhook-configurations`
    await fetch(path, { method: 'PUT', headers: HEADERS, body: hook })
    await post('/_sandbox/simulate/users/alice@example.com/kyc', { status: 'rejected' })
  }
  await reject()
  await post('/_sandbox/webhooks/deliveries/dlv_1/resend', {})
  await reject('random')
  await reject()
  const before = /evt_\w{32} was delivered before: a receiver that deduplicates ignores it\./
  await says(before)
  child.kill('SIGTERM')
  const { out } = await ended
  expect(out.match(/→ user\.update rejected/g)).toHaveLength(4)
  expect(out.match(/was delivered before/g)).toHaveLength(1)
  expect(
    out
      .split('\n')
      .filter((line) => line.includes('→ user.update'))
      .at(-1),
  ).toMatch(/ 200 /)
})

it.concurrent('the live log of start lets calls through while nobody reads the terminal, and says what it left out', async () => {
  const fixture = join(folder, 'many.json')
  const email = (index: number) => `user${index}@example.com`
  const users = Array.from({ length: 600 }, (_, i) => ({ email: email(i), status: 'verified' }))
  const transactions = Array.from({ length: 1_800 }, (_, i) => {
    const [leftSideLabel, rightSideLabel] = ['CAD', 'USDC-ETH']
    return { user: email(i % 600), leftSideLabel, leftSideValue: 100, rightSideLabel }
  })
  writeFileSync(fixture, JSON.stringify({ users, transactions }))
  const {
    url,
    process: terminal,
    says,
  } = await start(['--fixture', fixture, '--clock', '2026-07-01T12:00:00Z'], {
    columns: 300,
  })
  terminal.kill('SIGSTOP')
  const body = JSON.stringify({ by: '1h' })
  await fetch(`${url}/_sandbox/clock/advance`, { method: 'POST', headers: HEADERS, body })
  for (let call = 0; call < 200; call++) {
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
  }
  terminal.kill('SIGCONT')
  const [, count] = await says(/… (\d+) lines left out/)
  expect(Number(count)).toBeGreaterThan(1_000)
})

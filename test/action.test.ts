import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createFolder } from './helpers/folder.ts'

const root = join(import.meta.dirname, '..')
const temp = createFolder()
afterAll(() => {
  for (const pid of findPids()) process.kill(pid, 'SIGTERM')
})

/** Runs what the steps of an action run, as the runner would. */
function runSteps(action: string, env: Record<string, string> = {}) {
  const folder = join(root, action)
  const [, command = ''] = /run: (.*)/.exec(readFileSync(join(folder, 'action.yml'), 'utf8')) ?? []
  const files = { GITHUB_ENV: join(temp, 'env'), GITHUB_OUTPUT: join(temp, 'output') }
  for (const file of Object.values(files)) writeFileSync(file, '')
  const { PATH = '' } = process.env
  const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', command], {
    env: { PATH, RUNNER_TEMP: temp, GITHUB_ACTION_PATH: folder, ...files, ...env },
    encoding: 'utf8',
  })
  return { ...ended, env: readValues(files.GITHUB_ENV), outputs: readValues(files.GITHUB_OUTPUT) }
}

const readValues = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

/** What was started with a file in the temporary folder. */
const findPids = () =>
  spawnSync('pgrep', ['-f', temp], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)

describe('the GitHub Action', () => {
  it('starts a sandbox for the later steps, and prints what it refused when they fail', async () => {
    const { status, env, outputs } = runSteps('.', {
      SANDBOX_FIXTURE: 'verified-user',
      SANDBOX_CLOCK: '2026-07-01T12:00:00Z',
      SANDBOX_SETTINGS: 'quotes.ttl=5m\n\n  status.createUser=200\n',
      SANDBOX_PORT: '0',
    })
    expect(status).toBe(0)
    expect(outputs).toEqual({
      url: env.RAMP_SANDBOX_URL,
      'api-key': env.RAMP_SANDBOX_API_KEY,
      'control-url': env.RAMP_SANDBOX_CONTROL_URL,
    })
    const { RAMP_SANDBOX_URL: url = '', RAMP_SANDBOX_CONTROL_URL: control = '' } = env
    const read = async (path: string) => (await fetch(control + path)).text()
    expect(JSON.parse(await read('/info'))).toMatchObject({
      fixture: 'verified-user',
      now: '2026-07-01T12:00:00.000Z',
    })
    expect(JSON.parse(await read('/settings'))).toMatchObject({ 'quotes.ttl': '5m' })
    const headers = { 'x-api-key': outputs['api-key'] ?? '', 'content-type': 'application/json' }
    await fetch(`${url}/v2/users`, { method: 'POST', headers, body: '{"emial":"a@example.com"}' })
    const report = runSteps('action/report', { RAMP_SANDBOX_CONTROL_URL: control })
    expect(report.stdout).toContain(`POST ${url}/v2/users  400`)
    expect(report.stdout).toContain('emial')
  })

  it('reports refused calls of every world, those that a restore has undone, and the newest', async () => {
    const { env } = runSteps('.')
    const { RAMP_SANDBOX_URL: url = '', RAMP_SANDBOX_CONTROL_URL: control = '' } = env
    const report = () =>
      runSteps('action/report', { RAMP_SANDBOX_CONTROL_URL: control }).stdout.split('\n')
    expect(report()).toContain('No call of the contract was made since the last reset.')

    const headers = { 'x-api-key': env.RAMP_SANDBOX_API_KEY ?? '' }
    await fetch(`${url}/v2/quotes/rates`, { headers })
    await fetch(`${url}/w/worker-1/v2/worker`, { headers })
    const post = (path: string) => fetch(control + path, json)
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    await fetch(`${control}/snapshots`, { ...json, body: '{"name":"before"}' })
    await fetch(`${url}/v2/undone`, { headers })
    await post('/snapshots/before/restore')
    const lines = report()
    expect(lines).toContainEqual(expect.stringContaining(`GET ${url}/w/worker-1/v2/worker  404`))
    expect(lines).toContainEqual(expect.stringContaining(`GET ${url}/v2/undone  404`))

    for (let nth = 1; nth <= 50; nth += 1) await fetch(`${url}/v2/nth-${nth}`, { headers })
    expect(report().filter((line) => line.includes(`GET ${url}/v2/`))).toEqual(
      Array.from({ length: 50 }, (_, at) => expect.stringContaining(`/v2/nth-${at + 1}  404`)),
    )
    expect(report()).toContain('Only the newest 50 are shown of default.')
  })

  it('reports what was looked at where no call was refused, and never none where it could not look', async () => {
    const { env } = runSteps('.')
    const { RAMP_SANDBOX_URL: url = '', RAMP_SANDBOX_CONTROL_URL: control = '' } = env
    const users = `${url}/v2/users?email=a@example.com`
    await fetch(users, { headers: { 'x-api-key': env.RAMP_SANDBOX_API_KEY ?? '' } })
    const report = (at: string) =>
      runSteps('action/report', { RAMP_SANDBOX_CONTROL_URL: at }).stdout
    expect(report(control)).toContain('\nNone in the worlds that there are: default.\n')
    expect(report(`${url}/elsewhere`)).toContain(`${url}/elsewhere/worlds responded 404`)
  })

  it('fails with the reason when the sandbox cannot start', () => {
    const { status, stderr } = runSteps('.', { SANDBOX_FIXTURE: 'nobody-knows' })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^::error::.*nobody-knows/)
  })
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connectSandbox, createSandbox } from '../../src/index.ts'
import { startProgram } from '../helpers/command.ts'
import { createFolder } from '../helpers/folder.ts'

/** Other test files of this process may have left some open. */
const countSockets = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
const search = '/v2/users?email=alice@example.com'
const headers = { 'x-api-key': 'sandbox-key' }

it('createSandbox opens no socket when only fetch is used', async () => {
  const before = countSockets()
  await using sandbox = await createSandbox({ fixture: 'verified-user', listen: false })
  const response = await sandbox.fetch(search, { headers })
  expect(await response.json()).toMatchObject({ success: true, data: [{}] })
  expect(countSockets()).toBeLessThanOrEqual(before)
  await expect(fetch(sandbox.url)).rejects.toThrow()
})

it('createSandbox keeps a script alive until a call has its response, even without a socket', async () => {
  const script = `
      const { createSandbox } = require(${JSON.stringify(join(import.meta.dirname, '../../dist/index.cjs'))})
      createSandbox({ listen: false }).then(async (sandbox) => {
        await sandbox.faults.add({ on: 'api', match: {}, then: { delay: '50ms' } })
        console.log((await sandbox.fetch('/v2/users')).status)
      })`
  const { out } = await startProgram([process.execPath, '--eval', script]).ended
  expect(out).toBe('401\n')
})

it('createSandbox listens on loopback, on a free port by default, until it is closed', async () => {
  const sandbox = await createSandbox({ fixture: 'verified-user' })
  expect((await fetch(sandbox.url + search, { headers })).status).toBe(200)
  const { port } = new URL(sandbox.url)
  await expect(createSandbox({ port: Number(port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: expect.stringContaining(port),
  })
  await sandbox.close()
  await sandbox.close()
  await expect(fetch(sandbox.url)).rejects.toThrow()
  await using next = await createSandbox({ port: Number(port) })
  expect(next.url).toBe(sandbox.url)
})

it('createSandbox responds to a path, a URL of its own and a Request, and to no other URL', async () => {
  await using sandbox = await createSandbox({ fixture: 'verified-user', listen: false })
  const url = `${sandbox.url}${search}`
  for (const input of [search, url, new URL(url), new Request(url, { headers })]) {
    const init = input instanceof Request ? undefined : { headers }
    expect((await sandbox.fetch(input, init)).status).toBe(200)
  }
  await expect(sandbox.fetch('https://api.example.com/v2/users')).rejects.toMatchObject({
    code: 'elsewhere',
  })
  const other = sandbox.world('other')
  await expect(other.fetch(url)).rejects.toMatchObject({ code: 'elsewhere' })
})

it('createSandbox says everything that is wrong with its options, and starts nothing', async () => {
  const before = countSockets()
  await expect(createSandbox({ fixture: 'verifed-user' })).rejects.toMatchObject({
    name: 'SandboxError',
    code: 'invalid',
    message: expect.stringContaining('verified-user'),
  })
  const fixture = { integrators: [], users: [{ email: 'nobody' }] }
  await expect(createSandbox({ fixture })).rejects.toMatchObject({
    problems: [{ field: 'integrators' }, { field: 'users[0].email' }],
  })
  await expect(createSandbox({ clock: 'noon' })).rejects.toThrow('frozen')
  await expect(createSandbox({ settings: { 'quotes.ttl': 'soon' as never } })).rejects.toThrow(
    'quotes.ttl',
  )
  await expect(createSandbox({ allowWebhookHosts: ['*'] })).rejects.toThrow(
    'names or addresses of hosts',
  )
  expect(countSockets()).toBeLessThanOrEqual(before)
})

it('createSandbox takes a fixture as a name, a file or an object', async () => {
  const fixture = { integrators: [{ name: 'mine', apiKey: 'my-key' }] }
  const file = join(createFolder(onTestFinished), 'mine.json')
  await writeFile(file, JSON.stringify(fixture))
  for (const source of [fixture, file]) {
    await using sandbox = await createSandbox({ fixture: source, listen: false })
    expect(sandbox.apiKey).toBe('my-key')
  }
  await using sandbox = await createSandbox({ fixture: 'verified-user', listen: false })
  await sandbox.reset({ fixture: file })
  expect(sandbox.apiKey).toBe('my-key')
  await expect(sandbox.reset({ fixture: './none.json' })).rejects.toThrow('./none.json')
})

it('connectSandbox finds its sandbox in the environment, as ramp-sandbox exec sets it', async () => {
  await using sandbox = await createSandbox()
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('RAMP_SANDBOX_URL', `${sandbox.url}/w/mine/`)
  vi.stubEnv('RAMP_SANDBOX_API_KEY', 'sandbox-key-2')
  const connected = connectSandbox()
  expect(connected.apiKey).toBe('sandbox-key-2')
  expect((await connected.info()).world).toBe('mine')
})

it('connectSandbox says when there is no URL, an invalid one, or something else behind it', async () => {
  vi.stubEnv('RAMP_SANDBOX_URL', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(() => connectSandbox()).toThrow('RAMP_SANDBOX_URL')
  expect(() => connectSandbox('localhost 4100')).toThrow('is not a URL')
  await expect(connectSandbox('http://127.0.0.1:1').info()).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('http://127.0.0.1:1/'),
  })
  const fetch = () => new Response('<h1>Not here</h1>', { status: 404 })
  const elsewhere = connectSandbox('http://127.0.0.1:4100', { fetch })
  await expect(elsewhere.info()).rejects.toMatchObject({ code: 'not-control', status: 404 })
  for (const empty of [Response.json({}), new Response(null, { status: 204 })]) {
    const willing = connectSandbox('http://127.0.0.1:4100', { fetch: () => empty })
    await expect(willing.info()).rejects.toMatchObject({ code: 'not-control' })
  }
})

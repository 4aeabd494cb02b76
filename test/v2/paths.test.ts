import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { KEY } from '../helpers/app.ts'

/** Sends a path as it is spelled, which `fetch` and `URL` would change. */
function getRaw(base: string, path: string): Promise<{ status: number | undefined; body: string }> {
  const { port } = new URL(base)
  const headers = { 'x-api-key': KEY }
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, headers }, async (response) => {
      resolve({ status: response.statusCode, body: await text(response) })
    })
    request.on('error', reject)
  })
}

it('every spelling of an unknown path of v2 gets an error of v2', async () => {
  await using sandbox = await createSandbox()
  const spellings = ['%2e%2e', '%2E%2E', '..', '.%2e'].flatMap((dots) => [
    `/v2/${dots}/users`,
    `/v2/users/${dots}/${dots}/nothing?email=a`,
    `/%76%32/${dots}/nothing`,
    `/w/other/v2/${dots}/nothing`,
    `/x/${dots}/v2/nothing`,
  ])
  const slips = [
    '//v2/users?email=a',
    '///v2//users',
    '/V2/users',
    '/%2Fv2/users',
    '/w/other//v2/x',
  ]
  const others = ['/v2%2Fusers', '/%762/nothing', '/v2/%252e%252e/users', '/v2/..%2fusers', '/v2/%']
  for (const path of [...spellings, ...slips, ...others]) {
    const { status, body } = await getRaw(sandbox.url, path)
    expect([path, status, JSON.parse(body)]).toEqual([
      path,
      404,
      { success: false, errors: [{ field: 'path', message: expect.any(String) }] },
    ])
  }
  const { body } = await getRaw(sandbox.url, '/%2e%2e/nothing')
  expect(JSON.parse(body)).toEqual({ message: expect.any(String), status: 'error' })
})

it('the error for an unknown path names the nearest route, if there is one', async () => {
  await using sandbox = await createSandbox({ listen: false })
  const messageOf = async (path: string) =>
    JSON.parse(await (await sandbox.fetch(path, { headers: { 'x-api-key': KEY } })).text()).message
  const [there, instead] = ['There is no route GET /quotes', 'the nearest is GET /v2/quotes']
  expect(await messageOf('/quotes')).toBe(`${there}; ${instead}.`)
  expect(await messageOf('/nothing')).toBe('There is no route GET /nothing.')
})

it('the error for a base URL, of the sandbox or of a world, says that it is one', async () => {
  await using sandbox = await createSandbox({ listen: false })
  await sandbox.world('worker-1').info()
  for (const path of ['/', '/w/worker-1', '/w/worker-1/']) {
    const { message } = JSON.parse(await (await sandbox.fetch(path)).text())
    expect(message).toBe('This is the base URL; every route has a path below it.')
  }
})

it('the error for a world below a world says that worlds do not nest, and what to use', async () => {
  await using sandbox = await createSandbox()
  const read = async (url: string) =>
    JSON.parse(await (await fetch(url, { headers: { 'x-api-key': KEY } })).text())
  const nested = await read(`${sandbox.url}/w/one/w/two/v2/users`)
  expect(nested).toEqual({
    success: false,
    errors: [
      { field: 'path', message: expect.stringContaining('use /w/two instead of /w/one/w/two.') },
    ],
  })
  const { baseUrl } = await sandbox.worlds.create()
  const inPrivate = await read(`${baseUrl}/w/two/v2/users`)
  expect(inPrivate.errors[0].message).toMatch(
    /^Worlds do not nest: leave out \/w\/two, or use exec without --on, /,
  )
  expect((await read(`${baseUrl}/w/two/_sandbox/info`)).title).toContain('Worlds do not nest')
})

import { expect, it } from 'vitest'
import { createSandbox } from '../src/index.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

it('keeps records of the demo by key and version, until the world is reset', async () => {
  await using sandbox = await createSandbox()
  const url = `${sandbox.url}/_sandbox/demo/records/session.one`
  const send = (method: string, init: RequestInit = {}, query = '') =>
    sandbox.fetch(`${url}${query}`, { method, ...init })
  const put = (body: string) => send('PUT', { body, headers: JSON_TYPE })
  expect(await (await send('GET')).json()).toEqual({ version: 0, value: null })
  expect(await (await put('{"a":1}')).json()).toEqual({ version: 1 })
  expect(await (await put('{"a":2}')).json()).toEqual({ version: 2 })
  expect(await (await send('GET')).json()).toEqual({ version: 2, value: { a: 2 } })
  expect(await (await send('GET', {}, '?after=2')).json()).toEqual({ version: 2 })
  expect((await put('{"a":')).status).toBe(400)
  expect(await (await send('GET')).json()).toEqual({ version: 2, value: { a: 2 } })
  // Beside the state, not in it.
  expect(JSON.stringify(await sandbox.state.export())).not.toContain('session.one')
  await sandbox.reset()
  expect(await (await send('GET')).json()).toEqual({ version: 0, value: null })
})

it('lets no page of another site read or write them', async () => {
  await using sandbox = await createSandbox()
  const url = `${sandbox.url}/_sandbox/demo/records/session.one`
  const foreign = { 'sec-fetch-site': 'cross-site', ...JSON_TYPE }
  const read = await sandbox.fetch(url, { headers: foreign })
  const written = await sandbox.fetch(url, { method: 'PUT', headers: foreign, body: '1' })
  const plain = await sandbox.fetch(url, { method: 'PUT', body: '1' })
  expect([read, written, plain].map(({ status }) => status)).toEqual([403, 403, 415])
  expect(await (await sandbox.fetch(url)).json()).toEqual({ version: 0, value: null })
})

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const NATIVE = { Headers, Request, Response }
const NAMES = ['Headers', 'Request', 'Response'] as const
const loaded = vi.fn()

/** As in Node, where the first look at a class loads it. */
beforeEach(() => {
  vi.resetModules()
  loaded.mockClear()
  for (const name of NAMES) {
    const get = () => loaded(name) || NATIVE[name]
    Object.defineProperty(globalThis, name, { get, configurable: true })
  }
})

afterEach(() => {
  for (const name of NAMES) {
    const value = NATIVE[name]
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
  }
})

const importClasses = async () => (await import('../src/fetch-classes.ts')).fetchClasses

it('loads a class of Node with the first object that is made, not when it is named', async () => {
  const { Request } = await importClasses()
  class Faster extends Request {}
  expect({} instanceof Request).toBe(false)
  expect(loaded).not.toHaveBeenCalled()
  const request = new Faster('http://127.0.0.1/read')
  expect(request.url).toBe('http://127.0.0.1/read')
  expect(loaded.mock.calls).toEqual([['Request']])
  expect(request).toBeInstanceOf(NATIVE.Request)
})

it('makes objects of the class of Node', async () => {
  const { Response } = await importClasses()
  expect(new Response('read').constructor).toBe(NATIVE.Response)
  expect(await new Response('read').text()).toBe('read')
})

it('takes the faster classes that the server puts in place of the globals', async () => {
  const classes = await importClasses()
  class FasterResponse extends classes.Response {}
  Object.defineProperty(classes, 'Response', { value: FasterResponse })
  expect(classes.Response).toBe(FasterResponse)
  expect(new classes.Response()).toBeInstanceOf(NATIVE.Response)
})

it('knows the headers of a request, even where no other headers were made before', async () => {
  const { Headers, Response } = await importClasses()
  const { headers } = new NATIVE.Request('http://127.0.0.1', { headers: { a: 'b' } })
  expect(headers).toBeInstanceOf(Headers)
  expect(headers).not.toBeInstanceOf(Response)
  expect({}).not.toBeInstanceOf(Headers)
})

it('is not loaded by the start of a sandbox, and neither are streams of the web', () => {
  const script = `require('./dist/index.cjs').createSandbox().then(async (sandbox) => {
    console.log(process.moduleLoadList.filter((name) => /undici|transformstream/.test(name)))
    await sandbox.close()
  })`
  const root = join(import.meta.dirname, '..')
  expect(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })).toBe(
    '[]\n',
  )
})

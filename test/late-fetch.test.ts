import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadFetchClassesLate } from '../src/cli/late-fetch.ts'

const NATIVE = { Headers, Request, Response }
const NAMES = ['Headers', 'Request', 'Response'] as const

/** As on Node 20, where the first look at a class loads it, and puts it where it was looked for. */
beforeEach(() => {
  for (const name of NAMES) {
    const value = NATIVE[name]
    Object.defineProperty(globalThis, name, {
      get: () => Object.defineProperty(globalThis, name, { value, writable: true }) && value,
      configurable: true,
    })
  }
  loadFetchClassesLate()
})

afterEach(() => {
  for (const name of NAMES) {
    Object.defineProperty(globalThis, name, {
      ...{ value: NATIVE[name], writable: true, configurable: true, enumerable: false },
    })
  }
})

it('leaves the faster class of the server in its place when the one of Node is loaded', async () => {
  class Faster extends Response {}
  globalThis.Response = Faster
  const response = new Response('read')
  expect(await response.text()).toBe('read')
  expect(response).toBeInstanceOf(NATIVE.Response)
  expect(globalThis.Response).toBe(Faster)
})

it('knows the headers of a request, even where no other headers were made before', () => {
  const { headers } = new Request('http://127.0.0.1', { headers: { a: 'b' } })
  expect(headers).toBeInstanceOf(Headers)
  expect(headers).not.toBeInstanceOf(Response)
  expect({}).not.toBeInstanceOf(Headers)
})

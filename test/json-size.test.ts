import { afterAll, expect, it } from 'vitest'
import { KEY, openApp } from './helpers/app.ts'
import fc from './helpers/fast-check.ts'
import { validKyb } from './helpers/kyb.ts'

const app = openApp()
afterAll(() => app.close())

const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }

async function send(method: string, path: string, text: string) {
  const response = await app.send(path, { method, headers, body: text })
  return { status: response.status, text: response.text }
}

/** The values of a document: objects and lists count as much as what is in them, names do not. */
const countOf = (json: unknown): number =>
  json !== null && typeof json === 'object'
    ? Object.values(json).reduce((sum, inner) => sum + countOf(inner), 1)
    : 1

/** Texts of a document with so many values in all, and with one more, which a list in it holds. */
function textsWith(values: number, write: (filling: unknown[]) => object): [string, string] {
  const ones = (count: number) => Array.from({ length: count }, () => 1)
  const filled = ones(values - countOf(write([])))
  return [JSON.stringify(write(filled)), JSON.stringify(write([...filled, 1]))]
}

it('a body of 100,000 JSON values is taken, and not one more', async () => {
  let users = 0
  const [most, tooMany] = textsWith(100_000, (x) => ({ email: `u${users++}@example.com`, x }))
  expect((await send('POST', '/v2/users', most)).status).toBe(200)
  const refused = await send('POST', '/v2/users', tooMany)
  expect(refused).toEqual({ status: 413, text: expect.stringContaining('100000 JSON values') })
  // It is refused before it is read as JSON.
  expect((await send('POST', '/v2/users', tooMany.slice(0, -1))).status).toBe(413)
})

it('the JSON values of a body are counted exactly, whatever their kinds', async () => {
  const Document = fc.jsonValue({ maxDepth: 20, stringUnit: 'binary' })
  const Indent = fc.constantFrom(undefined, 1, '\t')
  await fc.assert(
    fc.asyncProperty(Document, Indent, async (json, indent) => {
      const texts = textsWith(100_000, (x) => ({ json, x }))
      const [most, tooMany] = texts.map((text) => JSON.stringify(JSON.parse(text), null, indent))
      expect((await send('POST', '/v2/users', most ?? '')).status).toBe(400)
      expect((await send('POST', '/v2/users', tooMany ?? '')).status).toBe(413)
    }),
    {
      numRuns: 5,
      examples: [
        [{ '"': '\\', '[[{': '}]],,\\"', '\\\\': ['\\\\', '\\"', '"'] }, undefined],
        [[[], {}, [[]], [{}], { a: {} }, '', ' ', [''], null, [null]], 1],
      ],
    },
  )
})

it('a submission of a business has at most 10,000 JSON values', async () => {
  const [most, tooMany] = textsWith(10_000, (x) => ({ ...validKyb(), x }))
  expect((await send('POST', '/submitKYB', most)).status).toBe(200)
  expect((await send('POST', '/submitKYB', tooMany)).status).toBe(413)
})

it('a state has at most 1,000,000 JSON values', async () => {
  const state = await app.control('GET', '/state')
  const [most, tooMany] = textsWith(1_000_000, (x) => {
    const submitted = { id: 'kyb_1', integrator: 'main', at: state.now, submission: { x } }
    return { ...state, kybSubmissions: [submitted] }
  })
  expect((await send('PUT', '/_sandbox/state', most)).status).toBe(200)
  const { status, text } = await send('PUT', '/_sandbox/state', tooMany)
  expect([status, JSON.parse(text).detail]).toEqual([413, expect.stringContaining('--data')])
})

it.each(['/_sandbox/reset', '/_sandbox/worlds'])(
  'a fixture that is sent to %s may have more than 100,000 JSON values',
  async (path) => {
    const text = JSON.stringify({ fixture: { users: Array(150_000).fill({}) } })
    const { status, text: refused } = await send('POST', path, text)
    expect([status, JSON.parse(refused).errors[0].field]).toEqual([
      400,
      expect.stringMatching(/users/),
    ])
  },
)

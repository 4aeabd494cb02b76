import { afterEach, beforeEach, expect, it } from 'vitest'
import { PROBLEMS_MAX } from '../../src/world/zod-problems.ts'
import { openApp, type TestApp } from '../helpers/app.ts'

let app: TestApp
beforeEach(() => {
  app = openApp()
})
afterEach(() => app.close())

const rows = (count: number) => Array.from({ length: count }, () => ({}))

async function send(method: string, path: string, body: unknown) {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const response = await app.send(`/_sandbox${path}`, { method, body: text, headers })
  const { errors = [] } = JSON.parse(response.text) as { errors?: { field: string }[] }
  return { status: response.status, errors }
}

it.each([PROBLEMS_MAX, PROBLEMS_MAX + 1])(
  'of %i problems at most a hundred are listed',
  async (count) => {
    const { errors } = await send('POST', '/reset', { fixture: { users: rows(count) } })
    expect(errors).toHaveLength(PROBLEMS_MAX)
    expect(errors.at(-1)?.field).toBe(`users[${PROBLEMS_MAX - 1}].email`)
  },
)

it('a change of settings may have 64 KiB and no byte more', async () => {
  const ask = (length: number) => send('PATCH', '/settings', { s: 'x'.repeat(length - 8) })
  expect((await ask(64 * 1024)).status).toBe(400)
  expect((await ask(64 * 1024 + 1)).status).toBe(413)
})

import { afterEach, expect, it } from 'vitest'
import { KEY, openApp, type TestApp } from './helpers/app.ts'

const PAGE = 'http://localhost:5173'
const OTHER = 'https://elsewhere.example'

let app: TestApp
afterEach(() => app.close())

const open = (cors: string) => {
  app = openApp({ settings: { cors } })
}
const allowed = async (path: string, origin: string, method = 'GET') => {
  const headers = { 'x-api-key': KEY, origin }
  const response = await app.send(path, { method, headers })
  return { status: response.status, origin: response.headers.get('access-control-allow-origin') }
}

it('pages from other origins cannot read anything by default', async () => {
  open('none')
  expect(await allowed('/v2/users?email=a@example.com', PAGE)).toEqual({
    status: 200,
    origin: null,
  })
  expect(await allowed('/v2/users', PAGE, 'OPTIONS')).toEqual({ status: 405, origin: null })
})

it('pages from an allowed origin can read API responses, including errors', async () => {
  open(`${PAGE},http://localhost:3000`)
  expect(await allowed('/v2/users?email=a@example.com', PAGE)).toEqual({
    status: 200,
    origin: PAGE,
  })
  expect(await allowed('/v2/users', PAGE)).toEqual({ status: 400, origin: PAGE })
  expect(await allowed('/v2/transactions', PAGE)).toEqual({ status: 401, origin: PAGE })
  expect(await allowed('/v2/user', PAGE)).toEqual({ status: 404, origin: PAGE })
  expect(await allowed('/v2/users?email=a@example.com', OTHER)).toEqual({
    status: 200,
    origin: null,
  })
})

it('pages from an allowed origin learn which methods and headers they may send', async () => {
  open('*')
  const response = await app.send('/v2/users', { method: 'OPTIONS', headers: { origin: PAGE } })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-methods')).toMatch(/^(GET,POST|POST,GET)$/)
  expect(response.headers.get('access-control-allow-headers')).toContain('x-api-key')
})

it('pages of other origins never read the control API', async () => {
  open('*')
  expect((await allowed('/_sandbox/health', PAGE)).origin).toBeNull()
  expect((await allowed('/_sandbox/reset', PAGE, 'OPTIONS')).origin).toBeNull()
  expect((await allowed('/openapi.json', PAGE)).origin).toBeNull()
})

import { describe, expect, it } from 'vitest'
import { requireControl } from '../../src/http/control/auth.ts'
import { controlOperations } from '../../src/http/control/index.ts'
import { openControl } from './control.ts'

/** Every operation that the auth stands before, at a path that fits it. */
const guarded = controlOperations
  .filter(({ auth }) => auth === requireControl)
  .map(({ method, path }) => [method, path.replace('/_sandbox', '').replace(/:\w+/g, 'x')] as const)
const mutations = guarded.filter(([method]) => method !== 'GET')
const withBody = mutations.filter(([method]) => method !== 'DELETE')

describe('every control operation', () => {
  it.each(guarded)('%s %s refuses a foreign host, as a rebound name would be', async (...call) => {
    await using control = openControl()
    for (const host of ['example.com', '127.0.0.1.example.com', 'localhost.example.com:4100']) {
      expect(await control.refused(...call, { headers: { host } })).toMatchObject({
        status: 403,
        code: 'host-not-allowed',
      })
    }
  })

  it.each(guarded)('%s %s asks for the control token where there is one', async (...call) => {
    await using control = openControl({ controlToken: 'secret' })
    for (const authorization of ['', 'Bearer wrong', 'secret', 'Bearer secret2']) {
      expect(await control.refused(...call, { headers: { authorization } })).toMatchObject({
        status: 401,
        code: 'control-token',
      })
    }
  })

  it.each(guarded)('%s %s refuses a query parameter that it does not know', async (...call) => {
    const [method, path] = call
    await using control = openControl()
    const { status, errors } = await control.refused(method, `${path}?surprise=1`)
    expect(status).toBe(400)
    expect(errors.map(({ field }) => field)).toContain('surprise')
  })

  it.each(guarded)('%s %s is off with the control API', async (...call) => {
    await using control = openControl({ control: false })
    expect(await control.refused(...call)).toMatchObject({ status: 404, code: 'control-off' })
  })

  it.each(guarded)('%s %s refuses a page of another site', async (...call) => {
    await using control = openControl()
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ]) {
      expect(await control.refused(...call, { headers })).toMatchObject({
        status: 403,
        code: 'cross-site',
      })
    }
  })

  it('lets a link on another site open a page, and no frame', async () => {
    await using control = openControl()
    const statusOf = async (headers: Record<string, string>) => {
      const site = { accept: 'text/html', 'sec-fetch-site': 'cross-site', ...headers }
      return (await control.app.send('/_sandbox/', { headers: site })).status
    }
    expect(await statusOf({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toBe(200)
    expect(await statusOf({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' })).toBe(403)
    expect(await statusOf({ 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' })).toBe(403)
  })

  it.each(withBody)('%s %s refuses a form', async (...call) => {
    await using control = openControl()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const headers = { 'content-type': type }
      expect(await control.refused(...call, { text: '{}', headers })).toMatchObject({
        status: 415,
        code: 'unsupported-media-type',
      })
    }
  })

  it.each(withBody.filter(([, path]) => !/settings|state|faults|mcp/.test(path)))(
    '%s %s refuses a field that it does not know',
    async (...call) => {
      await using control = openControl()
      const { status, errors } = await control.refused(...call, { body: { surprise: 1 } })
      expect(status).toBe(400)
      expect(errors.map(({ field }) => field)).toContain('surprise')
    },
  )

  it.each(withBody)('%s %s refuses a body that is no JSON object', async (...call) => {
    await using control = openControl()
    for (const text of ['{', '[1]', 'null', '"x"', '1', '{"a":1}}', '\u0000', '{"a":'.repeat(9)]) {
      expect(await control.refused(...call, { text })).toMatchObject({ status: 400 })
    }
  })

  it.each(withBody.filter(([, path]) => !path.includes('/state')))(
    '%s %s refuses a body that is too long',
    async (...call) => {
      await using control = openControl()
      const text = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
      expect(await control.refused(...call, { text })).toMatchObject({
        status: 413,
        code: 'body-too-large',
      })
    },
  )

  it.each(guarded)('%s %s names its methods to a wrong one', async (_, path) => {
    await using control = openControl()
    const answer = await control.open(path, { method: 'PROPFIND' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
  })
})

describe('control paths', () => {
  it('that do not exist are refused with the nearest ones', async () => {
    await using control = openControl()
    const { status, detail } = await control.refused('GET', '/webhooks/delivery')
    expect(status).toBe(404)
    expect(detail).toContain('/_sandbox/webhooks/')
  })

  it('may hold any text', async () => {
    await using control = openControl()
    for (const id of ['%00', '%f0%9f%99%82', '..%2f..%2f', '%', '%zz', 'x'.repeat(4_000)]) {
      expect(await control.refused('GET', `/users/${id}`)).toMatchObject({ status: 404 })
      expect(await control.refused('GET', `/transactions/${id}`)).toMatchObject({ status: 404 })
      expect(await control.refused('GET', `/requests/${id}`)).toMatchObject({ status: 404 })
    }
  })

  it('answer a HEAD as they answer a GET', async () => {
    await using control = openControl()
    const answer = await control.open('/health', { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})

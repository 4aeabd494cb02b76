import { afterEach, beforeEach, expect, it } from 'vitest'
import { KEY_2, openApp, type TestApp } from '../helpers/app.ts'
import { callV1, refusedV1 } from './legacy.ts'

const NOTHING = {
  verifiedEmailEnabled: false,
  transactionInitiatedEnabled: false,
  transactionCompleteEnabled: false,
  transactionStatusUpdateEnabled: false,
  verifiedEmailUrl: '',
  transactionInitiatedUrl: '',
  transactionCompleteUrl: '',
  transactionStatusUpdateUrl: '',
}

let app: TestApp

beforeEach(() => {
  app = openApp()
})
afterEach(() => app.close())

const patch = (body: object) => callV1(app, 'PATCH /webhooks', { body })

it('the v1 webhook configuration is off until it is patched', async () => {
  expect(await callV1(app, 'GET /webhooks')).toEqual(NOTHING)
})

it('the v1 webhook configuration changes what is sent and leaves the rest, for this key only', async () => {
  const first = { verifiedEmailEnabled: true, verifiedEmailUrl: 'https://example.com/verified' }
  expect(await patch(first)).toEqual({ ...NOTHING, ...first })
  const second = { transactionCompleteUrl: 'https://example.com/complete' }
  expect(await patch(second)).toEqual({ ...NOTHING, ...first, ...second })
  expect(await patch({ verifiedEmailEnabled: false, unheardOf: 1 })).toEqual({
    ...NOTHING,
    ...first,
    ...second,
    verifiedEmailEnabled: false,
  })
  expect(await callV1(app, 'GET /webhooks', { key: KEY_2 })).toEqual(NOTHING)
})

it('the v1 webhook configuration refuses an unknown field if a setting says so', async () => {
  await app.control('PATCH', '/settings', { 'status.unknown-field': 400 })
  const body = { verifiedEmailEnabled: true, unheardOf: 1 }
  await refusedV1(app, 'PATCH /webhooks', { body }, [400, 'unheardOf'])
  expect(await callV1(app, 'GET /webhooks')).toEqual(NOTHING)
})

it.each([
  ['http://example.com/', 'verifiedEmailUrl must start with https://'],
  ['https://10.0.0.1/', 'verifiedEmailUrl must not point to a private address'],
  ['ftp://example.com/', 'verifiedEmailUrl must start with https://, not ftp://'],
  ['nonsense', 'verifiedEmailUrl must be an absolute URL'],
])(
  'the v1 webhook configuration refuses the URL %s and keeps the previous one',
  async (url, message) => {
    const body = { verifiedEmailEnabled: true, verifiedEmailUrl: url }
    await refusedV1(app, 'PATCH /webhooks', { body }, [400, message])
    expect(await callV1(app, 'GET /webhooks')).toEqual(NOTHING)
  },
)

const notes = async () => {
  const { requests } = await app.control('GET', '/requests')
  return requests.at(-1).notes.filter((note: string) => note.includes('/webhook-signing-secret'))
}

it.each([
  ['unsigned', 'they go out unsigned'],
  ['suppressed', 'they are not sent'],
])(
  'a call that turns legacy webhooks on before there is a signing secret notes what becomes of them when webhooks.withoutSecret is %s',
  async (value, what) => {
    await app.control('PATCH', '/settings', { 'webhooks.withoutSecret': value })
    const url = 'https://example.com/verified'
    await patch({ verifiedEmailUrl: url })
    expect(await notes()).toEqual([])
    await patch({ verifiedEmailEnabled: true })
    expect(await notes()).toEqual([expect.stringContaining(what)])
    expect((await notes())[0]).toContain('POST /webhook-signing-secret creates one')
    await callV1(app, 'POST /webhook-signing-secret')
    await patch({ transactionCompleteUrl: url, transactionCompleteEnabled: true })
    expect(await notes()).toEqual([])
  },
)

const put = () =>
  app.call('PUT /v2/webhook-configurations', { body: { url: 'https://example.com/' } })

it('the signing secret is shared: after v1 has created it, the first v2 PUT returns none', async () => {
  const { signingSecret } = await callV1(app, 'POST /webhook-signing-secret')
  expect(await put()).not.toHaveProperty('signingSecret')
  const rotated = await app.call('POST /v2/webhook-configurations/signing-secret/rotate')
  expect(rotated.signingSecret).not.toBe(signingSecret)
})

it('the signing secret is rotated by v1 when v2 made it first', async () => {
  const { signingSecret } = await put()
  expect(signingSecret).toBeDefined()
  const { signingSecret: rotated } = await callV1(app, 'POST /webhook-signing-secret')
  expect(rotated).not.toBe(signingSecret)
  expect(await put()).not.toHaveProperty('signingSecret')
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReceiver, type Received, type Receiver } from '../src/client/receiver.ts'
import { signBody } from '../src/webhooks/sign.ts'
import { type Control, openControl } from './control/control.ts'
import { KEY_2 } from './helpers/app.ts'
import { logIn } from './helpers/story.ts'

const compact = (body: string) => JSON.stringify(JSON.parse(body))
const indented = (body: string) => JSON.stringify(JSON.parse(body), null, 2)

describe('a received webhook', () => {
  let control: ReturnType<typeof openControl>
  let receiver: Receiver
  let secret: string
  let received: Received

  beforeEach(async () => {
    receiver = await createReceiver()
    control = openControl()
    secret = await configure(control, receiver.url)
    const alice = await logIn(control.app)
    await alice.buy({ externalSessionId: 'zoé/漢字' })
    received = await receiver.next()
  })
  afterEach(async () => {
    await control[Symbol.asyncDispose]()
    await receiver.close()
  })

  async function configure({ app }: Control, url: string, key?: string) {
    const call = { body: { url }, ...(key !== undefined && { key }) }
    return (await app.call('PUT /v2/webhook-configurations', call)).signingSecret ?? ''
  }
  const rotate = async () =>
    (await control.app.call('POST /v2/webhook-configurations/signing-secret/rotate')).signingSecret
  it('a signature with the secret of another integrator is explained by the name of that integrator alone', async () => {
    const other = await configure(control, receiver.url, KEY_2)
    const timestamp = String(received.headers['x-service-timestamp'])
    const computed = signBody({ secret: other, timestamp, body: received.body })
    const { deliveries } = await control.get('/webhooks/deliveries')
    const explained = await control.post('/webhooks/explain', { id: deliveries[0].id, computed })
    expect(explained.computed).toMatchObject([
      { message: 'Your receiver used the secret of second.' },
    ])
  })

  const explain = (change: object = {}) =>
    control.post('/webhooks/explain', {
      headers: received.headers,
      body: received.body,
      secret,
      ...change,
    })
  const withHeaders = (change: Record<string, string | undefined>) =>
    explain({ headers: { ...received.headers, ...change } })
  const codes = async (explained: Promise<{ problems: { code: string }[] }>) =>
    (await explained).problems.map(({ code }) => code)

  it('a received webhook is valid as it is, and is found among the deliveries', async () => {
    expect(await explain()).toEqual({
      valid: true,
      problems: [],
      expected: {
        timestamp: received.headers['x-service-timestamp'],
        signature: received.headers['x-service-signature'],
      },
      computed: null,
      deliveryId: 'dlv_1',
      problem: null,
      text: 'The signature is valid.\nThis is dlv_1.',
    })
    const bytes = { body: received.bytes.toString('base64'), bodyEncoding: 'base64' }
    expect((await explain(bytes)).valid).toBe(true)
  })

  it.each([
    ['indented', indented, 'body-reserialised'],
    ['compact', compact, 'body-reserialised'],
    ['with its fields in another order', reverseFields, 'body-reserialised'],
    ['as Latin-1', (body: string) => Buffer.from(body).toString('latin1'), 'body-changed'],
    ['with another value', (body: string) => body.replace('"CAD"', '"USD"'), 'body-changed'],
    ['in base64', (body: string) => Buffer.from(body).toString('base64'), 'body-base64'],
  ])('a received webhook is explained when it arrives %s', async (_, change, code) => {
    expect(await codes(explain({ body: change(received.body) }))).toEqual([code])
  })

  it('a received webhook that is verified with another secret is explained', async () => {
    const other = await configure(control, receiver.url, KEY_2)
    expect(await codes(explain({ secret: other }))).toEqual(['secret-of-other-integrator'])
    expect(await codes(explain({ secret: 'whsec_nobody' }))).toEqual(['secret-wrong'])
    expect(await codes(explain({ secret: '' }))).toEqual(['secret-wrong'])
    expect(await codes(explain({ secret: `${secret}\n` }))).toEqual(['secret-padded'])
    expect(await codes(explain({ secret: `"${secret}"` }))).toEqual(['secret-padded'])
  })

  it('a received webhook from before a rotation is explained, and so is one verified with the secret from before it', async () => {
    const rotated = await rotate()
    expect(await codes(explain({ secret: rotated }))).toEqual(['signed-before-rotation'])
    expect((await explain()).valid).toBe(true)
    await control.post('/webhooks/deliveries/dlv_1/resend')
    const again = receiver.received.at(-1)
    expect(await codes(explain({ headers: again?.headers }))).toEqual(['secret-before-rotation'])
    await rotate()
    await rotate()
    expect(await codes(explain({ secret: 'whsec_nobody' }))).toEqual(['signature-wrong'])
  })

  it.each([
    (digest: string) => `sha256=${digest}`,
    (digest: string) => `v1=${digest.toUpperCase()}`,
    (digest: string) => `v1=${Buffer.from(digest, 'hex').toString('base64')}`,
  ])('a received webhook with the signature %s is explained', async (write) => {
    const digest = String(received.headers['x-service-signature']).slice(3)
    const headers = { 'x-service-signature': write(digest) }
    expect(await codes(withHeaders(headers))).toEqual(['signature-format'])
  })

  it('a received webhook without headers, or with another header prefix, is explained', async () => {
    const missing = ['timestamp-missing', 'signature-missing']
    expect(await codes(explain({ headers: {} }))).toEqual(missing)
    await control.patch('/settings', { 'names.headerPrefix': 'X-Ramp' })
    expect(await codes(explain())).toEqual(['header-prefix'])
  })

  it('a webhook signed with world time is valid as it was sent, whatever the clock says now', async () => {
    await control.patch('/settings', { 'webhooks.time': 'world' })
    await control.post('/clock/advance', { by: '1h' })
    const { id } = await control.post('/webhooks/deliveries/dlv_1/resend')
    await control.post('/clock/advance', { by: '1h' })
    expect(await control.post('/webhooks/explain', { id, secret })).toMatchObject({ valid: true })
  })

  it.each([
    ['body', 'body-changed'],
    ['signature', 'wrong-on-purpose'],
    ['timestamp', 'timestamp-stale'],
    ['timestamp-ahead', 'timestamp-ahead'],
  ])(
    'a received webhook that was resent with a wrong %s is explained with its delivery',
    async (mutate, code) => {
      const { reason } = await control.post('/webhooks/deliveries/dlv_1/resend', { mutate })
      const { headers, body } = receiver.received.at(-1) ?? received
      expect(await explain({ headers, body })).toMatchObject({
        problems: [{ code, hint: `dlv_2: ${reason}` }],
        deliveryId: 'dlv_2',
      })
    },
  )

  it.each(['wording', 'field', 'eventId', 'unknown-status', 'unknown-type', 'chunked', 'charset'])(
    'a received webhook is valid after a resend with mutate %s, unless its receiver re-serialised it',
    async (mutate) => {
      await control.post('/webhooks/deliveries/dlv_1/resend', { mutate })
      const { headers, body } = receiver.received.at(-1) ?? received
      expect(await explain({ headers, body })).toMatchObject({ valid: true, deliveryId: 'dlv_2' })
      const again = explain({ headers, body: indented(body) })
      expect(await codes(again)).toEqual(['body-reserialised'])
    },
  )

  it('the timestamp of a received webhook is stale and differs from the signed one', async () => {
    const old = String(Number(received.headers['x-service-timestamp']) - 1_000)
    const found = await codes(withHeaders({ 'x-service-timestamp': old }))
    expect(found).toEqual(['timestamp-changed', 'timestamp-stale'])
  })

  it('the timestamp of a received webhook is in milliseconds', async () => {
    const signed = String(received.headers['x-service-timestamp'])
    const { problems } = await withHeaders({ 'x-service-timestamp': `${signed}000` })
    expect(problems[0]).toEqual({
      code: 'timestamp-changed',
      message: `The timestamp differs from the one that was signed (${signed}).`,
      hint: 'Pass the header as received: in seconds, not in milliseconds.',
    })
  })

  it('a received webhook is explained through the library too', async () => {
    const { createSandbox } = await import('../src/index.ts')
    await using sandbox = await createSandbox({ fixture: 'verified-user', listen: false })
    const headers = new Headers(Object.entries(received.headers).map(([k, v]) => [k, String(v)]))
    const asked = { headers, body: received.bytes, secret: 'whsec_nobody' }
    const explained = await sandbox.webhooks.explain(asked)
    expect(explained).toMatchObject({ valid: false, deliveryId: null })
    expect((await sandbox.webhooks.explain({ ...asked, secret })).valid).toBe(true)
  })

  it('webhooks.explain of the library names what is missing', async () => {
    const { createSandbox } = await import('../src/index.ts')
    await using sandbox = await createSandbox({ listen: false })
    const explained = (asked?: object) => sandbox.webhooks.explain(asked as never)
    await expect(explained({})).rejects.toThrow('headers is required')
    await expect(explained({ headers: {} })).rejects.toThrow('body is required')
    await expect(explained()).rejects.toThrow('webhooks.explain takes an object, not undefined.')
  })

  it.each([
    [{ headers: undefined }, 'headers'],
    [{ body: { id: 'evt_1' } }, 'body'],
    [{ body: 'x'.repeat(64 * 1024 + 1) }, 'body'],
    [{ bodyEncoding: 'hex' }, 'bodyEncoding'],
  ])('a received webhook is not explained from %j', async (change, field) => {
    const body = { headers: received.headers, body: received.body, secret, ...change }
    const { errors } = await control.refused('POST', '/webhooks/explain', { body })
    expect(errors[0]?.field).toBe(field)
  })
})

function reverseFields(body: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse()))
}

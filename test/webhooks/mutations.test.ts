import { describe, expect, it, onTestFinished } from 'vitest'
import { formatEntry } from '../../src/cli/log-format.ts'
import { isError } from '../../src/host/log.ts'
import { createReceiver, createSandbox } from '../../src/index.ts'
import { MUTATIONS, type Mutation } from '../../src/webhooks/mutation.ts'
import { buy } from '../client/buy.ts'
import { findRejection } from '../verifier.ts'

const PLAIN = { isColoured: false }

/** What a correct receiver says to each: why it rejects a false one, or null for a genuine one. */
const REJECTIONS: Record<Mutation, string | null> = {
  body: 'signature',
  signature: 'signature',
  timestamp: 'timestamp',
  'timestamp-ahead': 'timestamp',
  wording: null,
  chunked: null,
  charset: null,
  field: null,
  eventId: null,
  'unknown-status': null,
  'unknown-type': null,
}
const FALSE = MUTATIONS.filter((mutate) => REJECTIONS[mutate] !== null)
const GENUINE = MUTATIONS.filter((mutate) => REJECTIONS[mutate] === null)
/** Mutations that deliver the event that happened. */
const SAME_EVENT = GENUINE.filter((mutate) => !mutate.startsWith('unknown'))
const SPACED = / (\d|"[^"]*":) /

async function openReceived(settings = {}) {
  const sandbox = await createSandbox({
    fixture: 'verified-user',
    clock: 'frozen',
    listen: false,
    settings,
  })
  const receiver = await createReceiver()
  onTestFinished(async () => {
    await receiver.close()
    await sandbox.close()
  })
  const { signingSecret } = await sandbox.webhooks.set(receiver.url)
  const reject = (index: number) => {
    const request = receiver.received.at(index)
    if (request === undefined) throw new Error('nothing arrived')
    return findRejection(request, signingSecret)
  }
  return { sandbox, receiver, reject }
}

/** A webhook that its receiver answered with 500. */
async function openFailed() {
  const opened = await openReceived()
  const { sandbox, receiver } = opened
  receiver.respondWith(500)
  const ref = await buy(sandbox)
  await sandbox.webhooks.drain()
  const listFailed = () => sandbox.webhooks.deliveries({ failed: true })
  const [delivery] = await listFailed()
  return { ...opened, ref, id: delivery?.id ?? '', listFailed }
}

describe.each(['spaced', 'compact'])('a %s webhook', (body) => {
  it.each(MUTATIONS)(
    'a webhook resent with mutate %s is accepted or rejected as it should be',
    async (mutate) => {
      const { sandbox, reject } = await openReceived({ 'webhooks.body': body })
      await buy(sandbox)
      await sandbox.webhooks.drain()
      const { mutation, reason } = await sandbox.webhooks.resend('dlv_1', { mutate })
      expect({ mutation, reason }).toEqual({ mutation: mutate, reason: expect.any(String) })
      expect([reject(0), reject(1)]).toEqual([null, REJECTIONS[mutate]])
    },
  )
})

it('a forged webhook that is rejected proves nothing while the unchanged one is rejected, too', async () => {
  const { sandbox, receiver } = await openReceived()
  receiver.respondWith(401)
  await buy(sandbox)
  await sandbox.webhooks.drain()
  const resend = () => sandbox.webhooks.resend('dlv_1', { mutate: 'body' })
  expect((await resend()).verdict).toMatch(/rejected .*, but it also rejected the unchanged one\.$/)
  receiver.respondWith(204)
  await sandbox.webhooks.resend('dlv_1')
  receiver.respondWith(401)
  expect((await resend()).verdict).toMatch(/, as it should\.$/)
})

it.each([
  ['with a failure', 500, ''],
  ['elsewhere', 401, '/other'],
])(
  'a forged webhook is rejected as it should be, though the unchanged one was answered %s',
  async (...row) => {
    const [, status, path] = row
    const { sandbox, receiver } = await openReceived()
    receiver.respondWith(status)
    await buy(sandbox)
    await sandbox.webhooks.drain()
    receiver.respondWith(401)
    const to = `${receiver.url}${path}`
    const { verdict } = await sandbox.webhooks.resend('dlv_1', { mutate: 'body', to })
    expect(verdict).toMatch(/, as it should\.$/)
  },
)

const UNCHECKED = /^Check the signature and the timestamp before anything else/

it.each([
  ['rejected, as it should be', 401, null],
  ['accepted', 204, /accepted a webhook with a wrong signature/],
  ['not looked at', 404, /with 404 .*; a 404 does not show that it noticed/],
  ['answered with a failure', 500, /with 500 .*; a 500 does not show that it noticed/],
])('a forged webhook that is %s has a problem with a hint, or none', async (_, status, message) => {
  const { sandbox, receiver } = await openReceived()
  await buy(sandbox)
  await sandbox.webhooks.drain()
  receiver.respondWith(status)
  const { problem } = await sandbox.webhooks.resend('dlv_1', { mutate: 'signature' })
  const expected = message && {
    message: expect.stringMatching(message),
    hint: expect.stringMatching(UNCHECKED),
  }
  expect(problem).toEqual(expected)
})

async function resend(mutate: Mutation, settings = {}) {
  const { sandbox, receiver } = await openReceived(settings)
  await buy(sandbox)
  await sandbox.webhooks.drain()
  await sandbox.webhooks.resend('dlv_1', { mutate })
  const [before, after] = receiver.received
  if (!before || !after) throw new Error('two webhooks are needed')
  return { before, after }
}

it('a mutation of the wording writes the same values compactly, with the @ escaped', async () => {
  const { before, after } = await resend('wording')
  expect(after.json).toEqual(before.json)
  expect(after.body).toBe(JSON.stringify(before.json).replaceAll('@', '\\u0040'))
  expect(before.body).toMatch(SPACED)
})

it('a mutation into chunks sends the same bytes without a Content-Length', async () => {
  const { before, after } = await resend('chunked')
  expect(after.body).toBe(before.body)
  expect(before.headers).toHaveProperty('content-length')
  expect(after.headers).not.toHaveProperty('content-length')
  expect(after.headers).toHaveProperty('transfer-encoding', 'chunked')
})

it('a mutation of the charset sends the same bytes with a parameter in the content type', async () => {
  const { before, after } = await resend('charset')
  expect(after.body).toBe(before.body)
  expect(after.headers['content-type']).toBe('application/json; charset=utf-8')
})

it('a mutation adds a field to the envelope and to the payload, with the same spacing', async () => {
  const { before, after } = await resend('field')
  const { payload, ...envelope } = before.json
  expect(after.json).toEqual({
    ...envelope,
    sequence: 1,
    payload: { ...payload, note: 'new' },
  })
  expect(after.body).toMatch(SPACED)
})

it.each(['id', 'eventId', 'both'])(
  'a mutation to eventId leaves only that name when names.envelopeId is %s',
  async (name) => {
    const { before, after } = await resend('eventId', { 'names.envelopeId': name })
    const { id, eventId = id, ...others } = before.json
    expect(after.json).toEqual({ ...others, eventId })
  },
)

it('a mutation to an unknown status or type is another event, with an id of its own', async () => {
  const status = await resend('unknown-status')
  const { payload } = status.before.json
  expect(status.after.json).toEqual({
    ...status.before.json,
    id: `${status.before.json.id}-unknown-status`,
    payload: { ...payload, status: 'under review by partner' },
  })
  const { json } = (await resend('unknown-type')).after
  expect(json).toMatchObject({
    id: expect.stringMatching(/-unknown-type$/),
    type: 'account.note',
  })
  expect(json.payload).not.toHaveProperty('status')
})

it('a mutation of the body changes what matters: the status, and the amount of an order', async () => {
  const { before, after } = await resend('body')
  const { leftSideValue } = before.json.payload
  expect(after.json.payload).toEqual({
    ...before.json.payload,
    status: 'complete',
    leftSideValue: leftSideValue * 10,
  })
})

it('a mutation of the envelope is refused for a v1 webhook, and skipped by a fault', async () => {
  const { sandbox, receiver } = await openReceived()
  const legacy = {
    verifiedEmailEnabled: false,
    verifiedEmailUrl: '',
    transactionInitiatedEnabled: true,
    transactionInitiatedUrl: `${receiver.url}/v1`,
    transactionCompleteEnabled: false,
    transactionCompleteUrl: '',
    transactionStatusUpdateEnabled: false,
    transactionStatusUpdateUrl: '',
  }
  await sandbox.webhooks.set(null, { legacy })
  await sandbox.faults.add({ on: 'webhook', then: { mutate: 'eventId' } })
  await buy(sandbox)
  await sandbox.webhooks.drain()
  const [delivery] = await sandbox.webhooks.deliveries({ generation: 'v1', outcome: 'delivered' })
  expect(delivery).toMatchObject({ mutation: null, reason: null })
  expect(await sandbox.faults.list()).toMatchObject([{ seen: 0, hits: 0 }])
  const { id = '' } = delivery ?? {}
  await expect(sandbox.webhooks.resend(id, { mutate: 'unknown-type' })).rejects.toThrow(
    'a v1 webhook',
  )
  const { mutation } = await sandbox.webhooks.resend(id, { mutate: 'unknown-status' })
  expect(mutation).toBe('unknown-status')
  expect(receiver.received.at(-1)?.json.status).toBe('under review by partner')
})

it.each(FALSE)(
  'a failed webhook still counts as failed after a resend with mutate %s is accepted',
  async (mutate) => {
    const { sandbox, receiver, id, listFailed } = await openFailed()
    receiver.respondWith(200)
    const liar = await sandbox.webhooks.resend(id, { mutate })
    expect(liar).toMatchObject({ outcome: 'delivered', mutation: mutate, failed: true })
    expect(liar.problem?.hint).toMatch(/Check the signature and the timestamp/)
    expect((await listFailed()).map((row) => row.id)).toEqual([id])
    const subject = { kind: 'delivery', row: liar } as const
    expect(isError(subject)).toBe(true)
    expect(formatEntry({ world: 'default', subject }, PLAIN)).toMatch(
      /Your receiver accepted a webhook with an? (changed|wrong|old|timestamp)/,
    )
  },
)

it.each(SAME_EVENT)(
  'a failed webhook no longer counts as failed after a resend with mutate %s is accepted',
  async (mutate) => {
    const { sandbox, receiver, id } = await openFailed()
    receiver.respondWith(200)
    const row = await sandbox.webhooks.resend(id, { mutate })
    expect(row).toMatchObject({ outcome: 'delivered', failed: false, problem: null })
    expect(isError({ kind: 'delivery', row })).toBe(false)
  },
)

it.each(['unknown-status', 'unknown-type'] as const)(
  'a failed webhook still counts as failed after the different event that mutate %s sends is accepted',
  async (mutate) => {
    const { sandbox, receiver, id } = await openFailed()
    receiver.respondWith(200)
    const row = await sandbox.webhooks.resend(id, { mutate })
    expect(row).toMatchObject({ outcome: 'delivered', failed: true, problem: null })
    expect(isError({ kind: 'delivery', row })).toBe(false)
  },
)

it('a failed webhook no longer counts as failed after a plain resend is accepted, whatever happened in between', async () => {
  const { sandbox, receiver, id, listFailed } = await openFailed()
  receiver.respondWith(401)
  expect(await sandbox.webhooks.resend(id)).toMatchObject({ mutation: null, failed: true })
  receiver.respondWith(200)
  const again = await sandbox.webhooks.resend(id)
  expect(again).toMatchObject({ outcome: 'delivered', failed: false, repeatOf: id })
  expect(await listFailed()).toEqual([])
  expect(await sandbox.webhooks.delivery(id)).toMatchObject({
    outcome: 'rejected',
    failed: false,
  })
})

it.each(FALSE)(
  'a failed webhook still counts as failed if a fault with mutate %s damaged it and the receiver accepts it',
  async (mutate) => {
    const { sandbox, receiver, listFailed } = await openFailed()
    receiver.respondWith(200)
    await sandbox.faults.add({ on: 'webhook', then: { mutate } })
    await sandbox.simulate.kyc('alice@example.com', 'rejected')
    await sandbox.webhooks.drain()
    const rows = (await listFailed()).filter(({ type }) => type === 'user.update')
    expect(rows).toMatchObject([{ outcome: 'delivered', mutation: mutate, failed: true }])
  },
)

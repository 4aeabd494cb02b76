import { createReceiver } from '../../src/client/receiver.ts'
import { validKyb } from '../helpers/kyb.ts'
import { fieldsOf, type Rows } from './rows.ts'
import { EMAIL, type Scene, SELL } from './scene.ts'

const configure = ({ ask }: Scene, url: string) =>
  ask('PUT /v2/webhook-configurations', { body: { url } })

/** The last that a receiver gets of a change, by v2. */
async function received(scene: Scene, change: (scene: Scene) => Promise<unknown>) {
  await using receiver = await createReceiver()
  await configure(scene, receiver.url)
  await change(scene)
  await scene.app.control('POST', '/webhooks/drain')
  const last = receiver.received.at(-1)
  const { headers = {}, body = '' } = last ?? {}
  return { headers, body, json: last?.json as Record<string, unknown> }
}

const createTransaction = async (scene: Scene) => scene.order(await scene.alice(), SELL)
const test = ({ ask }: Scene) => ask('POST /v2/webhook-configurations/test')

/** Both types at URLs of their own. */
const toBothUrls = (url: string) => ({
  transactionInitiatedEnabled: true,
  transactionInitiatedUrl: `${url}/initiated`,
  transactionStatusUpdateEnabled: true,
  transactionStatusUpdateUrl: `${url}/update`,
})

/** Which legacy webhooks one order fires. */
async function firedHooks(scene: Scene) {
  await using receiver = await createReceiver()
  await scene.ask('PATCH /webhooks', { body: toBothUrls(receiver.url) })
  await scene.order(await scene.alice())
  await scene.app.control('POST', '/webhooks/drain')
  return receiver.received.map(({ path }) => path)
}

const V1_CALL = ['GET /apiFindUser', { query: { email: EMAIL } }] as const

export const SERVICE_ROWS: Rows = {
  'webhooks.test': {
    see: async (scene) => (await received(scene, test)).json.type,
    under: { 'user.update': 'user.update', 'transaction.update': 'transaction.update' },
  },
  'webhooks.url': {
    see: async (scene) => (await configure(scene, 'http://127.0.0.1:9/hooks')).status,
    under: { 'loopback-http': 200, 'https-only': 400 },
  },
  'webhooks.body': {
    see: async (scene) => (await received(scene, test)).body.slice(0, 8),
    under: { spaced: '{ "id": ', compact: '{"id":"e' },
  },
  'webhooks.timeout': {
    async see(scene) {
      const later = () => new Promise<number>((resolve) => setTimeout(resolve, 200, 200).unref())
      await using receiver = await createReceiver({ respond: later })
      await configure(scene, receiver.url)
      return (await test(scene)).data.deliveredStatusCode
    },
    under: { '10s': 200, '20ms': 0 },
  },
  'webhooks.time': {
    async see(scene) {
      const { headers } = await received(scene, test)
      return headers['x-service-timestamp'] === String(Date.parse('2026-07-01T12:00:00Z') / 1000)
    },
    under: { wall: false, world: true },
  },
  'webhooks.withoutSecret': {
    async see(scene) {
      const fired = await firedHooks(scene)
      const { deliveries } = await scene.app.control(
        'GET',
        '/webhooks/deliveries?outcome=delivered',
      )
      return [fired, deliveries.map(({ generation }: { generation: string }) => generation)]
    },
    under: { unsigned: [['/initiated'], ['v1']], suppressed: [[], []] },
  },
  'names.headerPrefix': {
    async see(scene) {
      const { headers } = await received(scene, test)
      return Object.keys(headers).filter((name) => name.endsWith('-signature'))
    },
    under: { 'X-Service': ['x-service-signature'], 'X-Ramp': ['x-ramp-signature'] },
  },
  'names.securityAnswerField': {
    async see(scene) {
      const { json } = await received(scene, createTransaction)
      return fieldsOf(json.payload as object).filter((name) => /answer/i.test(name))
    },
    under: {
      etransferSecurityAnswer: ['etransferSecurityAnswer'],
      securityAnswer: ['securityAnswer'],
    },
  },
  'names.envelopeId': {
    async see(scene) {
      const { json } = await received(scene, createTransaction)
      return fieldsOf(json).filter((name) => /id$/i.test(name))
    },
    under: { id: ['id'], eventId: ['eventId'], both: ['eventId', 'id'] },
  },
  'body.mediaType': {
    async see({ ask }) {
      const call = {
        body: { email: EMAIL },
        headers: { 'content-type': 'application/vnd.api+json' },
      }
      const charset = { 'content-type': 'Application/JSON; charset=utf-8' }
      const kyb = { ...call, body: validKyb() }
      return [
        (await ask('POST /v2/users', { ...call, body: { email: 'bob@example.com' } })).status,
        (await ask('PATCH /webhooks', { ...call, body: {} })).status,
        (await ask('POST /submitKYB', kyb)).status,
        (await ask('POST /v2/users', { ...call, headers: charset })).status,
      ]
    },
    under: { 'json-suffix': [200, 200, 200, 200], 'application/json': [415, 415, 415, 200] },
  },
  'v1.sunset': {
    async see({ ask, app }) {
      const before = await ask(...V1_CALL)
      await app.control('POST', '/clock/advance', { to: '2026-08-21T00:00:00Z' })
      const after = await ask(...V1_CALL)
      return [before.status, after.status, before.headers.get('sunset')]
    },
    under: {
      extended: [404, 404, 'Fri, 21 Aug 2026 00:00:00 GMT'],
      contract: [404, 410, 'Fri, 21 Aug 2026 00:00:00 GMT'],
      '2026-07-01T00:00:00Z': [410, 410, 'Wed, 01 Jul 2026 00:00:00 GMT'],
    },
  },
}

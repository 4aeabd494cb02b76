import * as z from 'zod'
import { refuseDestination } from '../../webhooks/destination.ts'
import { formatInstant } from '../../world/duration.ts'
import {
  deleteWebhookConfiguration,
  findWebhookConfiguration,
  getWebhookConfiguration,
  putWebhookConfiguration,
  rotateSigningSecret,
} from '../../world/integrators.ts'
import type { Policy } from '../../world/settings/index.ts'
import type { WebhookConfiguration } from '../../world/state.ts'
import { byKey } from '../auth.ts'
import type { Refusals } from '../operation.ts'
import { operation } from './dialect.ts'

const Configuration = () =>
  z
    .strictObject({
      url: z.url(),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
      signingSecret: z.string().optional(),
    })
    .meta({ title: 'WebhookConfiguration' })

const NONE = 'There is no webhook configuration.'
const refusesNone = (policy: Policy): Refusals =>
  policy['webhooks.none'] === 'not-found' ? { 'not-found': NONE } : {}

const path = '/v2/webhook-configurations'

export const webhookConfigurations = [
  operation({
    id: 'putWebhookConfiguration',
    method: 'PUT',
    path,
    summary: 'Set where events go',
    ref: 'Endpoints: Webhook configuration, PUT /webhook-configurations',
    guard: byKey,
    body: () => z.object({ url: z.string() }),
    answer: Configuration,
    assumptions: ['webhooks.url'],
    handle({ world, doors, who, input }) {
      const { url } = input.body
      const httpsOnly = world.policy['webhooks.url'] === 'https-only'
      refuseDestination(url, { httpsOnly, allowHosts: doors.webhookHosts })
      const { signingSecret, ...made } = putWebhookConfiguration(world, who.integrator, url)
      return { ...present(made), ...(signingSecret !== null && { signingSecret }) }
    },
  }),
  operation({
    id: 'getWebhookConfiguration',
    method: 'GET',
    path,
    summary: 'Read where events go',
    ref: 'Endpoints: Webhook configuration, GET /webhook-configurations',
    guard: byKey,
    answer: () => Configuration().nullable(),
    refuses: refusesNone,
    assumptions: ['webhooks.none'],
    handle({ world, who }) {
      const found = findWebhookConfiguration(world, who.integrator)
      return found === null ? null : present(getWebhookConfiguration(world, who.integrator))
    },
  }),
  operation({
    id: 'deleteWebhookConfiguration',
    method: 'DELETE',
    path,
    summary: 'Stop sending events',
    ref: 'Endpoints: Webhook configuration, DELETE /webhook-configurations',
    guard: byKey,
    status: 204,
    refuses: refusesNone,
    assumptions: ['webhooks.none'],
    handle: ({ world, who }) => deleteWebhookConfiguration(world, who.integrator),
  }),
  operation({
    id: 'testWebhookConfiguration',
    method: 'POST',
    path: `${path}/test`,
    summary: 'Send a synthetic event',
    ref: 'Endpoints: Webhook configuration, POST /webhook-configurations/test',
    guard: byKey,
    answer: () =>
      z
        .strictObject({
          eventId: z.string(),
          deliveredStatusCode: z.int(),
          deliveredStatusText: z.string(),
        })
        .meta({ title: 'TestDelivery' }),
    refuses: { 'not-found': NONE },
    assumptions: ['webhooks.none', 'webhooks.test', 'webhooks.timeout'],
    async handle({ world, doors, who }) {
      getWebhookConfiguration(world, who.integrator)
      const { eventId, response, error } = await doors.outbox.sendTest(who.integrator)
      return {
        eventId,
        deliveredStatusCode: response?.status ?? 0,
        deliveredStatusText: response?.statusText ?? error ?? 'No answer.',
      }
    },
  }),
  operation({
    id: 'rotateSigningSecret',
    method: 'POST',
    path: `${path}/signing-secret/rotate`,
    summary: 'Replace the signing secret',
    ref: 'Endpoints: Webhook configuration, POST signing-secret/rotate',
    guard: byKey,
    answer: () => z.strictObject({ signingSecret: z.string() }),
    refuses: { 'not-found': 'There is no signing secret yet.' },
    handle: ({ world, who }) => ({ signingSecret: rotateSigningSecret(world, who.integrator) }),
  }),
]

function present({ url, createdAt, updatedAt }: WebhookConfiguration) {
  return { url, createdAt: formatInstant(createdAt), updatedAt: formatInstant(updatedAt) }
}

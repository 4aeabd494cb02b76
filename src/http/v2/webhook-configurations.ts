import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import {
  deleteWebhookConfiguration,
  findWebhookConfiguration,
  getWebhookConfiguration,
  putWebhookConfiguration,
  rotateSigningSecret,
} from '../../world/integrators.ts'
import type { WebhookConfiguration } from '../../world/state.ts'
import { requireApiKey } from '../auth.ts'
import { assertWebhookUrl, assumeHttp } from '../contract.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'

const Configuration = () =>
  titled('WebhookConfiguration', {
    url: z.url(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
const PutConfiguration = () =>
  Configuration()
    .extend({ signingSecret: z.string().optional() })
    .meta({ title: 'PutWebhookConfiguration' })

const path = '/v2/webhook-configurations'

export const webhookConfigurations = [
  operation('PUT', path, {
    id: 'putWebhookConfiguration',
    summary: 'Set where events go',
    ref: 'Endpoints: Webhook configuration, PUT /webhook-configurations',
    auth: requireApiKey,
    body: () => z.object({ url: z.string() }),
    answer: PutConfiguration,
    handle(call) {
      const { world, services, who, input } = call
      const { url } = input.body
      assertWebhookUrl(services, url)
      assumeHttp(call, [url])
      const { signingSecret, ...made } = putWebhookConfiguration(world, who.integrator, url)
      return { ...present(made), ...(signingSecret !== null && { signingSecret }) }
    },
  }),
  operation('GET', path, {
    id: 'getWebhookConfiguration',
    summary: 'Read where events go',
    ref: 'Endpoints: Webhook configuration, GET /webhook-configurations',
    auth: requireApiKey,
    answer: () => Configuration().nullable(),
    handle({ world, who }) {
      const found = findWebhookConfiguration(world, who.integrator)
      return found === null ? null : present(getWebhookConfiguration(world, who.integrator))
    },
  }),
  operation('DELETE', path, {
    id: 'deleteWebhookConfiguration',
    summary: 'Stop sending events',
    ref: 'Endpoints: Webhook configuration, DELETE /webhook-configurations',
    auth: requireApiKey,
    handle: ({ world, who }) => deleteWebhookConfiguration(world, who.integrator),
  }),
  operation('POST', `${path}/test`, {
    id: 'testWebhookConfiguration',
    summary: 'Send a synthetic event',
    ref: 'Endpoints: Webhook configuration, POST /webhook-configurations/test',
    auth: requireApiKey,
    answer: () =>
      titled('TestDelivery', {
        eventId: z.string(),
        deliveredStatusCode: z.int(),
        deliveredStatusText: z.string(),
      }),
    async handle({ world, services, who }) {
      getWebhookConfiguration(world, who.integrator)
      const { eventId, response, error } = await services.outbox.sendTest(who.integrator)
      return {
        eventId,
        deliveredStatusCode: response?.status ?? 0,
        deliveredStatusText: response?.statusText ?? error ?? 'No answer.',
      }
    },
  }),
  operation('POST', `${path}/signing-secret/rotate`, {
    id: 'rotateSigningSecret',
    summary: 'Replace the signing secret',
    ref: 'Endpoints: Webhook configuration, POST signing-secret/rotate',
    auth: requireApiKey,
    answer: () => z.strictObject({ signingSecret: z.string() }),
    handle: ({ world, who }) => ({ signingSecret: rotateSigningSecret(world, who.integrator) }),
  }),
]

function present({ url, createdAt, updatedAt }: WebhookConfiguration) {
  return { url, createdAt: formatInstant(createdAt), updatedAt: formatInstant(updatedAt) }
}

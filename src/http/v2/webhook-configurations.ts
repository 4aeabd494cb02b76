import * as z from 'zod'
import { named } from '../../control-api/schema.ts'
import { formatInstant } from '../../world/duration.ts'
import {
  assertTestable,
  deleteWebhookConfiguration,
  getWebhookConfiguration,
  putWebhookConfiguration,
  rotateSigningSecret,
} from '../../world/integrators.ts'
import type { WebhookConfiguration } from '../../world/state.ts'
import { requireApiKey } from '../auth.ts'
import { assertWebhookUrl } from '../contract.ts'
import { noteHttp } from '../notes.ts'
import { operation } from './dialect.ts'

const Configuration = () =>
  named('WebhookConfiguration', {
    url: z.url().describe('URL to which every v2 event is sent.'),
    createdAt: z.iso.datetime().describe('When it was created: world time, ISO 8601.'),
    updatedAt: z.iso.datetime().describe('When it was last replaced: world time, ISO 8601.'),
  })
const PutConfiguration = () =>
  Configuration()
    .extend({
      signingSecret: z
        .string()
        .optional()
        .describe('Key for webhook signatures: use the whole string. It is shown only once.'),
    })
    .meta({ title: 'PutWebhookConfiguration' })
const TestDelivery = () =>
  named('TestDelivery', {
    eventId: z.string().describe('Id of the event.'),
    deliveredStatusCode: z
      .int()
      .describe('Status of the receiver’s response; 0 when there was none.'),
    deliveredStatusText: z
      .string()
      .describe('Status text of that response, or why there was none.'),
  })
export type TestDelivery = z.output<ReturnType<typeof TestDelivery>>

const path = '/v2/webhook-configurations'

export const webhookConfigurations = [
  operation('PUT', path, {
    id: 'putWebhookConfiguration',
    summary: 'Set where events go',
    about:
      'Sets the one URL to which all v2 events are sent, or replaces it. The first call of an integrator without a secret also returns the signing secret, which is not shown again.',
    success: 'Events go to this URL from now on, including those still waiting to be sent.',
    auth: requireApiKey,
    body: () =>
      z.object({
        url: z
          .string()
          .describe('Where every v2 event is sent: https, or http to loopback and allowed hosts.'),
      }),
    response: PutConfiguration,
    handle(call) {
      const { world, services, who, input } = call
      const { url } = input.body
      assertWebhookUrl(services, url)
      noteHttp(call, [url])
      const { signingSecret, ...made } = putWebhookConfiguration(world, who.integrator, url)
      return { ...present(made), ...(signingSecret !== null && { signingSecret }) }
    },
  }),
  operation('GET', path, {
    id: 'getWebhookConfiguration',
    summary: 'Read where events go',
    about:
      'Reads where events are sent, as `putWebhookConfiguration` set it. The signing secret is not shown: rotate it if it is lost.',
    success: 'The configuration, without the secret.',
    auth: requireApiKey,
    response: () => Configuration().nullable(),
    handle({ world, who }) {
      const found = getWebhookConfiguration(world, who.integrator)
      return found && present(found)
    },
  }),
  operation('DELETE', path, {
    id: 'deleteWebhookConfiguration',
    summary: 'Stop sending events',
    about:
      'Removes the URL, so that no more v2 events are sent. The signing secret stays, and legacy webhooks are not affected.',
    success: 'No more events are sent.',
    auth: requireApiKey,
    handle: ({ world, who }) => deleteWebhookConfiguration(world, who.integrator),
  }),
  operation('POST', `${path}/test`, {
    id: 'testWebhookConfiguration',
    summary: 'Send a synthetic event',
    about:
      'Sends a synthetic event, which concerns no real user, to the configured URL, signed like any other, and waits for the response. Set a URL first with `putWebhookConfiguration`.',
    success: 'The receiver’s response, even if it was an error or there was none.',
    auth: requireApiKey,
    response: TestDelivery,
    async handle({ services, who }) {
      assertTestable(who.integrator)
      const { eventId, response, error } = await services.outbox.sendTest(who.integrator)
      return {
        eventId,
        deliveredStatusCode: response?.status ?? 0,
        deliveredStatusText: response?.statusText ?? error ?? 'No response.',
      }
    },
  }),
  operation('POST', `${path}/signing-secret/rotate`, {
    id: 'rotateSigningSecret',
    summary: 'Replace the signing secret',
    about:
      'Replaces the signing secret. Webhooks sent from now on are signed with the new one. `putWebhookConfiguration` creates the first one.',
    success: 'The new secret, which is not shown again.',
    auth: requireApiKey,
    response: () =>
      z.strictObject({
        signingSecret: z
          .string()
          .describe('Key for webhook signatures: use the whole string. It is shown only once.'),
      }),
    handle: ({ world, who }) => ({ signingSecret: rotateSigningSecret(world, who.integrator) }),
  }),
]

function present({ url, createdAt, updatedAt }: WebhookConfiguration) {
  return { url, createdAt: formatInstant(createdAt), updatedAt: formatInstant(updatedAt) }
}

import * as z from 'zod'
import { presentDelivery } from '../../webhooks/delivery.ts'
import { assertTestable, setWebhooks } from '../../world/integrators.ts'
import { LEGACY_HOOKS } from '../../world/legacy-webhooks.ts'
import type { Integrator } from '../../world/state.ts'
import { assertWebhookUrl } from '../contract.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import { findIntegrator, ownHostOf } from './shapes.ts'
import { DeliveryRecord } from './webhooks.ts'

const LegacyHook = () =>
  titled('LegacyHook', { enabled: z.boolean(), url: z.string() }).describe(
    'One of the webhooks of v1.',
  )
const Legacy = () =>
  z
    .strictObject({
      verifiedEmail: LegacyHook(),
      transactionInitiated: LegacyHook(),
      transactionComplete: LegacyHook(),
      transactionStatusUpdate: LegacyHook(),
    })
    .nullable()
    .describe('The four webhooks of v1; null where they were never configured.')
const Url = () => z.string().nullable().describe('Where v2 events go; null for nowhere.')

export const WebhookSettings = () =>
  titled('WebhookSettings', {
    integrator: z.string(),
    url: Url(),
    legacy: Legacy(),
    signingSecret: z.string().nullable().describe('Null until webhooks are configured.'),
  }).describe('Where the webhooks of an integrator go.')
export type WebhookSettings = z.output<ReturnType<typeof WebhookSettings>>

export const WebhookSettingsList = () =>
  z.strictObject({
    integrators: z.array(WebhookSettings()),
    receiverUrl: z
      .url()
      .nullable()
      .describe('Start of the URLs of catches as the sandbox reaches them; null without a socket.'),
  })
export type WebhookSettingsList = z.output<ReturnType<typeof WebhookSettingsList>>

const Name = () =>
  z.string().optional().describe('Name of the integrator; the first one by default.')

const PutWebhookSettings = () =>
  z.strictObject({ url: Url().optional(), legacy: Legacy().optional(), integrator: Name() })

export const webhookSettings = [
  lever('webhooks.settings', {
    id: 'getWebhookSettings',
    summary: 'Show where the webhooks of each integrator go, and the signing secrets',
    about:
      'Reads where the webhooks of each integrator go, those of v1 too, and the secret that signs them. The contract answers the secret once; here it can be read again.',
    success: 'The settings.',
    words: 'webhook secret',
    also: { webhook: {} },
    answer: WebhookSettingsList,
    handle({ c, services, world }) {
      const { ownPort, ownCertificate } = services.webhookRules
      const port = ownPort?.()
      const scheme = ownCertificate === undefined ? 'http' : 'https'
      const base = `${scheme}://${ownHostOf(c)}:${port}${c.env.prefix}/_sandbox/catch`
      const integrators = world.integrators.map(present)
      return { integrators, receiverUrl: port === undefined ? null : base }
    },
  }),
  lever('webhooks.set', {
    id: 'putWebhookSettings',
    summary: 'Set where the webhooks of an integrator go; what is not sent stays',
    about:
      'Sets where the webhooks of an integrator go, without its API key and without a row in the request journal. Null removes; what is not sent stays. The first URL makes the signing secret.',
    success: 'The settings now.',
    words: 'webhook set URL',
    example: 'webhook set http://localhost:3000/hooks',
    tool: true,
    body: PutWebhookSettings,
    answer: WebhookSettings,
    errors: { 'not-found': 'There is no such integrator.' },
    handle({ services, world, input: { body } }) {
      const integrator = findIntegrator(world, body.integrator)
      const urls = LEGACY_HOOKS.map((hook) => body.legacy?.[hook].url)
      for (const url of [body.url, ...urls]) if (url) assertWebhookUrl(services, url)
      setWebhooks(world, integrator, body)
      return present(integrator)
    },
  }),
  lever('webhooks.test', {
    id: 'testWebhook',
    summary: 'Send a synthetic event to the webhook URL, and show the response',
    about:
      'Sends a synthetic event to the v2 URL of an integrator, as `testWebhookConfiguration` of the contract does, and waits for the response.',
    success: 'What the receiver answered, or why there was no response.',
    words: 'webhook test',
    body: () => z.strictObject({ integrator: Name() }),
    answer: DeliveryRecord,
    errors: { 'not-found': 'There is no such integrator, or it has no webhook URL.' },
    async handle({ services, world, input: { body } }) {
      const integrator = findIntegrator(world, body.integrator)
      assertTestable(integrator)
      return presentDelivery(await services.outbox.sendTest(integrator))
    },
  }),
]

const present = ({ name, webhook, legacyWebhooks, signingSecret }: Integrator) => ({
  integrator: name,
  url: webhook?.url ?? null,
  legacy: legacyWebhooks,
  signingSecret,
})

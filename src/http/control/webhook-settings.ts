import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { setWebhooks } from '../../world/integrators.ts'
import { LEGACY_HOOKS } from '../../world/legacy-webhooks.ts'
import type { Integrator } from '../../world/state.ts'
import { assertWebhookUrl } from '../contract.ts'
import type { Services } from '../services.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'
import { ownHostOf } from './shapes.ts'

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

export const webhookSettings = [
  operation('GET', '/_sandbox/webhooks/settings', {
    id: 'getWebhookSettings',
    summary: 'Read where the webhooks of each integrator go, and what signs them',
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
  operation('PUT', '/_sandbox/webhooks/settings/:integrator', {
    id: 'putWebhookSettings',
    summary: 'Set where the webhooks of an integrator go; what is not sent stays',
    body: () => z.strictObject({ url: Url().optional(), legacy: Legacy().optional() }),
    answer: WebhookSettings,
    errors: { 'not-found': 'There is no such integrator.' },
    handle({ services, world, param, input: { body } }) {
      const integrator = getIntegrator(services, param('integrator'))
      const urls = LEGACY_HOOKS.map((hook) => body.legacy?.[hook].url)
      for (const url of [body.url, ...urls]) if (url) assertWebhookUrl(services, url)
      setWebhooks(world, integrator, body)
      return present(integrator)
    },
  }),
]

function getIntegrator({ world }: Services, name: string): Integrator {
  const found = world.integratorsByName.get(name)
  if (found) return found
  const known = [...world.integratorsByName.keys()].slice(0, 5).join(', ')
  const message = `There is no integrator ${name}; there is ${known}.`
  throw new DomainError('not-found', message, { field: 'integrator' })
}

const present = ({ name, webhook, legacyWebhooks, signingSecret }: Integrator) => ({
  integrator: name,
  url: webhook?.url ?? null,
  legacy: legacyWebhooks,
  signingSecret,
})

import { withScheme } from '../../client/local-url.ts'
import { WAIT_MAX_MS } from '../../control-api/pages.ts'
import { DeliveryRecord } from '../../control-api/webhooks.ts'
import { type Delivery, requestOf } from '../../webhooks/delivery.ts'
import { canMutate, type Mutation } from '../../webhooks/mutation.ts'
import { diagnoseOutcome } from '../../webhooks/outcome-diagnosis.ts'
import { signingClock } from '../../webhooks/request.ts'
import { diagnoseSignature } from '../../webhooks/signature-diagnosis.ts'
import { DomainError } from '../../world/domain-error.ts'
import { assertTestable, setWebhooks } from '../../world/integrators.ts'
import { type Integrator, LEGACY_HOOKS } from '../../world/state.ts'
import { assertWebhookUrl } from '../contract.ts'
import type { Services } from '../services.ts'
import { getIntegrator, ownHostOf } from './context.ts'
import { implement } from './dialect.ts'
import { contains, createRefTest, equals } from './filters.ts'
import { getFromJournal, listRows } from './page.ts'
import { presentAs } from './present-as.ts'

export const webhooks = [
  implement('webhooks.settings', ({ c, services, world }) => {
    const { ownPort, ownCertificate } = services.webhookRules
    const port = ownPort?.()
    const scheme = ownCertificate === undefined ? 'http' : 'https'
    const base = `${scheme}://${ownHostOf(c)}:${port}${c.env.prefix}/_sandbox/catch`
    const integrators = world.integrators.map(presentSettings)
    return { integrators, receiverUrl: port === undefined ? null : base }
  }),
  implement('webhooks.set', ({ services, world, input: { body } }) => {
    const integrator = getIntegrator(world, body.integrator)
    const urls = LEGACY_HOOKS.map((hook) => body.legacy?.[`${hook}Url`])
    for (const url of [body.url, ...urls]) if (url) assertWebhookUrl(services, url)
    setWebhooks(world, integrator, body)
    return presentSettings(integrator)
  }),
  implement('webhooks.test', async ({ services, world, input: { body } }) => {
    const integrator = getIntegrator(world, body.integrator)
    assertTestable(integrator)
    return presentDelivery(await services.outbox.sendTest(integrator), services)
  }),
  implement('webhooks.drain', async ({ services, input }) => {
    return { pending: await services.outbox.drain(input.body.timeout ?? WAIT_MAX_MS) }
  }),
  implement('webhooks.deliveries', ({ services, input: { query } }) => {
    const { deliveries: rows, position: end } = services.journal
    const present = (delivery: Delivery) => presentDelivery(delivery, services)
    const filters = {
      type: equals('type'),
      ref: createRefTest(services.world),
      outcome: equals('outcome'),
      eventId: equals('eventId'),
      generation: equals('generation'),
      q: contains(textsOf),
      failed: ({ failed, first }: Delivery, is: boolean) =>
        is ? failed && first === null : !failed,
    }
    return listRows('deliveries', { rows, end, query, filters, present })
  }),
  implement('webhooks.delivery', ({ services, param }) =>
    presentDelivery(getDelivery(services, param('id')), services),
  ),
  implement('webhooks.resend', async ({ services, param, input }) => {
    const delivery = getDelivery(services, param('id'))
    const { mutate } = input.body
    const to = input.body.to && withScheme(input.body.to)
    if (mutate) assertMutable(delivery, mutate)
    if (to !== undefined) assertWebhookUrl(services, to)
    return presentDelivery(await services.outbox.resend(delivery, { mutate, to }), services)
  }),
  implement('webhooks.explain', ({ services, world, input }) => {
    const { headers, bodyEncoding, secret, computed, receivedAt } = input.body
    const body =
      bodyEncoding === 'base64'
        ? Buffer.from(input.body.body, 'base64').toString()
        : input.body.body
    return diagnoseSignature({
      headers,
      body,
      secret,
      computed,
      headerPrefix: world.settings['names.headerPrefix'],
      isWorldTime: world.settings['webhooks.time'] === 'world',
      now: receivedAt ?? signingClock(world, services.wallClock()),
      signers: world.integrators,
      deliveries: services.journal.deliveries.after(0).reverse(),
    })
  }),
]

const textsOf = (delivery: Delivery) => [
  ...[delivery.id, delivery.eventId, delivery.type, delivery.ref, delivery.status, delivery.hook],
  ...[delivery.url, delivery.outcome, delivery.mutation, delivery.reason, delivery.error],
  ...[delivery.integrator, delivery.response?.status, delivery.body],
]

export function presentDelivery(delivery: Delivery, services: Services): DeliveryRecord {
  const { world, journal } = services
  return presentAs(DeliveryRecord, delivery, {
    request: requestOf(delivery),
    sentAt: delivery.sent?.at ?? null,
    problem: diagnoseOutcome(world, delivery) ?? null,
    cursor: String(delivery.pos),
    cause: journal.causeOf(delivery),
  })
}

const presentSettings = ({ name, webhook, legacyWebhooks, signingSecret }: Integrator) => ({
  integrator: name,
  url: webhook?.url ?? null,
  legacy: legacyWebhooks,
  signingSecret,
})

function assertMutable({ generation }: Delivery, mutate: Mutation): void {
  if (canMutate(mutate, generation)) return
  const message = `${mutate} is about the envelope of v2 events, and this webhook is one of v1.`
  throw new DomainError('invalid', message, { field: 'mutate' })
}

export function getDelivery(services: Services, id: string): Delivery {
  return getFromJournal(services, 'deliveries', id)
}

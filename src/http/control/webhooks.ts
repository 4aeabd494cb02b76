import type * as z from 'zod'
import { withScheme } from '../../client/local-url.ts'
import { DeliveryRecord } from '../../control-api/deliveries.ts'
import type { ControlSchemas } from '../../control-api/index.ts'
import { LIMIT_MAX, WAIT_MAX_MS } from '../../control-api/pages.ts'
import { lines } from '../../control-api/text.ts'
import { realTime } from '../../real-time.ts'
import {
  type Delivery,
  describeMutated,
  requestOf,
  wasSuppressed,
} from '../../webhooks/delivery.ts'
import { canMutate, type Mutation } from '../../webhooks/mutation.ts'
import { diagnoseOutcome, type OutcomeProblem } from '../../webhooks/outcome-diagnosis.ts'
import { signingClock } from '../../webhooks/request.ts'
import { diagnoseSignature } from '../../webhooks/signature-diagnosis.ts'
import { DomainError } from '../../world/domain-error.ts'
import { setWebhooks } from '../../world/integrators.ts'
import { renameFields } from '../../world/rename-fields.ts'
import { type Integrator, LEGACY_HOOKS } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import { assertWebhookUrl } from '../contract.ts'
import type { Services } from '../services.ts'
import { getIntegrator, ownOriginOf } from './context.ts'
import { implement } from './dialect.ts'
import { addUnknown, contains, createRefTest, equals } from './filters.ts'
import { getFromJournal, listRows, presentRows } from './page.ts'
import { presentAs } from './present-as.ts'

export const webhooks = [
  implement('webhooks.settings', ({ c, services, world }) => {
    const origin = ownOriginOf(c, services)
    const integrators = world.integrators.map(presentSettings)
    return { integrators, receiverUrl: origin ? `${origin}${c.env.prefix}/_sandbox/catch` : null }
  }),
  implement('webhooks.set', ({ services, world, input: { body } }) => {
    const integrator = getIntegrator(world, body.integrator)
    const url = body.url == null ? body.url : withScheme(body.url)
    if (url != null) assertWebhookUrl(services, url)
    const urls = LEGACY_HOOKS.map((hook) => body.legacy?.[`${hook}Url`])
    for (const each of urls) if (each) assertWebhookUrl(services, each)
    setWebhooks(world, integrator, { ...body, url })
    return presentSettings(integrator)
  }),
  implement('webhooks.test', async ({ services, world, input: { body } }) => {
    const integrator = getIntegrator(world, body.integrator)
    if (integrator.webhook === null) throw hasNoUrl(integrator)
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
      sent: (row: Delivery, is: boolean) => wasSuppressed(row) !== is,
      generation: equals('generation'),
      q: contains(textsOfDelivery),
      failed: ({ failed, first }: Delivery, is: boolean) =>
        is ? failed && first === null : !failed,
    }
    const page = listRows('deliveries', { rows, end, query, filters, present })
    return addUnknown(page, services.world, { ref: query.ref })
  }),
  implement('webhooks.delivery', ({ services, param }) =>
    presentDelivery(getDelivery(services, param('id')), services),
  ),
  implement('webhooks.resend', async ({ services, param, input }) => {
    const delivery = getDelivery(services, param('id'))
    const { mutate } = input.body
    const to = input.body.to === undefined ? undefined : withScheme(input.body.to)
    if (mutate) assertMutable(delivery, mutate)
    if (to !== undefined) renameFields({ url: 'to' }, () => assertWebhookUrl(services, to))
    return presentDelivery(await services.outbox.resend(delivery, { mutate, to }), services)
  }),
  implement('webhooks.resendFailed', async ({ services, world, input }) => {
    const { ref, mutate } = input.body
    const isMeant = createRefTest(world)
    const about = services.journal.deliveries
      .after(0)
      .filter((delivery) => ref === undefined || isMeant(delivery, ref))
    if (ref !== undefined && about.length === 0) {
      throw new DomainError('not-found', `There is no webhook about ${ref} in the log.`, {
        field: 'ref',
      })
    }
    const failed = about.filter((delivery) => delivery.failed && delivery.first === null)
    if (mutate) for (const delivery of failed) assertMutable(delivery, mutate)
    const resent: Delivery[] = []
    const end = realTime.elapsed() + WAIT_MAX_MS
    for (const delivery of failed.slice(0, LIMIT_MAX)) {
      if (realTime.elapsed() > end) break
      resent.push(await services.outbox.resend(delivery, { mutate, to: undefined }))
    }
    const deliveries = presentRows(resent, (delivery) => presentDelivery(delivery, services))
    return { deliveries, failed: failed.filter((delivery) => delivery.failed).length }
  }),
  implement('webhooks.explain', ({ services, world, input }) => {
    const { id, computed, receivedAt } = input.body
    const kept = id === undefined ? undefined : getDelivery(services, id)
    if (kept?.sent === null) throw notSent(kept)
    const { headers, body } = kept ? requestOf(kept) : readReceived(input.body)
    const secret = input.body.secret ?? findSecret(world, kept?.integrator)
    const diagnosis = diagnoseSignature({
      headers,
      body,
      secret,
      computed,
      headerPrefix: world.settings['names.headerPrefix'],
      isWorldTime: world.settings['webhooks.time'] === 'world',
      now: receivedAt ?? kept?.sent?.signedAt ?? signingClock(world, services.wallClock()),
      signers: world.integrators,
      deliveries: services.journal.deliveries.after(0).reverse(),
    })
    // Where the signature or the receiver's own is wrong, that is the cause.
    const isRight = diagnosis.valid && !diagnosis.computed?.length
    const problem = (isRight && kept && diagnoseOutcome(world, kept)) || null
    return { ...diagnosis, problem, text: formatDiagnosis(diagnosis, kept, problem) }
  }),
]

function hasNoUrl({ name }: Integrator): DomainError {
  const hint = `Use PUT /_sandbox/webhooks/settings with integrator ${name} to set one.`
  const message = `The integrator ${name} has no webhook URL.`
  return new DomainError('no-webhook-to-test', message, { hint })
}

function notSent({ id, outcome, reason }: Delivery): DomainError {
  const message =
    outcome === 'pending' ? `${id} has not been sent yet.` : `${id} was not sent: ${reason}`
  const hint = 'Only webhooks that were sent have a signature.'
  return new DomainError('invalid', message, { field: 'id', hint })
}

type Received = z.output<ControlSchemas['webhooks.explain']['body']>

function readReceived({ headers, body, bodyEncoding }: Received) {
  if (headers === undefined || body === undefined) {
    const field = headers === undefined ? 'headers' : 'body'
    const hint =
      'Send what was received, such as {"headers": {…}, "body": "…"}, or the id of a delivery.'
    throw new DomainError('invalid', `${field} is required unless id is given.`, { field, hint })
  }
  const isBase64 = bodyEncoding === 'base64'
  return { headers, body: isBase64 ? Buffer.from(body, 'base64').toString() : body }
}

function findSecret({ integrators }: World, name?: string): string {
  const own = integrators.find((each) => each.name === name)
  const found = [own, ...integrators].find((each) => each?.signingSecret)?.signingSecret
  if (found) return found
  const message = 'secret is required: no integrator has a signing secret yet.'
  throw new DomainError('invalid', message, { field: 'secret' })
}

function formatDiagnosis(
  diagnosis: ReturnType<typeof diagnoseSignature>,
  kept: Delivery | undefined,
  problem: OutcomeProblem | null,
): string {
  const { valid, problems, computed, expected, deliveryId } = diagnosis
  const found = deliveryId ? `This is ${deliveryId}.` : 'This world has no record of this webhook.'
  const isOurs = valid && kept !== undefined
  return lines([
    isOurs ? `The sandbox signed ${kept.id} correctly.` : '',
    valid && !isOurs ? 'The signature is valid.' : '',
    ...[...problems, ...(computed ?? [])].flatMap(({ message, hint }) => [
      message,
      `  hint: ${hint}`,
    ]),
    computed?.length === 0
      ? 'Your receiver computed the correct signature for this secret and body.'
      : '',
    isOurs ? '' : found,
    problem?.message ?? '',
    valid ? '' : `expected for this secret and body: ${expected.signature}`,
  ])
}

/** Text of a delivery that `q` searches. */
export const textsOfDelivery = (delivery: Delivery): readonly unknown[] => [
  ...[delivery.id, delivery.eventId, delivery.type, delivery.ref, delivery.status, delivery.hook],
  ...[delivery.url, delivery.outcome, delivery.mutation, delivery.reason, delivery.error],
  ...[delivery.integrator, delivery.response?.status, delivery.body],
  delivery.response?.body,
]

export function presentDelivery(delivery: Delivery, services: Services): DeliveryRecord {
  const { world, journal } = services
  const { mutation, response } = delivery
  return presentAs(DeliveryRecord, delivery, {
    request: requestOf(delivery),
    sentAt: delivery.sent?.at ?? null,
    problem: diagnoseOutcome(world, delivery) ?? null,
    tags: tagsOf(delivery),
    verdict: mutation && response ? describeMutated(mutation, delivery) : null,
    cursor: String(delivery.pos),
    cause: journal.causeOf(delivery),
  })
}

/** Position of a test event, which is in no list of events. */
const IN_NO_LIST = 0

const tagsOf = ({ event, first, fault, mutation }: Delivery): string[] => [
  ...(event.pos === IN_NO_LIST ? ['test'] : []),
  ...(first === null ? [] : [fault ? 'duplicate' : 'resent']),
  ...(mutation ? [`mutate: ${mutation}`] : []),
]

const presentSettings = ({ name, webhook, legacyWebhooks, signingSecret }: Integrator) => ({
  integrator: name,
  url: webhook?.url ?? null,
  legacy: legacyWebhooks,
  signingSecret,
})

function assertMutable({ generation }: Delivery, mutate: Mutation): void {
  if (canMutate(mutate, generation)) return
  const message = `${mutate} changes the envelope of v2 events, but this is a v1 webhook.`
  throw new DomainError('invalid', message, { field: 'mutate' })
}

export function getDelivery(services: Services, id: string): Delivery {
  return getFromJournal(services, 'deliveries', id)
}

import * as z from 'zod'
import { type Delivery, OUTCOMES, presentDelivery } from '../../webhooks/delivery.ts'
import { MUTATIONS } from '../../webhooks/request.ts'
import { DomainError } from '../../world/domain-error.ts'
import { fields } from '../problems.ts'
import type { Services } from '../services.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import { matchesAll, when } from './near-miss.ts'
import { Count, Cursor, createSearch, Filter, LIMIT_DEFAULT, WaitTime } from './page.ts'
import { DeliveryAnswer, EVENT_TYPES } from './shapes.ts'
import { WAIT_MAX_MS } from './wait.ts'

const ListDeliveries = () =>
  z.strictObject({
    type: z.enum(EVENT_TYPES).optional(),
    ref: Filter(),
    outcome: z.enum(OUTCOMES).optional(),
    eventId: Filter(),
    generation: z.enum(['v2', 'v1']).optional(),
    after: Cursor(),
    limit: Count(),
  })

const deliveryPath = '/_sandbox/webhooks/deliveries/:id'

export const deliveries = [
  operation({
    id: 'drainWebhooks',
    method: 'POST',
    path: '/_sandbox/webhooks/drain',
    summary: 'Wait until no delivery is on its way',
    auth: requireControl,
    body: () => fields({ timeout: WaitTime().optional() }),
    answer: () => z.strictObject({ pending: z.int() }),
    async handle({ services, input }) {
      return { pending: await services.outbox.drain(input.body.timeout ?? WAIT_MAX_MS) }
    },
  }),
  operation({
    id: 'listDeliveries',
    method: 'GET',
    path: '/_sandbox/webhooks/deliveries',
    summary: 'List deliveries after a cursor, those that had nowhere to go included',
    auth: requireControl,
    query: ListDeliveries,
    answer: () => z.strictObject({ deliveries: z.array(DeliveryAnswer()), cursor: z.string() }),
    handle({ services, input }) {
      const { after, limit = LIMIT_DEFAULT, ...query } = input.query
      const matches = matchesAll([
        ...when('type', query.type, (row: Delivery, type) => row.type === type),
        ...when('ref', query.ref, (row: Delivery, ref) => row.ref === ref),
        ...when('outcome', query.outcome, (row: Delivery, outcome) => row.outcome === outcome),
        ...when('eventId', query.eventId, (row: Delivery, id) => row.eventId === id),
        ...when('generation', query.generation, (row: Delivery, name) => row.generation === name),
      ])
      const { journal } = services.outbox
      const search = createSearch({ journal, after, most: limit, matches })
      search.readOn()
      return { deliveries: search.found.map(presentDelivery), cursor: search.cursor }
    },
  }),
  operation({
    id: 'getDelivery',
    method: 'GET',
    path: deliveryPath,
    summary: 'Read one delivery',
    auth: requireControl,
    answer: DeliveryAnswer,
    errors: { 'not-found': 'There is no such delivery, or it is kept no longer.' },
    handle: ({ services, param }) => presentDelivery(getDelivery(services, param('id'))),
  }),
  operation({
    id: 'resendDelivery',
    method: 'POST',
    path: `${deliveryPath}/resend`,
    summary: 'Send the same event again, to where it would go now, also spoilt on purpose',
    auth: requireControl,
    body: () => fields({ mutate: z.enum(MUTATIONS).optional() }),
    answer: DeliveryAnswer,
    errors: { 'not-found': 'There is no such delivery, or it is kept no longer.' },
    async handle({ services, param, input }) {
      const delivery = getDelivery(services, param('id'))
      return presentDelivery(await services.outbox.resend(delivery, input.body.mutate))
    },
  }),
]

function getDelivery({ outbox }: Services, id: string): Delivery {
  const [, position] = /^dlv_(\d{1,15})$/.exec(id) ?? []
  const found = position === undefined ? undefined : outbox.journal.at(Number(position))
  if (found) return found
  const { max } = outbox.journal
  throw new DomainError('not-found', 'id', `There is no delivery ${id}; the last ${max} are kept.`)
}

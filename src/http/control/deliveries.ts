import * as z from 'zod'
import { type Delivery, OUTCOMES, showDelivery } from '../../webhooks/delivery.ts'
import { MUTATIONS } from '../../webhooks/prepare.ts'
import { Refusal } from '../../world/domain-error.ts'
import { fields } from '../problems.ts'
import type { Doors } from '../services.ts'
import { byControl } from './auth.ts'
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
    guard: byControl,
    body: () => fields({ timeout: WaitTime().optional() }),
    answer: () => z.strictObject({ pending: z.int() }),
    async handle({ doors, input }) {
      return { pending: await doors.outbox.drain(input.body.timeout ?? WAIT_MAX_MS) }
    },
  }),
  operation({
    id: 'listDeliveries',
    method: 'GET',
    path: '/_sandbox/webhooks/deliveries',
    summary: 'List deliveries after a cursor, those that had nowhere to go included',
    guard: byControl,
    query: ListDeliveries,
    answer: () => z.strictObject({ deliveries: z.array(DeliveryAnswer()), cursor: z.string() }),
    handle({ doors, input }) {
      const { after, limit = LIMIT_DEFAULT, ...query } = input.query
      const matches = matchesAll([
        ...when('type', query.type, (row: Delivery, type) => row.type === type),
        ...when('ref', query.ref, (row: Delivery, ref) => row.ref === ref),
        ...when('outcome', query.outcome, (row: Delivery, outcome) => row.outcome === outcome),
        ...when('eventId', query.eventId, (row: Delivery, id) => row.eventId === id),
        ...when('generation', query.generation, (row: Delivery, name) => row.generation === name),
      ])
      const { journal } = doors.outbox
      const search = createSearch({ journal, after, most: limit, matches })
      search.readOn()
      return { deliveries: search.found.map(showDelivery), cursor: search.cursor }
    },
  }),
  operation({
    id: 'getDelivery',
    method: 'GET',
    path: deliveryPath,
    summary: 'Read one delivery',
    guard: byControl,
    answer: DeliveryAnswer,
    refuses: { 'not-found': 'There is no such delivery, or it is kept no longer.' },
    handle: ({ doors, param }) => showDelivery(getDelivery(doors, param('id'))),
  }),
  operation({
    id: 'resendDelivery',
    method: 'POST',
    path: `${deliveryPath}/resend`,
    summary: 'Send the same event again, to where it would go now, also spoilt on purpose',
    guard: byControl,
    body: () => fields({ mutate: z.enum(MUTATIONS).optional() }),
    answer: DeliveryAnswer,
    refuses: { 'not-found': 'There is no such delivery, or it is kept no longer.' },
    async handle({ doors, param, input }) {
      const delivery = getDelivery(doors, param('id'))
      return showDelivery(await doors.outbox.resend(delivery, input.body.mutate))
    },
  }),
]

function getDelivery({ outbox }: Doors, id: string): Delivery {
  const [, position] = /^dlv_(\d{1,15})$/.exec(id) ?? []
  const found = position === undefined ? undefined : outbox.journal.at(Number(position))
  if (found) return found
  const { max } = outbox.journal
  throw new Refusal('not-found', 'id', `There is no delivery ${id}; the last ${max} are kept.`)
}

import { ActionRecord, RequestRecord } from '../../control-api/requests.ts'
import { type CallProblem, type CallRecord, withoutSecrets } from '../../engine/call-record.ts'
import type { Action } from '../../engine/journal.ts'
import { ROWS_MAX } from '../../engine/watch.ts'
import type { Delivery } from '../../webhooks/delivery.ts'
import type { Problem } from '../../world/domain-error.ts'
import type { Message, WorldEvent } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import type { Services } from '../services.ts'
import type { RequestContext } from './context.ts'
import { describeAction } from './describe-action.ts'
import { implement } from './dialect.ts'
import { presentEvent, presentMessage } from './events.ts'
import { contains, equals } from './filters.ts'
import { getFromJournal, listRows, presentRows } from './page.ts'
import { presentAs } from './present-as.ts'
import { presentDelivery } from './webhooks.ts'

/** Control operations that show what was done to the world: API calls, and everything else. */
export const requests = [
  implement('requests.list', ({ services, input: { query } }) => {
    const filters = {
      status: equals('status'),
      operation: equals('operation'),
      version: ({ url }: CallRecord, asked: 'v1' | 'v2') =>
        /\/v2(\/|$)/.test(new URL(url).pathname) === (asked === 'v2'),
      refused: equals('refused'),
      failed: equals('failed'),
      q: contains((row: CallRecord) => textsOfCall(row, services.world)),
    }
    const { calls: rows, position: end } = services.journal
    const listing = {
      rows,
      end,
      query,
      filters,
      present: (row: CallRecord) => presentRequest(row, services.world),
    }
    return listRows('requests', listing)
  }),
  implement('actions.list', ({ services, world, input: { query } }) => {
    const { actions: rows, position: end } = services.journal
    const filters = {
      kind: equals('kind'),
      subject: equals('subject'),
      q: contains((row: Action) => textsOfAction(row, world)),
    }
    const present = (row: Action) => presentAction(row, world)
    return listRows('actions', { rows, end, query, filters, present })
  }),
]

/** Text of a call that `q` searches. */
export function textsOfCall(row: CallRecord, { usersById }: World): readonly unknown[] {
  const { id, method, url, operation, integrator, userId, status, problem, sent, notes } = row
  return [
    ...[id, `${method} ${decode(url)}`, operation, integrator, userId, status, sent],
    ...[usersById.get(userId ?? '')?.email, presentHeaders(row.headers)['user-agent']],
    ...[problem?.code, problem?.message, problem?.detail.rule, ...notes],
  ]
}

export const textsOfAction = (row: Action, world: World): readonly unknown[] => [
  ...[row.id, row.operation, describeAction(row, world), row.subject, row.input, row.problem],
]

/** Decodes the escapes of a URL; a broken one stays as it is. */
function decode(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

export const getRequest = (services: Services, id: string): CallRecord =>
  getFromJournal(services, 'calls', id)

export const getAction = (services: Services, id: string): Action =>
  getFromJournal(services, 'actions', id)

export const presentAction = (action: Action, world: World): ActionRecord =>
  presentAs(ActionRecord, action, {
    cursor: String(action.pos),
    title: describeAction(action, world),
  })

/** Returns what a call or an action has caused. */
export interface Effects {
  readonly events: readonly WorldEvent[]
  readonly messages: readonly Message[]
  readonly deliveries: readonly Delivery[]
}

export function presentEffects({ events, messages, deliveries }: Effects, context: RequestContext) {
  const { services } = context
  const show = <Row, Shown>(rows: readonly Row[], present: (row: Row) => Shown) =>
    presentRows(rows.slice(0, ROWS_MAX), present, { lists: 3 })
  return {
    events: show(events, (event) => presentEvent(event, services)),
    messages: show(messages, (message) => presentMessage(message, context)),
    deliveries: show(deliveries, (delivery) => presentDelivery(delivery, services)),
  }
}

export function presentRequest(record: CallRecord, { usersById }: World): RequestRecord {
  const { problem, durationMs } = record
  return presentAs(RequestRecord, record, {
    cursor: String(record.pos),
    url: withoutCredentials(record.url),
    email: usersById.get(record.userId ?? '')?.email ?? null,
    durationMs: durationMs === null ? null : Math.round(durationMs * 100) / 100,
    request: { headers: presentHeaders(record.headers), body: record.body },
    response: { body: parseResponse(record.response) },
    reason: problem && presentReason(problem),
    problems: (problem?.problems ?? []).map(presentProblem),
    notes: [...record.notes],
  })
}

const CREDENTIAL =
  /([?&](?:x-)?(?:api[-_]?(?:key|token)|key|(?:access[-_]?)?token|authorization|(?:signing[-_]?)?secret)=)[^&#]*/gi

/** Masks keys and tokens that were sent in a query by mistake. */
const withoutCredentials = (url: string) => url.replace(CREDENTIAL, '$1(not-kept)')

const SECRET_HEADER = /auth|cookie|key|secret|token/

const SHOWN_LENGTH = 4

/** Shows only the end of keys and tokens, to tell them apart. */
function presentHeaders(headers: CallRecord['headers']): Record<string, string> {
  const shown: Record<string, string> = {}
  const lines = headers instanceof Headers ? [...headers].flat() : headers.split('\n')
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name = '', value = ''] = lines.slice(at, at + 2)
    const known = name.toLowerCase()
    const masked = SECRET_HEADER.test(known) ? mask(value) : value
    shown[known] = known in shown ? `${shown[known]}, ${masked}` : masked
  }
  return shown
}

/** Any other first word may itself be secret. */
const SCHEME = /^(basic|bearer|digest|hmac|negotiate) +/i

function mask(value: string): string {
  const [scheme = ''] = SCHEME.exec(value) ?? []
  const secret = value.slice(scheme.length)
  const end = secret.length > 2 * SHOWN_LENGTH ? secret.slice(-SHOWN_LENGTH) : ''
  return `${scheme}…${end}`
}

function presentReason({ code, problems, message, detail }: CallProblem) {
  const { rule = null, hint = null, nearest = null } = detail
  return { code, field: problems[0]?.field ?? '', message, rule, hint, nearest }
}

function presentProblem({ field, message, nearest }: Problem) {
  return { field, message, nearest: nearest ?? null }
}

/** A response that was cut is no longer JSON and stays text. */
function parseResponse(response: string | null): unknown {
  if (response === null) return null
  const shown = withoutSecrets(response)
  try {
    return JSON.parse(shown)
  } catch {
    return shown
  }
}

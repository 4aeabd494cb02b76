import * as z from 'zod'
import { CreateFault } from '../../http/control/fault-shapes.ts'
import { EventKind } from '../../http/control/shapes.ts'
import type { EventPage, WebhookSettings } from '../../http/control/wire.ts'
import { OUTCOMES } from '../../webhooks/delivery.ts'
import { MESSAGE_KINDS } from '../../world/state.ts'
import { presentDelivery, presentFailure, ROWS_MAX } from '../present.ts'
import { createTool } from '../tool.ts'

const WAIT_DEFAULT = '10s'
const SHOWN_DEFAULT = 10

const Ref = () => z.string().optional().describe('Id of a transaction or user.')
const After = () => z.string().optional().describe('The cursor of an earlier answer.')
const Limit = () =>
  z.int().min(1).max(ROWS_MAX).default(SHOWN_DEFAULT).describe('How many, the newest.')

/** What happened, why, and what goes wrong on purpose. */
export const watchTools = [
  createTool('wait_for_events', {
    description:
      'Read events of users and transactions, waiting for the first that matches. When none comes, `nearest` says what did.',
    reads: true,
    input: {
      type: EventKind().optional(),
      ref: Ref(),
      status: z.string().optional().describe('The status that it became.'),
      count: z.int().min(1).max(ROWS_MAX).optional().describe('How many to wait for.'),
      after: After(),
      timeout: z.string().default(WAIT_DEFAULT).describe('Wall time, at most 60s.'),
    },
    run: async ({ sandbox, signal, input: { count = 1, ...query } }) => {
      const page = await sandbox.control<EventPage>('GET', '/events', {
        query: { ...query, count },
        signal,
      })
      const events = page.events.map(({ cause: _, cursor: __, ...event }) => event)
      return { ...page, events }
    },
  }),
  createTool('explain_failed_calls', {
    description:
      'The last API calls that were refused, each with why, the rule of the contract and what would work. With `id`, one call with its headers, body and answer.',
    reads: true,
    input: {
      id: z
        .string()
        .optional()
        .describe('Such as `req_7`; the header x-sandbox-request of an answer.'),
      operation: z.string().optional().describe('Such as `createTransaction`.'),
      limit: Limit(),
    },
    run: async ({ sandbox, input: { id, operation, limit } }) => {
      if (id !== undefined) return await sandbox.requests.get(id)
      const calls = await sandbox.requests.list({ refused: true, operation: operation as never })
      return { total: calls.length, calls: calls.slice(-limit).map(presentFailure) }
    },
  }),
  createTool('list_webhooks', {
    description:
      'The last webhooks: where each went, what was answered, or why it was not sent. `call_api` with POST /_sandbox/webhooks/deliveries/{id}/resend sends one again.',
    reads: true,
    input: { ref: Ref(), outcome: z.enum(OUTCOMES).optional(), limit: Limit() },
    run: async ({ sandbox, input: { ref, outcome, limit } }) => {
      const rows = await sandbox.webhooks.deliveries({ ref, outcome })
      return { total: rows.length, webhooks: rows.slice(-limit).map(presentDelivery) }
    },
  }),
  createTool('set_webhook_url', {
    description:
      'Send the webhooks of an integrator to a URL of the app; null sends none. Answers the secret that signs them.',
    input: {
      url: z.string().nullable(),
      integrator: z.string().optional().describe('The first one by default.'),
    },
    run: async ({ sandbox, input: { url, integrator } }) => {
      const { legacy: _, ...settings } = await sandbox.control<WebhookSettings>(
        'PUT',
        '/webhooks/settings',
        {
          body: { url, integrator },
        },
      )
      return settings
    },
  }),
  createTool('add_fault', {
    description:
      'Let the next matching API calls or webhooks go wrong. A reset, or `call_api` with DELETE /_sandbox/faults, forgets all faults.',
    input: { fault: CreateFault() },
    run: ({ sandbox, input: { fault } }) => sandbox.control('POST', '/faults', { body: fault }),
  }),
  createTool('read_inbox', {
    description: 'What users were sent: login codes, money requests, security answers of payouts.',
    reads: true,
    input: {
      email: z.string().optional(),
      kind: z.enum(MESSAGE_KINDS).optional(),
      limit: Limit(),
    },
    run: async ({ sandbox, input: { email, kind, limit } }) => {
      const messages = await sandbox.inbox.list({ email, kind })
      const shown = messages.slice(-limit).map(({ cause: _, id: __, ...message }) => message)
      return { total: messages.length, messages: shown }
    },
  }),
]

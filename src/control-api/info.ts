import * as z from 'zod'
import { named, notForAgents, record } from './schema.ts'
import { Mode, WorldTime } from './shapes.ts'

const Health = () =>
  record({
    status: z.literal('ok').describe('Always `ok`.'),
    version: z.string(),
    world: z.string().optional(),
    now: WorldTime().optional(),
    storage: record({
      status: z
        .enum(['ok', 'failing'])
        .describe('Whether every world could be written to the `--data` folder.'),
      reason: z.string().nullable().describe('Why a world could not be written; null for `ok`.'),
    })
      .nullable()
      .optional()
      .describe('State of the `--data` folder; null if worlds are kept in memory only.'),
  })

export const WorldInfo = () =>
  record({
    version: z.string(),
    world: z.string(),
    baseUrl: z.url(),
    controlUrl: z.url().describe('Base URL of the control API in this world.'),
    inspectorUrl: z.url().describe('Inspector of this world.'),
    seed: z.string(),
    fixture: z.string(),
    now: WorldTime(),
    mode: Mode(),
    fixtures: notForAgents(
      z
        .array(
          record({
            name: z.string().describe('Name to give to a reset as `fixture`.'),
            description: z.string().describe('What it contains.'),
          }),
        )
        .describe('Fixtures that come with the sandbox.'),
    ),
    taskCount: z.int(),
    integrators: z
      .array(
        record({
          name: z.string().describe('Name of the integrator.'),
          apiKey: z.string().describe('Its key, for the `x-api-key` header.'),
          actsWithoutToken: z
            .boolean()
            .describe('Whether it may act for users who granted key-only access.'),
          webhookUrl: z
            .string()
            .nullable()
            .describe('URL for its v2 webhooks; null if none is set.'),
        }),
      )
      .describe('The integrators of this world, with their keys.'),
    names: record({
      timestampHeader: z.string().describe('Webhook header with the time of sending.'),
      signatureHeader: z.string().describe('Webhook header with the signature.'),
      securityAnswerField: z.string().describe('Webhook field with the security answer.'),
      envelopeId: z
        .string()
        .describe('Webhook field with the id of the event: `id`, `eventId` or `both`.'),
    }).describe('Names that the contract leaves open.'),
    counts: record({
      users: z.int().describe('Users.'),
      usersByStatus: z
        .record(z.string(), z.int())
        .describe('Users by status; a status without users is left out.'),
      transactions: z.int().describe('Transactions.'),
      transactionsByStatus: z.record(z.string(), z.int()).describe('Transactions by their status.'),
      quotes: z.int().describe('Quotes, including expired ones.'),
      kybSubmissions: z.int().describe('Corporate verifications.'),
      events: z.int().describe('Events so far.'),
      messages: z.int().describe('Messages so far.'),
      deliveries: z.int().describe('Deliveries so far.'),
      unsentDeliveries: z.int().describe('Deliveries that had no URL.'),
      pendingDeliveries: z.int().describe('Deliveries that are still in flight.'),
      requests: z.int().describe('API calls so far.'),
      faults: z.int().describe('Faults that can still apply.'),
      listeners: z.int().describe('`listen` commands that are running.'),
    }).describe('How much the world contains.'),
    cursors: record({
      events: z.string().describe('Send it as `after` to continue after this row; opaque.'),
      inbox: z.string().describe('Send it as `after` to continue after this row; opaque.'),
      deliveries: z.string().describe('Send it as `after` to continue after this row; opaque.'),
      requests: z.string().describe('Send it as `after` to continue after this row; opaque.'),
    })
      .describe('Current end of each list, for clients that want only new rows.')
      .meta({ forAgents: false }),
    v1: record({
      deprecatedAt: z.iso.datetime().describe('When v1 was deprecated: ISO 8601.'),
      sunsetAt: z.iso.datetime().describe('When the provider shuts v1 down: world time, ISO 8601.'),
      side: z
        .enum(['before', 'after'])
        .describe('Whether the world is before or after the sunset.'),
      responds: z.boolean().describe('Whether v1 responds in this world now.'),
      sentence: z.string().describe('All of this in a sentence.'),
    }).describe('Whether v1 is past its sunset.'),
    links: notForAgents(z.record(z.string(), z.url()).describe('URLs of the control API.')),
  })
export type WorldInfo = z.output<ReturnType<typeof WorldInfo>>

const Situation = () =>
  named('Situation', {
    id: z
      .string()
      .describe('Stable id, such as `expired-sell` or `createTransaction/not-verified`.'),
    text: z.string().describe('What happens, in a few words.'),
    how: z
      .string()
      .describe('A command that makes it happen, what to do, or when the error occurs.'),
  }).describe('A situation that can occur in an integration.')

export const Coverage = () =>
  record({
    calls: z.int().describe('How many API calls were made.'),
    met: z.array(z.string()).describe('Ids of the situations that are covered.'),
    neverMet: z
      .array(Situation())
      .describe('Situations that are not covered, most important first.'),
  })
export type Coverage = z.output<ReturnType<typeof Coverage>>

export const info = {
  health: {
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    summary: 'Check whether the sandbox responds and can write to disk',
    about:
      'It changes nothing, except that it creates the world if there is none. If there is a control token and the call does not send it, the response has only `status` and `version`.',
    words: ['health'],
    response: Health,
  },
  info: {
    id: 'getInfo',
    method: 'GET',
    path: '/info',
    summary: 'Show the URLs, API keys, clock and counts of this world',
    about:
      'Includes the seed, the fixture, and the names that the contract leaves open. Start here to configure a client.',
    words: ['info'],
    tool: true,
    response: WorldInfo,
  },
  coverage: {
    id: 'getCoverage',
    method: 'GET',
    path: '/coverage',
    summary: 'List situations that are not covered yet, most important first',
    about:
      'A situation is a success, an error, a status, an outcome of a webhook, or an accident such as a lost response. Coverage survives resets, restores and deleted worlds. At the base URL, all worlds of the process count together. What the settings rule out is left out, and so is v1 if it was never called.',
    success: 'What is covered, and what is not.',
    words: ['coverage'],
    rows: 'neverMet',
    columns: ({ text, how }: Coverage['neverMet'][number]) => [text, how],
    response: Coverage,
  },
} as const

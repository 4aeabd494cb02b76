import type { Context } from 'hono'
import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import { describeSunset } from '../../world/sunset.ts'
import { countByStatus } from '../../world/world.ts'
import type { Env, Services } from '../services.ts'
import { identifyControl } from './auth.ts'
import { lever } from './dialect.ts'
import { baseUrlOf, Mode, presentAs, WorldTime } from './shapes.ts'

const Health = () =>
  z.strictObject({
    status: z.literal('ok').describe('Always `ok`.'),
    version: z.string(),
    world: z.string().optional(),
    now: WorldTime().optional(),
    storage: z
      .strictObject({ status: z.enum(['ok', 'failing']), reason: z.string().nullable() })
      .nullable()
      .optional()
      .describe('How the data file is; null where worlds live in memory only.'),
  })

/** What a world is. Times are ISO 8601, in world time. */
export const WorldInfo = () =>
  z.strictObject({
    version: z.string(),
    world: z.string(),
    baseUrl: z.url(),
    controlUrl: z.url().describe('Base URL of the control API in this world.'),
    dashboardUrl: z.url().describe('Page that shows this world.'),
    seed: z.string(),
    fixture: z.string(),
    now: WorldTime(),
    mode: Mode(),
    preset: z.enum(['default', 'contract']),
    taskCount: z.int(),
    integrators: z.array(
      z.strictObject({
        name: z.string(),
        apiKey: z.string().describe('Its key, for the header `x-api-key`.'),
        actsWithoutToken: z.boolean(),
        webhookUrl: z.string().nullable().describe('Where its events of v2 go; null for nowhere.'),
      }),
    ),
    names: z
      .strictObject({
        timestampHeader: z.string().describe('Header of webhooks with the time of sending.'),
        signatureHeader: z.string().describe('Header of webhooks with the signature.'),
        securityAnswerField: z.string().describe('Field of webhooks with the security answer.'),
        envelopeId: z.string(),
      })
      .describe('Names that the contract leaves open.'),
    counts: z.strictObject({
      users: z.int().describe('Users.'),
      usersByStatus: z.record(z.string(), z.int()),
      transactions: z.int().describe('Transactions.'),
      transactionsByStatus: z.record(z.string(), z.int()).describe('Transactions by their status.'),
      quotes: z.int().describe('Quotes, the expired ones included.'),
      kybSubmissions: z.int().describe('Corporate verifications.'),
      events: z.int().describe('Events so far.'),
      messages: z.int().describe('Messages so far.'),
      deliveries: z.int().describe('Deliveries so far.'),
      pendingDeliveries: z.int(),
      requests: z.int().describe('Contract calls so far.'),
    }),
    cursors: z.strictObject({
      events: z.string(),
      inbox: z.string(),
      deliveries: z.string(),
      requests: z.string(),
    }),
    v1: z
      .strictObject({
        deprecatedAt: z.iso.datetime().describe('Since when v1 is deprecated: ISO 8601.'),
        sunsetAt: z.iso.datetime(),
        side: z.enum(['before', 'after']).describe('On which side of the sunset the world is now.'),
        answers: z.boolean().describe('Whether v1 answers in this world now.'),
        sentence: z.string().describe('All of that for people.'),
      })
      .describe('Whether v1 is past its sunset.'),
    links: z.record(z.string(), z.url()).describe('URLs of the control API.'),
  })
export type WorldInfo = z.output<ReturnType<typeof WorldInfo>>

export const info = [
  lever('health', 'getHealth', {
    summary: 'Check whether the sandbox responds and can write its data file',
    about:
      'It changes nothing, so poll it while starting; a world that was not used before is made by this call. Without the control token, where there is one, it says no more than `status` and `version`: that is enough for the probe of a container.',
    words: ['health'],
    auth: identifyControl,
    answer: Health,
    handle: ({ c, who, services, world }) => ({
      status: 'ok' as const,
      version: c.env.control.version,
      ...(who && { world: services.name, now: formatInstant(world.now) }),
      ...(who?.isMain && { storage: c.env.control.storage() }),
    }),
  }),
  lever('info', 'getInfo', {
    summary: 'Show what this world is: URLs, API keys, clock, counts',
    about:
      'It has the seed and fixture, too, and the names that the contract leaves open. Start here to configure a client.',
    words: ['info'],
    tool: true,
    answer: WorldInfo,
    handle: ({ c, services }) => presentInfo(c, services),
  }),
]

function presentInfo(c: Context<Env>, services: Services): WorldInfo {
  const { name, world, outbox, requests } = services
  const { settings } = world
  const prefix = settings['names.headerPrefix']
  const baseUrl = baseUrlOf(c)
  const controlUrl = `${baseUrl}/_sandbox`
  const byStatus = [...countByStatus(world.transactions)].map(([status, count]) => [
    shownStatus(world, status),
    count,
  ])
  const ends = [world.events.last, world.messages.last, outbox.journal.last] as const
  const [events, messages, deliveries] = ends
  return presentAs(WorldInfo, world, {
    version: c.env.control.version,
    world: name,
    baseUrl,
    controlUrl,
    dashboardUrl: `${controlUrl}/`,
    now: formatInstant(world.now),
    preset: settings.preset,
    taskCount: world.tasks.size,
    integrators: world.integrators.map(({ name, apiKey, actsWithoutToken, webhook }) => ({
      name,
      apiKey,
      actsWithoutToken,
      webhookUrl: webhook?.url ?? null,
    })),
    names: {
      timestampHeader: `${prefix}-Timestamp`,
      signatureHeader: `${prefix}-Signature`,
      securityAnswerField: settings['names.securityAnswerField'],
      envelopeId: settings['names.envelopeId'],
    },
    counts: {
      users: world.users.length,
      usersByStatus: Object.fromEntries(countByStatus(world.users)),
      transactions: world.transactions.length,
      transactionsByStatus: Object.fromEntries(byStatus),
      quotes: world.quotes.size,
      kybSubmissions: world.kybSubmissions.length,
      events,
      messages,
      deliveries,
      pendingDeliveries: outbox.pending,
      requests: requests.last,
    },
    // Where each list ends now, for readers who want only what comes next.
    cursors: {
      events: String(events),
      inbox: String(messages),
      deliveries: String(deliveries),
      requests: String(requests.last),
    },
    v1: describeSunset(world),
    links: Object.fromEntries(
      LINKS.map((path) => [path.split('/').at(-1), `${controlUrl}/${path}`]),
    ),
  })
}

/** Each is named by the last part of its path. */
const LINKS = [
  ...['clock', 'users', 'transactions', 'inbox', 'events', 'events/stream', 'webhooks/deliveries'],
  ...['requests', 'rates', 'settings', 'assumptions', 'worlds'],
]

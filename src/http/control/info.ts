import type { Context } from 'hono'
import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import type { Integrator } from '../../world/state.ts'
import { describeSunset } from '../../world/sunset.ts'
import type { World } from '../../world/world.ts'
import type { Env, Services } from '../services.ts'
import { lever } from './dialect.ts'
import { baseUrlOf, Mode, WorldTime } from './shapes.ts'

const Counts = () =>
  z.strictObject({
    users: z.int(),
    usersByStatus: z.record(z.string(), z.int()),
    transactions: z.int(),
    transactionsByStatus: z.record(z.string(), z.int()),
    quotes: z.int(),
    kybSubmissions: z.int(),
    events: z.int(),
    messages: z.int(),
    deliveries: z.int(),
    pendingDeliveries: z.int(),
    requests: z.int(),
  })
const Names = () =>
  z.strictObject({
    timestampHeader: z.string(),
    signatureHeader: z.string(),
    securityAnswerField: z.string(),
    envelopeId: z.string(),
  })

/** What a world is. Times are ISO 8601, in world time. */
export const WorldInfo = () =>
  z.strictObject({
    version: z.string(),
    world: z.string(),
    baseUrl: z.url(),
    controlUrl: z.url(),
    dashboardUrl: z.url(),
    seed: z.string(),
    fixture: z.string(),
    now: WorldTime(),
    mode: Mode(),
    preset: z.enum(['default', 'contract']),
    taskCount: z.int(),
    integrators: z.array(
      z.strictObject({
        name: z.string(),
        apiKey: z.string(),
        actsWithoutToken: z.boolean(),
        webhookUrl: z.string().nullable(),
      }),
    ),
    names: Names().describe('Names that the contract leaves open.'),
    counts: Counts(),
    cursors: z.strictObject({
      events: z.string(),
      inbox: z.string(),
      deliveries: z.string(),
      requests: z.string(),
    }),
    v1: z
      .strictObject({
        deprecatedAt: z.iso.datetime(),
        sunsetAt: z.iso.datetime(),
        side: z.enum(['before', 'after']),
        answers: z.boolean(),
        sentence: z.string(),
      })
      .describe('Whether v1 is past its sunset.'),
    links: z.record(z.string(), z.url()),
  })
export type WorldInfo = z.output<ReturnType<typeof WorldInfo>>

export const info = [
  lever('info', {
    id: 'getInfo',
    summary: 'Show what this world is: URLs, API keys, clock, counts',
    about:
      'Says what this world is: its URLs, API keys, seed, fixture, time, how much it holds and what the names are that the contract leaves open. Start here to configure a client.',
    success: 'What this world is.',
    words: 'info',
    tool: true,
    answer: WorldInfo,
    handle: ({ c, services }) => presentInfo(c, services),
  }),
]

function presentInfo(c: Context<Env>, services: Services): WorldInfo {
  const { world } = services
  const controlUrl = `${baseUrlOf(c)}/_sandbox`
  return {
    version: c.env.control.version,
    world: services.name,
    baseUrl: baseUrlOf(c),
    controlUrl,
    dashboardUrl: `${controlUrl}/`,
    seed: world.seed,
    fixture: world.fixture,
    now: formatInstant(world.now),
    mode: world.mode,
    preset: world.settings.preset,
    taskCount: world.tasks.size,
    integrators: world.integrators.map(presentIntegrator),
    names: presentNames(world),
    counts: presentCounts(services),
    cursors: presentCursors(services),
    v1: describeSunset(world),
    links: Object.fromEntries(LINKS.map(([name, path]) => [name, controlUrl + path])),
  }
}

const LINKS = [
  ['clock', '/clock'],
  ['users', '/users'],
  ['transactions', '/transactions'],
  ['inbox', '/inbox'],
  ['events', '/events'],
  ['stream', '/events/stream'],
  ['deliveries', '/webhooks/deliveries'],
  ['requests', '/requests'],
  ['rates', '/rates'],
  ['settings', '/settings'],
  ['assumptions', '/assumptions'],
  ['worlds', '/worlds'],
] as const

function presentIntegrator({ name, apiKey, actsWithoutToken, webhook }: Integrator) {
  return { name, apiKey, actsWithoutToken, webhookUrl: webhook?.url ?? null }
}

function presentNames({ settings }: World) {
  const prefix = settings['names.headerPrefix']
  return {
    timestampHeader: `${prefix}-Timestamp`,
    signatureHeader: `${prefix}-Signature`,
    securityAnswerField: settings['names.securityAnswerField'],
    envelopeId: settings['names.envelopeId'],
  }
}

function presentCounts({ world, outbox, requests }: Services) {
  const shown = [...world.transactionCounts].map(([status, count]) => [
    shownStatus(world, status),
    count,
  ])
  return {
    users: world.users.length,
    usersByStatus: Object.fromEntries(world.userCounts),
    transactions: world.transactions.length,
    transactionsByStatus: Object.fromEntries(shown),
    quotes: world.quotes.size,
    kybSubmissions: world.kybSubmissions.length,
    events: world.events.last,
    messages: world.messages.last,
    deliveries: outbox.journal.last,
    pendingDeliveries: outbox.pending,
    requests: requests.last,
  }
}

/** Where each list ends now, for readers who want only what comes next. */
function presentCursors({ world, outbox, requests }: Services) {
  return {
    events: String(world.events.last),
    inbox: String(world.messages.last),
    deliveries: String(outbox.journal.last),
    requests: String(requests.last),
  }
}

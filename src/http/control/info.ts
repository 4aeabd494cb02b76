import type { Context } from 'hono'
import { WorldInfo } from '../../control-api/info.ts'
import { isLeft } from '../../engine/faults.ts'
import { listFixtures } from '../../fixture/load.ts'
import { wasSuppressed } from '../../webhooks/delivery.ts'
import { formatInstant } from '../../world/duration.ts'
import { shownStatus } from '../../world/events.ts'
import type { Settings } from '../../world/settings/index.ts'
import { describeSunset } from '../../world/sunset.ts'
import type { Env } from '../operation.ts'
import type { Services } from '../services.ts'
import { identifyControl } from './auth.ts'
import { baseUrlOf } from './context.ts'
import { implement } from './dialect.ts'
import { presentAs } from './present-as.ts'

export const info = [
  implement(
    'health',
    ({ c, who, services, world }) => ({
      status: 'ok' as const,
      version: c.env.control.version,
      ...(who && { world: services.name, now: formatInstant(world.now) }),
      ...(who?.isMain && { storage: c.env.control.storage() }),
    }),
    identifyControl,
  ),
  implement('info', ({ c, services }) => presentInfo(c, services)),
]

function presentInfo(c: Context<Env>, services: Services): WorldInfo {
  const { name, world, journal } = services
  const baseUrl = baseUrlOf(c)
  const controlUrl = `${baseUrl}/_sandbox`
  return presentAs(WorldInfo, world, {
    version: c.env.control.version,
    world: name,
    baseUrl,
    controlUrl,
    inspectorUrl: `${controlUrl}/`,
    fixtures: [...listFixtures()],
    taskCount: world.tasks.size,
    integrators: world.integrators.map((row) => ({ ...row, webhookUrl: row.webhook?.url ?? null })),
    names: presentNames(world.settings),
    counts: countRows(services),
    cursors: {
      events: String(journal.events.last),
      inbox: String(journal.messages.last),
      deliveries: String(journal.deliveries.last),
      requests: String(journal.calls.last),
    },
    v1: describeSunset(world),
    links: Object.fromEntries(
      LINKS.map((path) => [path.split('/').at(-1), `${controlUrl}/${path}`]),
    ),
  })
}

const presentNames = (settings: Settings) => ({
  timestampHeader: `${settings['names.headerPrefix']}-Timestamp`,
  signatureHeader: `${settings['names.headerPrefix']}-Signature`,
  securityAnswerField: settings['names.securityAnswerField'],
  envelopeId: settings['names.envelopeId'],
})

function countRows({ world, outbox, journal, faults }: Services) {
  const { users, transactions } = world
  return {
    users: users.length,
    usersByStatus: countEach(users.map(({ status }) => status)),
    transactions: transactions.length,
    transactionsByStatus: countEach(transactions.map(({ status }) => shownStatus(world, status))),
    quotes: world.quotes.size,
    kybSubmissions: world.kybSubmissions.length,
    events: journal.events.total,
    messages: journal.messages.total,
    deliveries: journal.deliveries.total,
    requests: journal.calls.total,
    unsentDeliveries: journal.deliveries.after(0).filter(wasSuppressed).length,
    pendingDeliveries: outbox.pending,
    faults: faults.list().filter(isLeft).length,
    listeners: journal.countFollowers('listen'),
  }
}

/** Counts how often each text occurs, in the order of the texts. */
function countEach(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts.toSorted()) counts[text] = (counts[text] ?? 0) + 1
  return counts
}

/** Each is named by the last part of its path. */
const LINKS = [
  'clock',
  'users',
  'transactions',
  'inbox',
  'events',
  'events/stream',
  'webhooks/deliveries',
  'requests',
  'rates',
  'settings',
  'worlds',
]

import type { Json } from '../../client/http.ts'
import type {
  FixtureDocument,
  FixtureIntegrator,
  FixtureTransaction,
  FixtureUser,
} from '../../fixture/format.ts'
import { fromMicros } from '../../world/money.ts'
import {
  type Integrator,
  LEGACY_HOOKS,
  type State,
  type Transaction,
  type User,
} from '../../world/state.ts'

/** The world as it stands, as a fixture that begins there: people and their transactions. */
export function toFixture(state: State): FixtureDocument {
  const emails = new Map(state.users.map(({ id, email }) => [id, email]))
  const { preset, ...settings } = state.settings as Record<string, Json>
  return {
    description: 'Saved from a running sandbox.',
    seed: state.seed,
    clock: `${state.mode === 'running' ? 'running@' : ''}${toInstant(state.now)}`,
    ...(preset !== undefined && { preset }),
    ...(Object.keys(settings).length > 0 && { settings }),
    rates: state.rates,
    integrators: state.integrators.map(toIntegrator),
    users: state.users.map(toUser),
    transactions: state.transactions.map((row) => toTransaction(row, emails.get(row.userId) ?? '')),
  }
}

const toInstant = (instant: number) => new Date(instant).toISOString()

function toIntegrator(integrator: Integrator): FixtureIntegrator {
  const { name, apiKey, actsWithoutToken, signingSecret, webhook, legacyWebhooks } = integrator
  const legacy = legacyWebhooks && {
    ...Object.fromEntries(
      LEGACY_HOOKS.map((hook) => [`${hook}Enabled`, legacyWebhooks[hook].enabled]),
    ),
    ...Object.fromEntries(LEGACY_HOOKS.map((hook) => [`${hook}Url`, legacyWebhooks[hook].url])),
  }
  return {
    name,
    apiKey,
    ...(actsWithoutToken && { actsWithoutToken }),
    ...(signingSecret !== null && { signingSecret }),
    ...(webhook !== null && { webhook: { url: webhook.url } }),
    ...(legacy !== null && { legacyWebhooks: legacy }),
  }
}

function toUser(user: User): FixtureUser {
  const { email, id, status, integrators, keyAccess, profile, reasons, createdAt } = user
  return {
    email,
    id,
    status,
    ...(integrators.length > 0 && { integrators }),
    ...(keyAccess && { accessibleBy: ['jwt', 'apiKey'] as const }),
    ...(Object.keys(profile).length > 0 && { profile }),
    ...(user.autodeposit && { autodeposit: true }),
    ...(user.maximumCad !== null && user.maximumCad > 0 && { maximumCad: user.maximumCad }),
    ...(user.loginCode !== null && { loginCode: user.loginCode }),
    createdAt: toInstant(createdAt),
    ...(reasons.length > 0 && { reasons }),
  }
}

function toTransaction(row: Transaction, user: string): FixtureTransaction {
  const { integrator, id, leftSideLabel, rightSideLabel, wallet, status, createdAt } = row
  const isOnChain =
    row.paymentId !== null &&
    (status === 'complete' || (row.side === 'sell' && status !== 'expired'))
  return {
    user,
    integrator,
    id,
    leftSideLabel,
    leftSideValue: fromMicros(row.leftSide),
    rightSideLabel,
    wallet,
    status: toKnown(status),
    createdAt: toInstant(createdAt),
    ...(row.closedAt !== null && { closedAt: toInstant(row.closedAt) }),
    ...(row.externalSessionId !== null && { externalSessionId: row.externalSessionId }),
    ...(isOnChain && row.paymentId !== null && { paymentId: row.paymentId }),
  }
}

/** Another status goes on like processing. */
export function toKnown(status: string): NonNullable<FixtureTransaction['status']> {
  const known = KNOWN.find((word) => word === status)
  return known ?? 'processing request money transfer'
}

const KNOWN = [
  'pending request money transfer',
  'processing request money transfer',
  'complete',
  'cancelled',
  'expired',
] as const

import type {
  FixtureDocument,
  FixtureIntegrator,
  FixtureTransaction,
  FixtureUser,
} from '../../fixture/format.ts'
import { isEmail } from '../../world/profile.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import { toProfile } from '../profile.ts'
import type { RecordingEntry } from '../recording.ts'
import type { Facts, TransactionFacts } from './facts.ts'
import { findStartStatus, type UserFacts } from './people.ts'

export interface StartOptions {
  settings?: Readonly<Record<string, SettingValue>> | undefined
  /** Where webhooks go that were configured before the recording. */
  webhookUrl?: string | undefined
}

/** The world as it must have been before the recording began: who is used and was not created. */
export function inferStart(
  entries: readonly RecordingEntry[],
  facts: Facts,
  { settings = {}, webhookUrl }: StartOptions = {},
): FixtureDocument {
  const isConfigured = webhookUrl !== undefined && isConfiguredBefore(entries)
  const integrators = [...facts.keys].map(
    ([apiKey, { actsWithoutToken }], i): FixtureIntegrator => {
      const name = i === 0 ? 'main' : `integrator-${i + 1}`
      return {
        name,
        apiKey,
        ...(actsWithoutToken && { actsWithoutToken }),
        ...(isConfigured && { webhook: { url: webhookUrl }, signingSecret: 'from-before' }),
      }
    },
  )
  if (integrators.length === 0) integrators.push({ name: 'main', apiKey: 'sandbox-key' })
  const names = integrators.map(({ name }) => name)
  const users = facts.users
    .filter((user) => user.seenAt !== undefined && isEmail(user.email))
    .map((user) => toFixtureUser(user, names))
  const emails = new Set(users.map(({ email }) => email.toLowerCase()))
  const transactions = [...facts.transactions.values()].flatMap((transaction) =>
    isUsable(transaction, emails) ? [toFixtureTransaction(transaction)] : [],
  )
  return {
    integrators,
    users,
    ...(transactions.length > 0 && { transactions }),
    ...(Object.keys(settings).length > 0 && { settings: { ...settings } }),
  }
}

/** A webhook came before any call could have asked for it. */
function isConfiguredBefore(entries: readonly RecordingEntry[]): boolean {
  const configuring = entries.findIndex(
    (entry) => entry.kind === 'call' && /^(putWebhook|v1PatchWebhooks)/.test(entry.operation ?? ''),
  )
  const first = entries.findIndex(({ kind }) => kind === 'webhook')
  return first !== -1 && (configuring === -1 || first < configuring)
}

function toFixtureUser(user: UserFacts, integrators: readonly string[]): FixtureUser {
  const [access] = user.keyAccess
  return {
    email: user.email,
    ...(user.id !== undefined && UUID.test(user.id) && { id: user.id }),
    status: findStartStatus(user),
    integrators: [...integrators],
    ...(access?.has && { accessibleBy: ['jwt', 'apiKey'] as const }),
    profile: toProfile(user.outstanding ?? []),
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const isUsable = ({ isCreated, id, email, first }: TransactionFacts, emails: Set<string>) =>
  !isCreated &&
  UUID.test(id) &&
  email !== undefined &&
  emails.has(email.toLowerCase()) &&
  typeof first.leftSideValue === 'number'

function toFixtureTransaction({ id, email = '', first }: TransactionFacts): FixtureTransaction {
  const { leftSideLabel, leftSideValue, rightSideLabel, wallet, status } = first
  const createdAt = first.date ?? first.createdAt
  return {
    user: email,
    id,
    leftSideLabel,
    leftSideValue,
    rightSideLabel,
    ...(wallet && { wallet }),
    status: status === 'canceled' ? 'cancelled' : status,
    ...(createdAt && { createdAt }),
  }
}

import { SETTING_IDS, type SettingId } from '../../world/settings/index.ts'

const TIME = 'time would have to pass'
const MONEY = 'money would have to move'
const SUBMISSION = 'a submission reaches the people who verify businesses, so none is sent'
const LEGACY = 'the legacy webhooks of others would have to be changed, and money to move'

/** Statuses and credentials that a probe finds. */
const PROVOKED: readonly string[] = [
  'auth.getLimits',
  'auth.v1PriceQuote',
  'auth.getRequirements',
  'auth.createKycLink',
  'auth.importKyc',
  'status.no-webhook-configuration',
  'status.webhook-without-url',
  'status.quote-amount',
  'status.requirements-outstanding',
  'status.not-cancellable',
  'status.quote-spent',
  'status.invalid-query',
  'status.too-many-decimals',
  'status.page-too-large',
  'status.unknown-user',
  'status.createUser',
  'status.duplicate-user',
  'status.unknown-field',
  'status.unverified-login',
  'status.wrong-code',
  'status.other-user',
  'status.already-verified',
]

/** Settings that no call of a client may find out, each with why. */
export const UNOBSERVABLE: Readonly<Partial<Record<SettingId, string>>> = {
  ...Object.fromEntries(
    SETTING_IDS.filter((id) => /^(status|auth)\./.test(id) && !PROVOKED.includes(id)).map((id) => [
      id,
      'no call of calibrate provokes it',
    ]),
  ),
  preset: 'it stands for the values of all other settings',
  'login.code.ttl': TIME,
  'login.code.attempts': 'wrong codes could lock the user out',
  'tokens.time': 'a provider has one clock; two differ only in a sandbox whose time was moved',
  'tokens.afterStatusChange': 'the provider would have to take a verification back',
  'kyc.link.older': 'the pages of the identity provider would have to be opened',
  'transactions.cancellable': MONEY,
  'transactions.sending': MONEY,
  'transactions.final': MONEY,
  'transactions.bankRefused': 'a bank would have to refuse a payment',
  'transactions.settlement': MONEY,
  'transactions.fundsAfter': MONEY,
  'transactions.settleAfter': MONEY,
  'transactions.buyWindow': TIME,
  'transactions.sellWindow': TIME,
  'transactions.expiryLag': TIME,
  'transactions.securityAnswer': 'it takes a sell, and one transaction, a buy, is all that is made',
  'limits.active': 'several transactions would have to be open at once',
  'limits.cancelled': 'many transactions would have to be cancelled',
  'limits.cancelled.from': TIME,
  'limits.window': TIME,
  'kyb.quarterOwners': SUBMISSION,
  'kyb.certificates': SUBMISSION,
  'webhooks.timeout': TIME,
  'webhooks.time': 'a provider has one clock; two differ only in a sandbox whose time was moved',
  'webhooks.withoutSecret': 'a signing secret cannot be taken away once there is one',
  'v1.hooksAfterSunset': LEGACY,
  'v1.statusUpdateOnCreate': LEGACY,
  'v1.hooks.singleUrl': LEGACY,
  'fields.v1CreateTransaction': MONEY,
  'transactions.list.order': 'several transactions would have to be there',
  cors: 'it concerns browsers, and calibrate is none',
  'requests.perMinute': 'the limit would have to be exceeded',
}

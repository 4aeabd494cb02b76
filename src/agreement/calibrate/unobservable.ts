import type { SettingId } from '../../world/settings/index.ts'

const TIME = 'time would have to pass'
const MONEY = 'money would have to move'
const SUBMISSION = 'a submission reaches the people who verify businesses, so none is sent'
const LEGACY = 'the legacy webhooks of others would have to be changed, and money to move'

/** Settings that no call of a client may find out, each with why. */
export const UNOBSERVABLE: Readonly<Partial<Record<SettingId, string>>> = {
  preset: 'it stands for the values of all other settings',
  'users.update.verified': 'the name of a verified person would have to be changed',
  'login.code.ttl': TIME,
  'login.code.attempts': 'wrong codes could lock the user out',
  'tokens.time': 'a provider has one clock; two differ only in a sandbox whose time was moved',
  'tokens.afterStatusChange': 'the provider would have to take a verification back',
  'kyc.link.older': 'the pages of the identity provider would have to be opened',
  'quotes.expired': TIME,
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
  'kyb.status': SUBMISSION,
  'kyb.resubmission': SUBMISSION,
  'kyb.quarterOwners': SUBMISSION,
  'kyb.certificates': SUBMISSION,
  'kyb.accountEmail': SUBMISSION,
  'webhooks.timeout': TIME,
  'webhooks.time': 'a provider has one clock; two differ only in a sandbox whose time was moved',
  'webhooks.withoutSecret': 'a signing secret cannot be taken away once there is one',
  'v1.hooksAfterSunset': LEGACY,
  'v1.statusUpdateOnCreate': LEGACY,
  'v1.hooks.singleUrl': LEGACY,
  'requests.perMinute': 'the limit would have to be exceeded',
}

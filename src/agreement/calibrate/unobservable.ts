const LATER = 'time would have to pass, or money to move'
const HARMFUL = 'it could lock somebody out, or replace or create something of yours'
const CLOCK = 'only a sandbox has it'

const BY_REASON: Readonly<Record<string, string>> = {
  [LATER]: `login.code.ttl transactions.cancellable transactions.bankRefused transactions.settlement transactions.fundsAfter
    transactions.settleAfter transactions.buyWindow transactions.sellWindow transactions.expiryLag
    limits.active limits.cancelled limits.window
    webhooks.timeout status.expired-token status.quote-expired status.limit-active
    status.limit-cancelled tokens.afterStatusChange status.revoked-token v1.hooksAfterSunset
    v1.statusUpdateOnCreate v1.hooks.singleUrl status.v1-shut-down`,
  [HARMFUL]: `login.code.attempts webhooks.withoutSecret requests.perMinute status.limit-maximum
    status.no-signing-secret status.too-many-requests status.body-too-large status.verified-field
    kyb.quarterOwners kyb.certificates status.duplicate-business status.unknown-account
    status.submitKyb status.rotateSigningSecret status.v1MakeSigningSecret`,
  [CLOCK]: 'tokens.time webhooks.time cors',
}

/** Settings that no call of a client may find out, each with why. */
export const UNOBSERVABLE: ReadonlyMap<string, string> = new Map(
  Object.entries(BY_REASON).flatMap(([why, ids]) =>
    ids.split(/\s+/).map((id) => [id, why] as const),
  ),
)

/** Why no call of this command shows a setting. */
export const whyUnobservable = (setting: string): string =>
  UNOBSERVABLE.get(setting) ?? 'no call of calibrate meets it'

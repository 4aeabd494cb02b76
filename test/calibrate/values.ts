import { isSettingId, settingOf } from '../../src/world/settings/index.ts'

/** Values other than the default of settings that are no choice of a few words. */
const VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
  'auth.getRequirements': ['token'],
  'auth.createKycLink': ['token'],
  'auth.importKyc': ['token'],
  'auth.getLimits': ['key'],
  'quotes.labels': ['USDC,USDC-ETH,CADC', 'USDC-ETH,USDC-SOL'],
  'users.formats': ['none', 'postalCode,phone'],
  'users.create.required': [
    'email,dob',
    'email,firstName,lastName,dob,phone,addressLine1,city,province,postalCode,occupation,pep,tpd',
  ],
  'quotes.bareLabels': ['BASE'],
  // It takes a user with two transactions.
  'transactions.list.order': [],
  'quotes.ttl': ['5m', '2h'],
  'quotes.fee': [0, 0.0125],
  'quotes.spread': [0, 0.012345],
  'quotes.gas.ethereum': [0, 1.25],
  'quotes.gas.solana': [0, 0.5],
  'quotes.gas.other': [0, 0.07],
  'limits.selfServeMinimum': [10, 250],
  'limits.maximum': [5000, 20_000],
  'transactions.list.limit': [5, 30],
  'transactions.list.maximum': [50, 1000],
  'login.token.ttl': ['15m', '1d'],
  'users.minimumAge': [0, 16, 21],
  'requirements.olderAge': [50, 65],
  'kyc.linkTtl': ['10m', '1h'],
  'names.headerPrefix': ['X-Ramp'],
  'names.securityAnswerField': ['securityAnswer'],
  'limits.minimum': [5, 20],
  'v1.sunset': ['contract', '2026-12-01T00:00:00Z'],
}

/** What a setting may be besides its default. */
export const valuesOf = (id: string): readonly (string | number)[] => {
  const { options, default: standard } = settingOf(isSettingId(id) ? id : 'cors')
  const values = VALUES[id] ?? (typeof options === 'string' ? [] : options)
  // Every error of v1 may be 400.
  if (id === 'status.unknown-email') return [422]
  return (id.startsWith('status.') ? statusesOf(options, standard) : values).filter(
    (value) => String(value) !== String(standard),
  )
}

/** Another status, and 200 where that is one. */
function statusesOf(options: readonly string[] | string, standard: string | number) {
  if (typeof options !== 'string') return options.map(Number)
  return [standard === 400 ? 422 : 400, ...(options.startsWith('200') ? [200] : [])]
}

import { DELIVERY_CHANGES, type DeliveryChange } from '../webhooks/run-change.ts'
import { findError } from '../world/settings/errors.ts'
import {
  isSettingId,
  SETTING_IDS,
  type SettingId,
  settingOf,
  strictValue,
} from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { NotJudged } from './loop.ts'
import type { SuiteRun, SuiteVariation } from './suite.ts'

/** Settings about the sandbox itself, and those that no suite on this machine can pass. */
const NOT_TRIED: readonly SettingId[] = [
  'tokens.time',
  'webhooks.time',
  'webhooks.body',
  'cors',
  'transactions.settlement',
  'transactions.fundsAfter',
  'transactions.settleAfter',
  'webhooks.url',
  'names.headerPrefix',
]

/** What comes first: "accept either", then what the contract itself marks "not shown". */
const FIRST: readonly SettingId[] = [
  'names.envelopeId',
  'transactions.cancelledStatus',
  'users.create.required',
  'requirements.shape',
  'responses.fields',
  'transactions.required',
  'transactions.paymentType',
  'transactions.list.limit',
  'transactions.list.maximum',
  'auth.getTransaction',
  'webhooks.test',
  'webhooks.timeout',
  'login.code.ttl',
  'login.code.resend',
]

/** Statuses that a provider could use as well. */
const NEIGHBOURS: Readonly<Record<number, number>> = {
  200: 400,
  400: 422,
  401: 403,
  403: 401,
  404: 400,
  409: 422,
  422: 400,
}

const SECRET = 'secret=present'
const DELIVERIES = 'deliveries'

const DELIVERY_WORDS: Readonly<Record<DeliveryChange | 'compact', string>> = {
  twice: 'every event twice',
  again: 'every event sent again after the next event for the same order or user',
  field: 'an additional field in every event',
  type: 'an event of an unknown type alongside every event',
  chunked: 'every event sent in chunks',
  compact: 'every event written compactly',
}

/** Groups that `--variants` takes: the first words of the ids of settings, and two of its own. */
export const VARIANT_GROUPS: readonly string[] = [
  ...new Set(SETTING_IDS.map((id) => id.split('.')[0] ?? id)),
  'secret',
  DELIVERIES,
].sort()

/** Returns true for a group, the id of a setting, or the id of one variant. */
export const isVariantGroup = (text: string): boolean =>
  VARIANT_GROUPS.includes(text) || isSettingId(text) || isVariantId(text)

/** Returns true for an id such as `status.created=201` or `deliveries=twice`. */
export function isVariantId(id: string): boolean {
  const [name = '', value = ''] = id.split(/=(.*)/s)
  if (id === SECRET) return true
  if (name === DELIVERIES) return value in DELIVERY_WORDS
  return isSettingId(name) && settingOf(name).parse(value) !== undefined
}

export interface VariantOptions {
  /** A group, the id of a setting or of a variant; undefined for all but the deliveries. */
  group: string | undefined
  /** Settings that are given, so that nothing about them is open. */
  given: readonly string[]
  /** Secret that integrators have where the first configuration shows none. */
  secret: string
}

/** Lists other providers that the contract allows, as far as they concern a suite. */
export function listVariants(
  baseline: SuiteRun,
  { group, given, secret }: VariantOptions,
): SuiteVariation[] {
  const all = [
    ...listSettings(baseline, given),
    ...listSecret(baseline, secret),
    ...(group?.startsWith(DELIVERIES) ? listDeliveries() : []),
  ]
  const listed = all.filter(({ id }) => group === undefined || isIn(group, id))
  if (listed.length === 0) {
    throw new NotJudged(`no variant${group ? ` of ${group}` : ''} applies to your suite`)
  }
  if (group?.startsWith(DELIVERIES) && !hasWebhooks(baseline)) {
    throw new NotJudged('no webhooks were sent to your suite')
  }
  return listed
}

/** Statuses of errors that a suite never meets, so that nothing was tried. */
export function listNeverMet({ evidence }: SuiteRun, group: string | undefined): string[] {
  const ids = evidence.settings.filter(
    (id) =>
      (group === undefined || isIn(group, id)) &&
      isErrorStatus(id) &&
      Number(settingOf(id).default) >= 400 &&
      !isMet(id, evidence.met),
  )
  if (ids.length === 0) return []
  const more = ids.length > SHOWN_MAX ? ` and ${ids.length - SHOWN_MAX} more` : ''
  const shown = ids.slice(0, SHOWN_MAX).join(', ')
  return [`${shown}${more} (errors that your suite never hits: --coverage lists them)`]
}

const SHOWN_MAX = 4

const isIn = (group: string, id: string) =>
  group === id || id.startsWith(`${group}=`) || id.startsWith(`${group}.`)

const hasWebhooks = ({ evidence }: SuiteRun) =>
  evidence.met.some((id) => id.startsWith('webhook/') && !id.endsWith('/unset'))

function listSettings({ evidence, settings }: SuiteRun, given: readonly string[]) {
  const isGiven = (id: SettingId) => {
    const { format, default: standard } = settingOf(id)
    // A fixture gives what differs from the default.
    return given.includes(id) || settings[id] !== format(standard)
  }
  const open = evidence.settings.filter(
    (id) => !NOT_TRIED.includes(id) && !settingOf(id).stated && !isGiven(id),
  )
  return open
    .sort((one, other) => rankOf(one) - rankOf(other))
    .flatMap((id) => valuesOf(id, evidence.met).map((value) => toVariation(id, value)))
}

/** What the contract leaves open by name comes first, then choices, numbers and statuses. */
function rankOf(id: SettingId): number {
  const first = FIRST.indexOf(id)
  if (first !== -1) return first
  const { options, default: standard } = settingOf(id)
  const isChoice = typeof options !== 'string' || typeof standard !== 'number'
  return FIRST.length + (isErrorStatus(id) ? 2 : isChoice ? 0 : 1)
}

/** Other values of a setting that a client can tell from the usual one. */
function valuesOf(id: SettingId, met: readonly string[]): readonly SettingValue[] {
  const { parse, format, excluded = [], default: standard } = settingOf(id)
  const usual = format(standard)
  const values = candidatesOf(id, met)
    .map((value) => parse(value))
    .filter((value) => value !== undefined)
    .map(format)
  return [...new Set(values)].filter(
    (value) => value !== usual && !excluded.some(({ excludes }) => excludes(value)),
  )
}

function candidatesOf(id: SettingId, met: readonly string[]): readonly SettingValue[] {
  const { options, default: standard } = settingOf(id)
  if (typeof options !== 'string') return options
  if (id === 'transactions.list.limit') return [1]
  if (isErrorStatus(id)) {
    if (Number(standard) >= 400 && !isMet(id, met)) return []
    return [NEIGHBOURS[Number(standard)] ?? standard, 200]
  }
  if (typeof standard === 'number') {
    return [Number.isInteger(standard) ? Math.floor(standard / 2) : standard / 2, standard * 2]
  }
  // A list has no neighbour but the strictest one; a free text has none at all.
  return options.startsWith('all |') ? [strictValue(id)] : []
}

const errorOf = (id: string) => id.replace(/^status\./, '')
const isErrorStatus = (id: string) =>
  id.startsWith('status.') && findError(errorOf(id)) !== undefined
const isMet = (id: string, met: readonly string[]) =>
  met.some((each) => each.endsWith(`/${errorOf(id)}`))

function toVariation(id: SettingId, value: SettingValue): SuiteVariation {
  const { format, parse, default: standard, question, why, ref } = settingOf(id)
  const isAll = typeof standard === 'string' && parse('all') === value
  const text = isAll ? 'all' : value
  const isStatus = isErrorStatus(id) && Number(standard) >= 400 && Number(value) >= 400
  return {
    id: `${id}=${text}`,
    words: `${id}=${text} instead of ${format(standard)}`,
    kind: id.startsWith('status.') ? 'statuses' : 'settings',
    change: { settings: { [id]: value } },
    about: [`${question} ${why} (${ref})`],
    ...(isStatus && { error: errorOf(id) }),
  }
}

/** The provider made a secret before, for example for v1, so the first configuration shows none. */
function listSecret({ evidence }: SuiteRun, signingSecret: string): SuiteVariation[] {
  if (!evidence.met.includes('putWebhookConfiguration')) return []
  return [
    {
      id: SECRET,
      words: 'a signing secret from the start',
      kind: 'secret',
      change: { signingSecret },
      about: [
        'The first PUT of a webhook configuration then shows no secret; RAMP_SANDBOX_SIGNING_SECRET has it.',
      ],
    },
  ]
}

const listDeliveries = (): SuiteVariation[] =>
  [...DELIVERY_CHANGES, 'compact' as const].map((change) => ({
    id: `${DELIVERIES}=${change}`,
    words: DELIVERY_WORDS[change],
    kind: DELIVERIES,
    change:
      change === 'compact' ? { settings: { 'webhooks.body': 'compact' } } : { deliveries: change },
    about: [],
  }))

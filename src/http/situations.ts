import { LABELS } from '../world/coins.ts'
import { CONSTANTS } from '../world/settings/constants.ts'
import { ERRORS, errorsOn, isRefused } from '../world/settings/errors.ts'
import { type Settings, settingOf } from '../world/settings/index.ts'
import { namesIn } from '../world/settings/setting.ts'
import { LEGACY_HOOKS } from '../world/state.ts'
import { EVENT_TYPES, USER_STATUSES } from '../world/words.ts'
import type { OperationDescription } from './operation-description.ts'

const SIDES = ['buy', 'sell'] as const
const MOVES = ['created', 'processing', 'complete', 'cancelled', 'expired'] as const
const HANDLED = ['delivered', 'refused', 'timeout', 'unset', 'again'] as const

const OTHERS = [
  'response-lost',
  'two-orders-at-once',
  'rotated-secret',
  'response-503',
  'response-429',
  'late-login-code',
  'late-kyc-link',
  'limit-left-behind',
  'kyc-lost',
] as const

/** The ids of all situations that can occur under these settings, from the tables. */
export function listSituations(
  operations: readonly OperationDescription[],
  settings: Settings,
): string[] {
  const webhooks = [...EVENT_TYPES, ...LEGACY_HOOKS]
  const labels = [...namesIn(settings['quotes.labels']), CONSTANTS['quotes.bareLabels'].value]
  const chains = labels.map((label) => label.split('-').at(-1) ?? '')
  const networks = new Set(chains.filter((chain) => !LABELS.includes(chain)))
  return [
    ...operations
      .filter(({ dialect }) => dialect.isContract)
      .flatMap((operation) => [
        operation.id,
        ...errorsIn(operation, settings).map((code) => `${operation.id}/${code}`),
      ]),
    ...SIDES.flatMap((side) => [...MOVES, 'smallest', 'largest'].map((move) => `${move}-${side}`)),
    ...USER_STATUSES.filter((status) => status !== 'initial').map((status) => `kyc-${status}`),
    ...webhooks.flatMap((webhook) => HANDLED.map((became) => `webhook/${webhook}/${became}`)),
    ...[...networks].map((network) => `network-${network}`),
    ...OTHERS,
  ]
}

/** Errors that an operation can respond with under these settings. */
const errorsIn = ({ id }: OperationDescription, settings: Settings) =>
  errorsOn(id).filter((code) => {
    const { needs } = ERRORS[code]
    if (code === 'v1-shut-down' && settings['v1.sunset'] === 'extended') return false
    if (needs !== undefined && settings[needs] === settingOf(needs).default) return false
    return isRefused(settings, code)
  })

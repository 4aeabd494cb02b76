import { ERROR_CODES, ERRORS, type ErrorCode } from '../world/settings/errors.ts'
import { SETTING_IDS, type SettingId, type Settings, settingOf } from '../world/settings/index.ts'
import { findCredentialSetting } from '../world/settings/operations.ts'
import type { Concerned } from '../world/settings/setting.ts'
import type { OperationDescription } from './operation-description.ts'

interface Concern {
  on: Concerned
  notV1?: boolean
}

/** An operation, or a webhook (which takes nothing). */
interface Described extends Partial<Pick<OperationDescription, 'auth'>> {
  id: string
  path?: string
  like?: readonly string[]
  successor?: string
  body?: unknown
  query?: unknown
}

const GROUPS: Readonly<Record<string, (operation: Described) => unknown>> = {
  all: () => true,
  key: ({ auth }) => auth,
  token: ({ auth }) => auth?.takes.flat().includes('accessToken'),
  user: ({ auth, path = '' }) => auth?.namesUser || path.includes('/:userId'),
  body: ({ body }) => body,
  query: ({ query }) => query,
  v1: ({ successor }) => successor,
}

function isConcerned({ on, notV1 = false }: Concern, operation: Described): boolean {
  const { id, like = [], successor } = operation
  if (on.includes(id)) return true
  if (notV1 && (like.length > 0 || successor !== undefined)) return false
  return on.some((name) => like.includes(name) || GROUPS[name]?.(operation))
}

/** Settings that the response to an operation, or a webhook, depends on. */
export const settingsOn = (operation: Described): SettingId[] =>
  SETTING_IDS.filter((id) => isConcerned(settingOf(id), operation))

/** Errors that an operation responds with under the settings of a world. */
export const errorsOn = (operation: Described, settings: Settings): ErrorCode[] =>
  ERROR_CODES.filter(
    (code) =>
      settings[`status.${code}`] >= 400 &&
      isConcerned(ERRORS[code], operation) &&
      !NEVER[code]?.(settings, operation),
  )

/** Errors that another setting excludes. */
const NEVER: Partial<Record<ErrorCode, (settings: Settings, operation: Described) => boolean>> = {
  'too-many-requests': (settings) => settings['requests.perMinute'] === 0,
  'revoked-token': (settings) => settings['tokens.afterStatusChange'] === 'keep',
  'missing-token': isKeyEnough,
  'other-user': isNoUserNamed,
  'user-not-found': isNoUserNamed,
}

/** Without a token, the path says for which user the key is used. */
function isKeyEnough(settings: Settings, { id, path = '' }: Described): boolean {
  const setting = findCredentialSetting(id)
  const asked = setting && settings[setting]
  return path.includes('/:') && (asked === 'key' || asked === 'key-or-token')
}

/** Outside of the path, a call may name a user only where the setting lets it. */
function isNoUserNamed(settings: Settings, { path = '' }: Described): boolean {
  return settings['access.subject'] === 'refuse' && !path.includes('/:userId')
}

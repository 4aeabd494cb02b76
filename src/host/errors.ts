import { HttpError } from '../http/status.ts'
import { messageOf } from '../world/domain-error.ts'
import { FORKS_MAX } from './private-worlds.ts'

/** Worlds that one process keeps; each is a copy of the start-up fixture and what it grew into. */
export const WORLDS_MAX = 2_000

export const BAD_NAME = new HttpError(
  400,
  'world',
  'A world is named with 1 to 64 letters, digits, dots, dashes and underscores, as in /w/worker-1.',
  { code: 'world-name' },
)
export const TOO_MANY = new HttpError(
  409,
  'world',
  `At most ${WORLDS_MAX} worlds may live at once; DELETE /_sandbox/worlds/{name} ends one.`,
  { code: 'too-many-worlds' },
)

export const TOO_MANY_FORKS = new HttpError(
  409,
  'from',
  `At most ${FORKS_MAX} forks of a private world may live at once; delete one.`,
  { code: 'too-many-forks' },
)

export function notKept(error: unknown): HttpError {
  const why = messageOf(error)
  const message = `What this call speaks of could not be written to the data file: ${why}.`
  return new HttpError(507, 'data', message, {
    code: 'data-file',
    hint: 'It would be lost at a restart; no call is answered until the file can be written again.',
  })
}

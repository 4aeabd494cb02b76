import { nanoid } from 'nanoid'
import type { ControlAccess } from '../http/control/index.ts'
import { assertControl, assertSameSite, findHostError } from '../http/control/index.ts'
import { HttpError } from '../http/status.ts'

export interface NewWorldCall {
  name: string
  request: Request
  path: string
}

/** Paths for holders of a link, which need no credentials. */
const LINK_PATH = /^\/_sandbox\/(catch\/[^/?]*(\?|$)|kyc\/|bank\/)/
/** Assets that a page loads before its user has signed in. */
const ASSET_PATH = /^\/_sandbox\/assets\//
/** A page that other sites link to; its own calls make the world. */
const DEMO_PATH = /^\/_sandbox\/demo(\?|$)/

interface MakingRules {
  control: ControlAccess
  /** Returns true if a new world would have an integrator with this key. */
  isKnownKey(apiKey: string): boolean
}

/**
 * Returns true if a call creates its world; false for the sign-in page and its assets, which show
 * no world. Throws if the call is not allowed to create one.
 */
export function makesWorld(call: NewWorldCall, rules: MakingRules): boolean {
  const { name, request, path } = call
  if (PRIVATE_NAME.test(name)) throw noWorld('This private world has ended.', 404)
  const isPage = request.method === 'GET' && request.headers.get('accept')?.includes('text/html')
  if (ASSET_PATH.test(path) || (isPage && (path === '/' || path === ''))) return false
  try {
    assertMakesWorld(call, rules)
    return true
  } catch (error) {
    const code = error instanceof HttpError ? error.code : undefined
    const isLinked = code === 'cross-site' && DEMO_PATH.test(path)
    if (isPage && (code === 'control-token' || isLinked)) return false
    throw error
  }
}

/** Requires credentials, because a world takes memory, and rejects pages of other sites. */
function assertMakesWorld(call: NewWorldCall, { control, isKnownKey }: MakingRules): void {
  const { name, path, request } = call
  const header = (key: string) => request.headers.get(key) ?? undefined
  const host = header('host') ?? new URL(request.url).host
  const notYet = `There is no world ${name}. A control call makes it`
  if (LINK_PATH.test(path)) throw noWorld(`${notYet}.`, 404)
  assertSameSite({ header }, control)
  if (path.startsWith('/_sandbox')) {
    assertControl({ method: request.method, host, header, isPrivate: false }, control)
    return
  }
  // The API keys of a fixture are public, so they are not enough where a control token is set.
  if (control.token !== undefined) throw noWorld(`${notYet}.`, 401)
  const foreign = findHostError(host, control)
  if (foreign) throw foreign
  if (isKnownKey(header('x-api-key') ?? '')) return
  throw noWorld(`${notYet}, or one with an API key of its fixture.`, 401)
}

function noWorld(message: string, status: 401 | 404): HttpError {
  const field = status === 401 ? 'x-api-key' : 'world'
  return new HttpError(status, field, message, { code: 'no-world' })
}

/** Names of private worlds, which no call can bring back. */
const PRIVATE_NAME = /^p-[\w-]{21}$/

export const newPrivateName = (): string => `p-${nanoid()}`

/** How long a private world may be idle before a new one ends it; wall time. */
export const PRIVATE_IDLE_MAX_MS = 3_600_000
/** Private worlds at once. A new one ends the one that has been idle longest. */
export const PRIVATE_WORLDS_MAX = 200

export const WORLDS_MAX = 2_000

export const BAD_NAME = new HttpError(
  400,
  'world',
  'A world is named with 1 to 64 letters, digits, dots, dashes and underscores, as in /w/worker-1.',
  { code: 'world-name' },
)
export const TOO_MANY_WORLDS = new HttpError(
  409,
  'world',
  `At most ${WORLDS_MAX} worlds may live at once; DELETE /_sandbox/worlds/{name} ends one.`,
  { code: 'too-many-worlds' },
)

import { randomBytes } from 'node:crypto'
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
  const { request, path } = call
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
  if (LINK_PATH.test(path) || PRIVATE_NAME.test(name)) throw noWorld(name, 404)
  assertSameSite({ header }, control)
  if (path.startsWith('/_sandbox')) {
    assertControl({ method: request.method, host, header, isPrivate: false }, control)
    return
  }
  // The API keys of a fixture are public, so they are not enough where a control token is set.
  if (control.token !== undefined) throw noWorld(name, 401)
  const foreign = findHostError(host, control)
  if (foreign) throw foreign
  if (isKnownKey(header('x-api-key') ?? '')) return
  throw noWorld(name, 401, ', or one with an API key of its fixture')
}

function noWorld(name: string, status: 401 | 404, orElse = ''): HttpError {
  const how = PRIVATE_NAME.test(name)
    ? 'A private world that has ended does not come back.'
    : `A control call makes it${orElse}.`
  const field = status === 401 ? 'x-api-key' : 'world'
  return new HttpError(status, field, `There is no world ${name}. ${how}`, { code: 'no-world' })
}

/** A world whose URL is its credential. It ends after `ttlMs` without a call. */
export interface PrivateWorld {
  readonly ttlMs: number
  endsAt: number
  /**
   * The private world that this one was forked from, directly or through other forks. It ends with
   * that one.
   */
  readonly owner: string | undefined
}

/** Live forks that a private world may have, if they were made with its URL alone. */
export const FORKS_MAX = 20

/** Names of private worlds, which no call can bring back. */
const PRIVATE_NAME = /^[0-9a-f]{32}$/

/** Returns 128 random bits. */
export const newPrivateName = (): string => randomBytes(16).toString('hex')

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

export const TOO_MANY_FORKS = new HttpError(
  409,
  'from',
  `At most ${FORKS_MAX} forks of a private world may live at once; delete one.`,
  { code: 'too-many-forks' },
)

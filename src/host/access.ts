import {
  assertControl,
  assertSameSite,
  type ControlAccess,
  findHostError,
} from '../http/control/index.ts'
import type { Site } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import { NAME, NAME_RULE } from '../world/names.ts'
import { DEFAULT_WORLD } from './world-start.ts'

/** The world that a call is sent to, and the path below it. */
export interface Address {
  name: string
  /** `/w/<name>`, or empty for the base URL. */
  prefix: string
  /** Path and query below the world. */
  path: string
  /** Length of what precedes them: the prefix of a proxy and that of the world. */
  skipped: number
}

export function readAddress({ url }: Request, site: Site | undefined): Address {
  const whole = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  const left = countLeftIn(whole, site)
  const path = whole.slice(left)
  const [prefix, name] = /^\/w\/([^/?]*)/.exec(path) ?? []
  if (prefix === undefined || name === undefined) {
    return { name: DEFAULT_WORLD, prefix: '', path, skipped: left }
  }
  return { name, prefix, path: path.slice(prefix.length), skipped: left + prefix.length }
}

/** A proxy prefix that starts like one of our own paths is ambiguous, so it is not removed. */
const OWN_PATH = /^\/(v2|w|_sandbox)(\/|$)/

/** Some proxies take their prefix out of the path, others leave it in. */
function countLeftIn(path: string, site: Site | undefined): number {
  if (site === undefined || site.path === '' || OWN_PATH.test(site.path)) return 0
  return path.startsWith(`${site.path}/`) ? site.path.length : 0
}

interface HostRules {
  /** True if only programs on this machine can reach the process. */
  isLoopback: boolean
  control: ControlAccess
}

/**
 * Rejects a Host header that is invalid. If the process listens on loopback alone, the header has
 * to name it, also for contract calls: a page can rebind its host name, and the default key is
 * public. Elsewhere contract calls may use any host, such as the name of a container.
 */
export function assertHost(host: string | undefined, { isLoopback, control }: HostRules): void {
  if (host === undefined) return
  if (host !== '' && !URL.canParse(`http://${host}`)) {
    throw new HttpError(400, 'host', `${host} is not a host.`, { code: 'invalid' })
  }
  const error = isLoopback ? findHostError(host, control) : undefined
  if (error) throw error
}

/** Paths for holders of a link, which need no credentials. */
const LINK_PATH = /^\/_sandbox\/(catch\/[^/?]*(\?|$)|(forms\/)?(kyc|bank)\/)/
/** Assets that a page loads before its user has signed in, and the form that signs in. */
const ENTRY_PATH = /^\/_sandbox\/(assets\/|forms\/sign-in$)/
/** A page that other sites link to; its own calls make the world. */
const DEMO_PATH = /^\/_sandbox\/demo(\?|$)/

/** Pages of the inspector; the page makes its world, but its calls leave one that has ended alone. */
const INSPECTOR_PAGE = /\/_sandbox\/(ui\/[^?]*)?(\?|$)/

/** Names that no call can give a world: those of private worlds, which never come back. */
const PRIVATE_NAME = /^p-[\w-]{21}$/

interface MakingRules {
  control: ControlAccess
  /** Returns true if a new world would have an integrator with this key. */
  isKnownKey(apiKey: string): boolean
}

/**
 * Returns true if a call creates its world; false for the sign-in page and its assets, which show
 * no world. Throws if the call is not allowed to create one.
 */
export function makesWorld(request: Request, address: Address, rules: MakingRules): boolean {
  const { name, path } = address
  if (!NAME.test(name)) throw BAD_NAME
  if (PRIVATE_NAME.test(name)) throw endedWorld(name)
  const isPage = request.method === 'GET' && request.headers.get('accept')?.includes('text/html')
  if (ENTRY_PATH.test(path) || (isPage && (path === '/' || path === ''))) return false
  try {
    assertMakesWorld(request, address, rules)
    if (!isPage && INSPECTOR_PAGE.test(request.headers.get('referer') ?? '')) throw endedWorld(name)
    return true
  } catch (error) {
    const code = error instanceof HttpError ? error.code : undefined
    const isLinked = code === 'cross-site' && DEMO_PATH.test(path)
    if (isPage && (code === 'control-token' || isLinked)) return false
    throw error
  }
}

/** Requires credentials, because a world takes memory, and rejects pages of other sites. */
function assertMakesWorld(
  request: Request,
  { name, path }: Address,
  { control, isKnownKey }: MakingRules,
): void {
  const header = (key: string) => request.headers.get(key) ?? undefined
  const host = header('host') ?? new URL(request.url).host
  const notYet = `There is no world ${name}. A control call creates it`
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
  throw noWorld(`${notYet}, and so does a call with a valid API key.`, 401)
}

export const endedWorld = (name: string): HttpError =>
  noWorld(`${PRIVATE_NAME.test(name) ? 'This private world' : `The world ${name}`} has ended.`, 404)

function noWorld(message: string, status: 401 | 404): HttpError {
  const field = status === 401 ? 'x-api-key' : 'world'
  return new HttpError(status, field, message, { code: 'no-world' })
}

const BAD_NAME = new HttpError(
  400,
  'world',
  `The name of a world must be ${NAME_RULE}, as in /w/worker-1.`,
  { code: 'world-name' },
)

import { findHostError } from '../http/control/index.ts'
import type { HttpExchange, Site } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import type { Reach } from './options.ts'

/**
 * Paths of health and the inspector. They work even when the disk fails, because they report the
 * failure.
 */
export const STATUS_PATH =
  /^(\/w\/[^/?]*)?\/_sandbox(\/(health|ui\/[^?]*|assets\/[^?]*|events\/stream)?)?(\?|$)/
/** Matches a path below a named world, and captures the name. */
export const WORLD_PATH = /^\/w\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?=\/|\?|$)/

/** Address that a call was sent to, before its world is looked up. */
export interface Arrival {
  /** Path and query without the proxy's prefix, but with the world's. */
  path: string
  /** Public address of the process, if one is configured. */
  site: Site | undefined
  /** Length of the proxy's prefix at the start of the path. */
  skipped: number
  /** Set if the Host header is invalid, or names a host that is not allowed. */
  error: HttpError | undefined
}

const HOSTS_KNOWN_MAX = 1_000

/** Reads the addresses by which calls come, and rejects hosts that a page may not name. */
export class Arrivals {
  readonly #reach: Reach
  readonly #errors = new Map<string, HttpError | undefined>()

  constructor(reach: Reach) {
    this.#reach = reach
  }

  read(request: Request, socket: HttpExchange | undefined): Arrival {
    const { site } = this.#reach
    const whole = pathOf(request)
    const skipped = site ? countLeftIn(whole, site) : 0
    const path = skipped > 0 ? whole.slice(skipped) : whole
    const host = socket?.incoming.headers.host
    return { path, site, skipped, error: host === undefined ? undefined : this.#recall(host) }
  }

  #recall(host: string): HttpError | undefined {
    if (this.#errors.has(host)) return this.#errors.get(host)
    if (this.#errors.size >= HOSTS_KNOWN_MAX) this.#errors.clear()
    const error = this.#judge(host)
    this.#errors.set(host, error)
    return error
  }

  /**
   * Checks the host of contract calls too if the process listens on loopback alone: a page can
   * rebind its host name, and the default key is public. Elsewhere contract calls may use any host,
   * such as the name of a container.
   */
  #judge(host: string): HttpError | undefined {
    if (host !== '' && !URL.canParse(`http://${host}`)) {
      return new HttpError(400, 'host', `${host} is not a host.`, { code: 'invalid' })
    }
    return this.#reach.isLoopback ? findHostError(host, this.#reach) : undefined
  }
}

function pathOf({ url }: Request): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}

/** A proxy prefix that starts like one of our own paths is ambiguous, so it is not removed. */
const OWN_PATH = /^\/(v2|w|_sandbox)(\/|$)/

/** Some proxies take their prefix out of the path, others leave it in. */
function countLeftIn(path: string, site: Site): number {
  if (site.path === '' || OWN_PATH.test(site.path)) return 0
  return path.startsWith(`${site.path}/`) ? site.path.length : 0
}

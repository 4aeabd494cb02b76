import { findHostError } from '../http/control/index.ts'
import type { HttpExchange, ProcessServices, Site } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import { DomainError } from '../world/domain-error.ts'

/** Health and the inspector respond whatever the disk does: they say what is wrong with it. */
export const STATUS_PATH =
  /^(\/w\/[^/?]*)?\/_sandbox(\/(health|ui\/[^?]*|assets\/[^?]*|events\/stream)?)?(\?|$)/
/** A path below a named world, and the name. */
export const WORLD_PATH = /^\/w\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?=\/|\?|$)/

/** Address where a process listens. */
export interface Listens {
  /** Whether only programs on this machine reach it. */
  isLoopback: boolean
  /** The one host that it listens on; undefined for every one, and for `localhost`. */
  host?: string | undefined
  /** Undefined until it is known. */
  port(): number | undefined
  /** Certificate for https, as PEM. */
  certificate?: string | undefined
}

export interface ReachOptions {
  /** Host names besides loopback that it responds to, where the name matters. */
  allowHosts?: readonly string[] | undefined
  /** Hosts that webhooks may go to by http, or on a private address. */
  allowWebhookHosts?: readonly string[] | undefined
  /** Nowhere by default. */
  listens?: Listens | undefined
  /** The base URL by which others reach it, without a slash at the end. */
  publicUrl?: string | undefined
  /** Whether `X-Forwarded-…` headers come from a proxy, and not from anybody. */
  trustProxy?: boolean | undefined
}

export function toWebhookRules(options: ReachOptions) {
  const { allowWebhookHosts = [], allowHosts, listens, publicUrl, trustProxy = false } = options
  assertHosts('--allow-webhook-host', allowWebhookHosts)
  const isShared = trustProxy || publicUrl !== undefined || listens?.isLoopback === false
  return {
    allowHosts: allowWebhookHosts,
    isShared,
    ownPort: listens?.port,
    ownHosts: allowHosts,
    ownCertificate: listens?.certificate,
  }
}

/** The names that it responds to besides loopback. */
export function toHosts({ allowHosts = [], publicUrl }: ReachOptions): readonly string[] {
  assertHosts('--allow-host', allowHosts)
  return publicUrl === undefined ? allowHosts : [...allowHosts, new URL(publicUrl).hostname]
}

const HOSTS = {
  '--allow-host': /^(?![^:]+:\d*$)[^\s*?#@/,]+$/,
  '--allow-webhook-host': /^[^\s*?#@/,]+$/,
}

/** A pattern, a list or a URL is the name of no host: it would allow nothing, without a word. */
function assertHosts(option: keyof typeof HOSTS, hosts: readonly string[]) {
  const wrong = hosts.find((host) => !HOSTS[option].test(host))
  if (wrong === undefined) return
  const message =
    `${option} takes the name or address of one host, such as sandbox.example.com, ` +
    `not ${wrong || 'nothing'}; give it once for each.`
  const hint = 'Bound to more than loopback (--host), the provider’s API responds to any name.'
  throw new DomainError('invalid', message, {
    field: option,
    ...(option === '--allow-host' ? { hint } : {}),
  })
}

/** Hosts whose judgement is remembered. */
const HOSTS_KNOWN_MAX = 1_000

/**
 * Judges the hosts that calls name. On loopback alone, a page that rebinds its host name must not
 * use even the contract's side, because the default key is public. Elsewhere that side responds to
 * any host, such as the name of a container.
 */
export class HostCheck {
  readonly #isLoopback: boolean
  readonly #control: ProcessServices
  readonly #known = new Map<string, HttpError | undefined>()

  constructor(listens: Listens | undefined, control: ProcessServices) {
    this.#isLoopback = listens?.isLoopback ?? false
    this.#control = control
  }

  /** The error of a call whose host is not allowed, or is none. */
  find(socket: HttpExchange | undefined, site: Site | undefined): HttpError | undefined {
    const host = socket?.incoming.headers.host
    if (host === undefined) return undefined
    const behind = site && this.#recall(new URL(site.origin).host)
    return behind ?? this.#recall(host)
  }

  #recall(host: string): HttpError | undefined {
    if (this.#known.has(host)) return this.#known.get(host)
    if (this.#known.size >= HOSTS_KNOWN_MAX) this.#known.clear()
    const error = this.#judge(host)
    this.#known.set(host, error)
    return error
  }

  #judge(host: string): HttpError | undefined {
    if (host !== '' && !URL.canParse(`http://${host}`)) {
      return new HttpError(400, 'host', `${host} is not a host.`, { code: 'invalid' })
    }
    return this.#isLoopback ? findHostError(host, this.#control) : undefined
  }
}

/** Path and query of a request, world and all. */
export function pathOf({ url }: Request): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}

/** Finds the address by which the caller of a request reached the process through a proxy, if any. */
export function createSiteFinder({ publicUrl, trustProxy }: ReachOptions) {
  const known = publicUrl === undefined ? undefined : toSite(new URL(publicUrl))
  return (socket: HttpExchange | undefined): Site | undefined =>
    known ?? (trustProxy && socket ? readForwarded(socket) : undefined)
}

const toSite = ({ origin, pathname }: URL): Site => ({ origin, path: pathname.replace(/\/+$/, '') })

/** The first value of each header is the one that the outermost proxy set. */
function readForwarded({ incoming: { headers, socket } }: HttpExchange): Site {
  const own = 'encrypted' in socket ? 'https' : 'http'
  const first = (name: string) =>
    String(headers[`x-forwarded-${name}`] ?? '')
      .split(',')[0]
      ?.trim()
  const proto = /^https?$/.exec(first('proto') ?? '')?.[0] ?? own
  const host = first('host') || headers.host
  const prefix = PATH.test(first('prefix') ?? '') ? first('prefix') : ''
  const said = `${proto}://${host}${prefix}`
  return toSite(new URL(HOST.test(host ?? '') && URL.canParse(said) ? said : `${own}://localhost`))
}

const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i
const PATH = /^(\/[\w.~%@+-]+)+\/?$/
/** A prefix such as these stays: the call may be without it, as most proxies take theirs out. */
const OWN_PATH = /^\/(v2|w|_sandbox)(\/|$)/

/** Characters at the start of the path that only the proxy means: some take them out, others do not. */
export function countLeftIn(path: string, site: Site | undefined): number {
  if (!site?.path || OWN_PATH.test(site.path)) return 0
  return path.startsWith(`${site.path}/`) ? site.path.length : 0
}

import type { HttpExchange, Site } from '../http/services.ts'
import { pathOf } from './world-path.ts'

export interface SiteOptions {
  /** The base URL by which others reach it, without a slash at the end. */
  publicUrl?: string | undefined
  /** Whether `X-Forwarded-…` headers come from a proxy, and not from anybody. */
  trustProxy?: boolean | undefined
}

const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i
const PATH = /^(\/[\w.~%@+-]+)+$/
/** A prefix such as these stays: the call may be without it, as most proxies take theirs out. */
const OWN_PATH = /^\/(v2|w|_sandbox)(\/|$)/

/** Where a call goes. */
export interface Arrival {
  /** By which address the caller reached the process; undefined for that of the call itself. */
  site: Site | undefined
  /** Characters at the start of the path that only the proxy means. */
  skipped: number
  /** Without them. */
  path: string
}

export function createArrivalFinder({ publicUrl, trustProxy }: SiteOptions) {
  const known = publicUrl === undefined ? undefined : toSite(publicUrl)
  return (request: Request, socket: HttpExchange | undefined): Arrival => {
    const site = known ?? (trustProxy && socket ? readForwarded(socket) : undefined)
    const whole = pathOf(request)
    const skipped = countLeftIn(whole, site)
    return { site, skipped, path: whole.slice(skipped) }
  }
}

function toSite(url: string): Site {
  const { origin, pathname } = new URL(url)
  return { origin, path: pathname === '/' ? '' : pathname }
}

/** The first value of each header is the one that the outermost proxy set. */
function readForwarded({ incoming: { headers, socket } }: HttpExchange): Site {
  const [proto, host, prefix] = ['proto', 'host', 'prefix'].map((name) => {
    return (
      String(headers[`x-forwarded-${name}`] ?? '')
        .split(',')[0]
        ?.trim() ?? ''
    )
  }) as [string, string, string]
  const isTls = 'encrypted' in socket
  const scheme = /^https?$/.test(proto) ? proto : isTls ? 'https' : 'http'
  const path = prefix.replace(/\/+$/, '')
  return {
    origin: `${scheme}://${isHost(host) ? host : (headers.host ?? 'localhost')}`,
    path: PATH.test(path) ? path : '',
  }
}

const isHost = (text: string) => HOST.test(text) && URL.canParse(`http://${text}`)

/** Some proxies take their prefix out of a call, others leave it in. */
function countLeftIn(path: string, site: Site | undefined): number {
  if (!site?.path || OWN_PATH.test(site.path)) return 0
  return path.startsWith(`${site.path}/`) ? site.path.length : 0
}

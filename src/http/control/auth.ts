import { createHash, timingSafeEqual } from 'node:crypto'
import { parse } from 'hono/utils/cookie'
import { authentication, type Call } from '../operation.ts'
import { TOKEN_COOKIE } from '../operation-description.ts'
import type { ProcessServices } from '../services.ts'
import { HttpError } from '../status.ts'

const LOOPBACK = /^(localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

const TOKEN_WRONG = 'The control token is missing or wrong.'

const OFF = { 'not-found': 'The control API is switched off.' }

/**
 * Rejects requests that a page of another site could have sent: the control API changes the world
 * without an API key. A page may also rebind its own host name to loopback.
 */
export const requireControl = authentication(
  {
    takes: [[], ['controlToken'], ['controlCookie']],
    errors: {
      'control-token': TOKEN_WRONG,
      'host-not-allowed': 'The host is not allowed, or a page on another site sent the call.',
      ...OFF,
    },
  },
  check,
)

export interface ControlCaller {
  /** True if the caller may reach every world: it sent the control token, or none is set. */
  isMain: boolean
}

function check({ c, header, services }: Call): ControlCaller {
  const host = header('host') ?? new URL(c.req.url).host
  const { isPrivate } = services
  return assertControl({ method: c.req.method, host, header, isPrivate }, c.env.control)
}

/** The URL of a private world is enough for that world alone. */
export function assertMain({ isMain }: ControlCaller): void {
  if (isMain) return
  const message =
    'This needs the control token; the URL of a private world gives access to that world only.'
  throw new HttpError(403, 'authorization', message, { code: 'private-world' })
}

export interface ControlRequest {
  method: string
  host: string
  header(name: string): string | undefined
  /** True for a private world, whose URL is its credential. */
  isPrivate: boolean
}

/** The part of the process that says who may use the control API. */
export type ControlAccess = Pick<ProcessServices, 'enabled' | 'token' | 'hosts'>

/** Checks that a caller may use the control API, and identifies it. */
export function assertControl(request: ControlRequest, control: ControlAccess): ControlCaller {
  const { method, host, header, isPrivate } = request
  const { token } = control
  assertEnabled(control)
  const foreign = findHostError(host, control)
  if (foreign) throw foreign
  assertSameSite(request, control)
  // A page of another site cannot send these without a CORS preflight, which never gets a response.
  if (!['GET', 'HEAD', 'DELETE'].includes(method)) assertJson(header('content-type'))
  if (token === undefined) return { isMain: true }
  if (isSame(findToken(request) ?? '', token)) return { isMain: true }
  if (isPrivate) return { isMain: false }
  throw new HttpError(401, 'authorization', TOKEN_WRONG, {
    code: 'control-token',
    hint: 'Send it as Authorization: Bearer <token>.',
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** The control token that was sent, in either of its places. */
const findToken = ({ header }: Pick<ControlRequest, 'header'>): string | undefined =>
  bearerTokenIn({ header }) ?? parse(header('cookie') ?? '', TOKEN_COOKIE)[TOKEN_COOKIE]

/** Accepts everyone, since a container's probe has no token, and says who may see more. */
export const identifyControl = authentication(
  { takes: requireControl.takes, errors: OFF },
  (call): ControlCaller | undefined => {
    assertEnabled(call.c.env.control)
    try {
      return check(call)
    } catch (error) {
      if (error instanceof HttpError) return undefined
      throw error
    }
  },
)

/** Accepts everyone, and notes who may use the control API. Other callers need the full link. */
export const identifyLinkHolder = authentication(
  { takes: [[]], errors: OFF },
  (call): ControlCaller | undefined => identifyControl(call),
)

/** Accepts everyone, even with the control API switched off: the contract links here. */
export const requireNoToken = authentication({ takes: [[]], errors: {} }, (): undefined => {})

/** Rejects requests that a browser sent for a page of another site. */
export const requireSender = authentication(
  { takes: [[]], errors: { ...OFF, 'cross-site': 'A page on another site sent it.' } },
  ({ c, header }): undefined => {
    assertEnabled(c.env.control)
    assertSameSite({ header }, c.env.control)
  },
)

function assertEnabled({ enabled }: Pick<ControlAccess, 'enabled'>): undefined {
  if (enabled) return
  throw new HttpError(404, 'path', 'The control API is switched off (--no-control).', {
    code: 'control-off',
  })
}

type Hosts = Pick<ProcessServices, 'hosts'>

/** Error about a Host header that is neither loopback nor allowed. */
export function findHostError(header: string, { hosts }: Hosts): HttpError | undefined {
  const host = header.replace(/:\d+$/, '')
  const isAllowed = hosts.some((name) => toBareHost(name) === toBareHost(host))
  if (LOOPBACK.test(host) || isAllowed) return undefined
  return new HttpError(403, 'host', `The sandbox does not respond to the host ${host}.`, {
    code: 'host-not-allowed',
    hint: 'Allow it with --allow-host.',
  })
}

/** IPv6 addresses have brackets in a header, and may have none in an option. */
const toBareHost = (host: string) => host.toLowerCase().replace(/^\[|\]$/g, '')

/**
 * Throws for requests that a browser sent for a page of another site. Reads count too: the page
 * cannot see the response, but can still trigger the call. Browsers name the site only over a
 * trusted connection.
 */
export function assertSameSite({ header }: Pick<ControlRequest, 'header'>, hosts: Hosts): void {
  const site = header('sec-fetch-site')
  const origin = header('origin')
  const isSame =
    site === undefined
      ? origin === undefined || findHostError(hostOf(origin), hosts) === undefined
      : site === 'same-origin' || site === 'none'
  if (isSame) return
  throw new HttpError(403, 'origin', 'Pages on other sites may not make this call.', {
    code: 'cross-site',
  })
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : origin)

function assertJson(type: string | undefined): void {
  if (type?.split(';')[0]?.trim().toLowerCase() === 'application/json') return
  const message = 'Send Content-Type: application/json, even without a body (curl: --json "{}").'
  throw new HttpError(415, 'content-type', message, { code: 'unsupported-media-type' })
}

export function bearerTokenIn({ header }: Pick<ControlRequest, 'header'>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1]
}

const isSame = (sent: string, token: string): boolean =>
  timingSafeEqual(digest(sent), digest(token))

const digest = (text: string) => createHash('sha256').update(text).digest()

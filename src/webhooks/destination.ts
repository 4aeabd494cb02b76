import { isIPv6 } from 'node:net'
import { DomainError, type DomainErrorDetail } from '../world/domain-error.ts'
import { findForbidden, isLoopbackHost } from './address.ts'

const URL_LENGTH_MAX = 2_048
const ALLOW = '--allow-webhook-host'

export interface WebhookRules {
  /**
   * Hosts that may be reached by http and at any address; an entry with a port allows that port
   * only.
   */
  allowHosts: readonly string[]
  /**
   * Set if strangers can reach the sandbox. Webhooks then do not go to its own machine or network,
   * because their outcome would reveal what listens there.
   */
  isShared?: boolean
  /** The port that the sandbox listens on: its own catches may always receive. */
  ownPort?: (() => number | undefined) | undefined
  /** Host names of the sandbox, besides loopback. */
  ownHosts?: readonly string[] | undefined
  /** Certificate of the sandbox's own port, as PEM. */
  ownCertificate?: string | undefined
}

export interface DestinationRules extends WebhookRules {
  /** Rejects http even for loopback. */
  httpsOnly: boolean
}

/**
 * Throws for a URL that webhooks may not go to. Host names are resolved later, when a webhook is
 * sent.
 */
export function assertDestination(url: string, { httpsOnly, ...rules }: DestinationRules): void {
  const parsed = parseUrl(url)
  const host = hostOf(parsed)
  const isAllowed = isAllowedUrl(parsed, rules)
  const isPlain = parsed.protocol === 'http:'
  if (isPlain && httpsOnly && !isOwnCatch(parsed, rules)) {
    throw badUrl('url must start with https://.')
  }
  if (isPlain && !isAllowed && !isLoopbackHost(host)) {
    throw badUrl(
      `url must start with https://; http reaches only this machine and the hosts named by ${ALLOW}.`,
    )
  }
  const why = isAllowed ? undefined : findForbidden(host, rules.isShared)
  if (why) throw badUrl(`url must not lead to ${why}; ${ALLOW} ${parsed.host} would permit it.`)
}

function parseUrl(url: string): URL {
  if (url.length > URL_LENGTH_MAX) {
    throw badUrl(`url must have at most ${URL_LENGTH_MAX} characters.`)
  }
  // `new URL` also accepts spaces, line breaks, backslashes and missing slashes.
  if (!/^https?:\/\/[^\s\\]+$/i.test(url) || !URL.canParse(url)) {
    throw badUrl('url must be an absolute URL, such as https://example.com/hooks.', {
      hint: 'http:// works for a receiver on this machine.',
    })
  }
  const parsed = new URL(url)
  if (parsed.username || parsed.password) throw badUrl('url must not have a user or password.')
  if (url.includes('#')) throw badUrl('url must not have a fragment (#…).')
  return parsed
}

const badUrl = (message: string, detail?: DomainErrorDetail) =>
  new DomainError('invalid-url', message, detail)

/** The host without the brackets of an IPv6 address and without a final dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '')

/** Returns true if the host is allowed or the URL is a catch: no further check is needed. */
export function isAllowedUrl(url: URL, rules: WebhookRules): boolean {
  return isNamed(url, rules.allowHosts) || isOwnCatch(url, rules)
}

/** Returns true if a URL is a receiver inside this sandbox. */
export function isOwnCatch(url: URL, rules: WebhookRules): boolean {
  const { ownPort, ownHosts = [], ownCertificate } = rules
  const [protocol, usualPort] = ownCertificate ? ['https:', 443] : ['http:', 80]
  const isOwn = url.protocol === protocol && Number(url.port || usualPort) === ownPort?.()
  const host = hostOf(url)
  const isHere = isLoopbackHost(host) || ownHosts.some((name) => toNamed(name)?.host === host)
  return isOwn && isHere && CATCH_PATH.test(url.pathname)
}

function isNamed(url: URL, entries: readonly string[]): boolean {
  const port = url.port || USUAL_PORTS[url.protocol]
  return entries.some((entry) => {
    const named = toNamed(entry)
    return named?.host === hostOf(url) && (named.port === undefined || named.port === port)
  })
}

const USUAL_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

const CATCH_PATH = /^(\/w\/[^/]+)?\/_sandbox\/catch\/[\w.-]+$/

/** Normalizes `Receiver:8080`, `[FD00::1]` and `FD00:0::1` as `new URL` does. */
function toNamed(entry: string): { host: string; port: string | undefined } | undefined {
  const url = `http://${isIPv6(entry) ? `[${entry}]` : entry}`
  if (!URL.canParse(url)) return undefined
  const port = isIPv6(entry) ? undefined : /:(\d+)$/.exec(entry)?.[1]
  return { host: hostOf(new URL(url)), port }
}

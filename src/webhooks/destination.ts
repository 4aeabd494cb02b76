import dns from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { DomainError, type DomainErrorDetail } from '../world/domain-error.ts'

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
  httpsOnly?: boolean
}

/** Addresses where a webhook never goes, unless its host is allowed by name. */
const FORBIDDEN: readonly (readonly [why: string, ...subnets: string[]])[] = [
  [
    'a private address',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '100.64.0.0/10',
    'fc00::/7',
    'fec0::/10',
  ],
  // Other metadata services of clouds are at link-local, private or reserved addresses.
  ['a metadata address', '169.254.169.254/32', '168.63.129.16/32'],
  ['a link-local address', '169.254.0.0/16', 'fe80::/10'],
  ['an unspecified address', '0.0.0.0/8', '::/128'],
  ['a multicast address', '224.0.0.0/4', 'ff00::/8'],
  ['a reserved address', '192.0.0.0/24', '240.0.0.0/4'],
  // Each of these contains an IPv4 address that the rows above would miss.
  [
    'an IPv4 address in IPv6 form',
    '::/96',
    '::ffff:0:0/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2001::/32',
    '2002::/16',
  ],
]

/**
 * Parses a URL for webhooks, and throws for one that they may not go to. Host names are resolved
 * later, when a webhook is sent.
 */
export function parseDestination(url: string, rules: DestinationRules): URL {
  const parsed = parseUrl(url, rules)
  const host = hostOf(parsed)
  const isAllowed = isAllowedUrl(parsed, rules)
  const isPlain = parsed.protocol === 'http:'
  if (isPlain && rules.httpsOnly && !isOwnCatch(parsed, rules)) {
    throw badUrl('url must start with https://.', { hint: HTTP_LOCALLY })
  }
  if (isPlain && !isAllowed && !isLoopbackHost(host)) {
    const where = rules.isShared ? '' : 'this machine and '
    throw badUrl(
      `url must start with https://; http is only for ${where}the hosts named by ${ALLOW}.`,
    )
  }
  const why = isAllowed ? undefined : findForbidden(host, rules.isShared)
  if (why) throw badUrl(`url must not point to ${why}; ${ALLOW} ${parsed.host} would allow it.`)
  return parsed
}

const HTTP_WORKS = 'http:// works for a receiver on this machine.'
const HTTP_LOCALLY =
  'To receive webhooks on this machine, run settings webhooks.url=loopback-http, or start with --set webhooks.url=loopback-http.'

function parseUrl(url: string, { httpsOnly, isShared }: DestinationRules): URL {
  if (url.length > URL_LENGTH_MAX) {
    throw badUrl(`url must have at most ${URL_LENGTH_MAX} characters.`)
  }
  const [odd] = /[^\x21-\x7e]|\\/.exec(url) ?? []
  if (odd !== undefined && /^\s*https?:/i.test(url) && URL.canParse(url)) {
    throw badUrl(`url must not contain ${NAMES[odd] ?? odd}; write ${new URL(url).href} instead.`)
  }
  const [scheme = 'https:'] = /^[a-z][\w+.-]*:(?=\/\/)/i.exec(url) ?? []
  if (!/^https?:$/i.test(scheme)) throw badUrl(`url must start with https://, not ${scheme}//.`)
  // `new URL` also accepts missing slashes.
  if (odd !== undefined || !/^https?:\/\/./i.test(url) || !URL.canParse(url)) {
    const hint = httpsOnly || isShared ? undefined : HTTP_WORKS
    throw badUrl('url must be an absolute URL, such as https://example.com/hooks.', { hint })
  }
  const parsed = new URL(url)
  if (parsed.username || parsed.password)
    throw badUrl('url must not contain a user name or password.')
  if (url.includes('#')) throw badUrl('url must not contain a fragment (#…).')
  return parsed
}

/** Characters that one does not see. */
const NAMES: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\n': 'a line break',
  '\t': 'a tab',
}

const badUrl = (message: string, detail?: DomainErrorDetail) =>
  new DomainError('invalid-url', message, detail)

/** The host without the brackets of an IPv6 address and without a final dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '')

/** Returns true if the host is allowed or the URL is a catch: no further check is needed. */
const isAllowedUrl = (url: URL, rules: WebhookRules): boolean =>
  isNamed(url, rules.allowHosts) || isOwnCatch(url, rules)

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

/** Returns true for the name or address of a host, with or without a port. */
export const isHost = (entry: string): boolean => toNamed(entry) !== undefined

export function isLoopbackHost(host: string): boolean {
  return /^(.+\.)?localhost$/.test(host) || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

/**
 * Names the kind of a forbidden address; undefined if it is permitted. A sandbox that strangers can
 * reach must not send to its own machine or network either.
 */
function findForbidden(host: string, isShared = false): string | undefined {
  if (isLoopbackHost(host)) return isShared ? 'this machine' : undefined
  if (isIP(host) === 0) return undefined
  const version = isIPv6(host) ? 'ipv6' : 'ipv4'
  blocked ??= FORBIDDEN.map(toBlocked)
  const rows = isShared ? [...blocked, ownNetwork()] : blocked
  return rows.find(({ [version]: list }) => list.check(host, version))?.why
}

interface Blocked {
  why: string
  ipv4: BlockList
  ipv6: BlockList
}

let blocked: Blocked[] | undefined

/** A list per version: a common one would match every IPv4 address with `::ffff:0:0/96`. */
function toBlocked([why, ...subnets]: readonly [why: string, ...subnets: string[]]): Blocked {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/')
    const version = isIPv6(network) ? 'ipv6' : 'ipv4'
    lists[version].addSubnet(network, Number(prefix), version)
  }
  return { why, ...lists }
}

/** Read on every call, because a network interface may be added later. */
function ownNetwork(): Blocked {
  const interfaces = Object.values(networkInterfaces()).flat()
  return toBlocked([
    'the network of the sandbox',
    ...interfaces.flatMap((each) => each?.cidr ?? []),
  ])
}

/** A name resolves to an address that webhooks may not go to. */
export class BlockedError extends Error {}

/** Resolves the name of a URL as the system does, and rejects one with a forbidden address. */
export function lookupFor(url: URL, rules: WebhookRules): LookupFunction {
  return function lookup(host, options, callback) {
    // RFC 6761 maps every name under localhost to this machine, but few systems resolve them.
    const name = isLoopbackHost(host) ? 'localhost' : host
    const all = Object.assign({}, options, { all: true as const })
    dns.lookup(name, all, (error, addresses) => {
      const refused = error ?? (isAllowedUrl(url, rules) ? null : findBlocked(host, addresses))
      const [first] = addresses ?? []
      if (refused) callback(refused, [])
      else if (first === undefined) callback(new Error(`${host} has no address`), [])
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

  function findBlocked(host: string, addresses: readonly dns.LookupAddress[]) {
    for (const { address } of addresses) {
      const why = findForbidden(address, rules.isShared)
      if (why) return new BlockedError(`${host} resolves to ${why} (${address}).`)
    }
    return null
  }
}

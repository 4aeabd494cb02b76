import dns from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'

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

let blocked: Blocked[] | undefined

/**
 * Names the kind of a forbidden address; undefined if it is permitted. A sandbox that strangers can
 * reach must not send to its own machine or network either.
 */
export function findForbidden(host: string, isShared = false): string | undefined {
  if (isLoopbackHost(host)) return isShared ? 'this machine' : undefined
  const family = isIP(host)
  if (family === 0) return undefined
  const version = family === 6 ? 'ipv6' : 'ipv4'
  const isIn = ({ [version]: list }: Blocked) => list.check(host, version)
  blocked ??= FORBIDDEN.map(toBlocked)
  return [...blocked, ...(isShared ? [ownNetwork()] : [])].find(isIn)?.why
}

/** Read on every call, because a network interface may be added later. */
function ownNetwork(): Blocked {
  const interfaces = Object.values(networkInterfaces()).flat()
  const subnets = interfaces.flatMap((found) => found?.cidr ?? [])
  return toBlocked(['the network of the sandbox', ...subnets])
}

export function isLoopbackHost(host: string): boolean {
  return /^(.+\.)?localhost$/.test(host) || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

interface Blocked {
  why: string
  ipv4: BlockList
  ipv6: BlockList
}

/** A list per version: a common one would match every IPv4 address with `::ffff:0:0/96`. */
function toBlocked([why, ...subnets]: readonly [why: string, ...subnets: string[]]): Blocked {
  const blocked = { why, ipv4: new BlockList(), ipv6: new BlockList() }
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/')
    const version = network.includes(':') ? 'ipv6' : 'ipv4'
    blocked[version].addSubnet(network, Number(prefix), version)
  }
  return blocked
}

/** A name resolves to an address that webhooks may not go to. */
export class BlockedError extends Error {}

/** Resolves names as the system does, and rejects those with a forbidden address. */
export function createLookup(
  isAllowed: (host: string) => boolean,
  isShared = false,
): LookupFunction {
  return function lookup(host, options, callback) {
    // RFC 6761 maps every name under localhost to this machine, but few systems resolve them.
    const name = isLoopbackHost(host) ? 'localhost' : host
    dns.lookup(name, Object.assign({}, options, { all: true as const }), (error, addresses) => {
      const refused = error ?? (isAllowed(host) ? null : findBlocked(addresses, { host, isShared }))
      const [first] = addresses ?? []
      if (refused) callback(refused, [])
      else if (first === undefined) callback(new Error(`${host} has no address`), [])
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

function findBlocked(
  addresses: readonly dns.LookupAddress[],
  { host, isShared }: { host: string; isShared: boolean },
): BlockedError | null {
  for (const { address } of addresses) {
    const why = findForbidden(address, isShared)
    if (why) return new BlockedError(`${host} leads to ${why} (${address}).`)
  }
  return null
}

import { randomUUID } from 'node:crypto'
import type { NetworkOptions } from '../chain/node.ts'
import type { NodeFetch } from '../chain/rpc.ts'
import type { DevChain } from '../chain/world-coins.ts'
import { findForbidden, isLoopbackHost } from '../webhooks/address.ts'
import { holdCoins, NETWORKS } from '../world/coins.ts'
import { DomainError } from '../world/domain-error.ts'
import { shorten } from '../world/shorten.ts'
import type { Coin } from '../world/state.ts'
import type { World } from '../world/world.ts'

export interface ChainRequest {
  /** `http://127.0.0.1:8545` for all networks but Solana, or `ETH=http://…` for one. */
  chain: readonly string[]
  /** The integrator's own tokens, as `USDC-ETH=0x…`. */
  tokens?: readonly string[] | undefined
  /** Blocks that make a transfer count, its own included; 1 by default. */
  confirmations?: number | undefined
  fetch?: NodeFetch | undefined
  log?: ((world: string, line: string) => void) | undefined
}

/**
 * Opens the development chains of a process. Throws where an option is wrong, or a node does not
 * respond.
 */
export async function openChainOf(request: ChainRequest): Promise<DevChain> {
  const { fetch = globalThis.fetch, confirmations = 1, log = () => undefined } = request
  const networks = toNetworks(request.chain, request.tokens ?? [])
  for (const { url } of networks) await assertPrivate(url)
  // A start without a chain does not load this, nor the code of the tokens.
  const { openChain } = await import('../chain/world-coins.ts')
  return await openChain({ networks, confirmations, fetch, fail, log })
}

/** Makes the coins of a world those of the chain; without one, they are simulated again. */
export function enterChain(world: World, name: string, chain: DevChain | undefined): void {
  const { seed } = world.custody ?? {}
  if (chain === undefined) world.custody = seed === undefined ? undefined : { seed, networks: [] }
  // Sells of a fixture, of an earlier life or of another world have addresses of their own.
  else if (seed?.startsWith(`${name}/`)) world.custody = { seed, networks: chain.labels }
  else holdCoins(world, { seed: `${name}/${randomUUID()}`, networks: chain.labels })
}

/** Limit of a node's message, which may be long. */
const REASON_LENGTH_MAX = 400

function fail(message: string) {
  const reason = shorten(message, REASON_LENGTH_MAX)
  return new DomainError('chain', reason, { field: 'chain' })
}

/** A node that strangers reach would let them see, and pay for, what a test does. */
async function assertPrivate(url: string): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalid('--chain', `the URL of a node such as http://127.0.0.1:8545, not ${url}`)
  }
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const { lookup } = await import('node:dns/promises')
  const found = await lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw new DomainError('invalid', `${host} in --chain is not found: ${error.code}.`, {
      field: '--chain',
    })
  })
  const isPublic = ({ address }: { address: string }) =>
    !isLoopbackHost(address) && findForbidden(address) !== 'a private address'
  const foreign = found.find(isPublic)
  if (foreign) throw invalid('--chain', `at a private address, and ${url} is at ${foreign.address}`)
}

function toNetworks(chain: readonly string[], tokens: readonly string[]): NetworkOptions[] {
  const urls = new Map<string, string>()
  for (const text of chain) {
    const [, label, url = text] = /^([A-Z]+)=(.*)$/.exec(text) ?? []
    if (label !== undefined && !NETWORKS.includes(label)) {
      throw invalid('--chain', `one of ${NETWORKS.join(', ')} before the =, not ${label}`)
    }
    const labels = label === undefined ? NETWORKS.filter((each) => !urls.has(each)) : [label]
    if (labels.length === 0) throw invalid('--chain', 'given once without a label such as ETH=')
    for (const each of labels) urls.set(each, url)
  }
  const own = toTokens(tokens, urls)
  return [...new Set(urls.values())].map((url) => {
    const labels = [...urls].flatMap(([label, of]) => (of === url ? [label] : []))
    return { url, labels, tokens: own.get(url) ?? {} }
  })
}

/** By the URL of the chain that they are on. */
function toTokens(texts: readonly string[], urls: ReadonlyMap<string, string>) {
  const tokens = new Map<string, Partial<Record<Coin, string>>>()
  for (const text of texts) {
    const [, coin, label = '', address] =
      /^(USDC|CADC)-([A-Z]+)=(0x[0-9a-fA-F]{40})$/.exec(text) ?? []
    const url = urls.get(label)
    if (coin === undefined || address === undefined || url === undefined) {
      throw invalid('--token', `a coin of a --chain and an address (USDC-ETH=0x…), not ${text}`)
    }
    tokens.set(url, { ...tokens.get(url), [coin]: address })
  }
  return tokens
}

function invalid(option: string, expected: string): DomainError {
  return new DomainError('invalid', `${option} must be ${expected}.`, { field: option })
}

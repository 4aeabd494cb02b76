import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { realTime } from '../real-time.ts'
import { findForbidden, isLoopbackHost } from '../webhooks/address.ts'
import type { ChainState } from '../world/chain-state.ts'
import { findCoinLabel, isOnChain, NETWORKS, newDepositAddress } from '../world/coins.ts'
import { DomainError } from '../world/domain-error.ts'
import { shorten } from '../world/shorten.ts'
import type { Coin } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Network } from './network.ts'
import type { NetworkOptions } from './node.ts'
import type { NodeFetch } from './rpc.ts'
import { createWorldChain, type WorldChain, type WorldChainOptions } from './world-chain.ts'

/** How often each world looks for transfers by itself, in wall time. */
const LOOK_EVERY_MS = 1_000

export interface ChainsOptions {
  /** `http://127.0.0.1:8545` for all chains but Solana, or `ETH=http://…` for one. */
  chain: readonly string[]
  /** The integrator's own tokens, as `USDC-ETH=0x…`. */
  tokens?: readonly string[] | undefined
  fetch?: NodeFetch | undefined
  /** What makes one life of a world unlike another; random by default. */
  newLife?: (() => string) | undefined
}

export type Chains = Awaited<ReturnType<typeof openChains>>

/** Coins of a world that was kept with a chain are simulated again where there is none. */
export function enterChains(world: World, name: string, chains: Chains | undefined): void {
  if (chains) chains.enter(world, name)
  else if (world.chain) world.chain.networks = []
}

/**
 * The development chains behind the worlds of a process. Throws where an option is wrong, or a node
 * does not answer.
 */
export async function openChains(options: ChainsOptions) {
  const { chain, tokens = [], fetch = globalThis.fetch, newLife = randomUUID } = options
  const networks: Network[] = []
  const asked = toNetworks(chain, tokens)
  for (const { url } of asked) await assertPrivate(url)
  // What speaks to a node, with the code of the tokens, is loaded only now.
  const { openNetwork } = await import('./network.ts')
  const tools = { fetch, fail, time: realTime }
  for (const network of asked) networks.push(await openNetwork(network, tools))
  const labels = networks.flatMap((network) => network.labels)
  const attached = new Set<WorldChain>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  return { enter, attach }

  /** Makes the coins of a world real; a world that was kept goes on where it stood. */
  function enter(world: World, name: string): void {
    const isOwn = world.chain?.scope.startsWith(`${name}/`)
    // What was sent to another life of it, before a reset, goes elsewhere.
    const { scope, cursors }: ChainState =
      isOwn && world.chain
        ? world.chain
        : { scope: `${name}/${newLife()}`, cursors: {}, networks: [] }
    world.chain = { scope, cursors, networks: labels }
    for (const { name: key, head, genesis } of networks) {
      cursors[key] ??= { genesis, start: head.number, block: head.number, hash: head.hash }
    }
    if (!isOwn) moveDeposits(world)
  }

  function attach(parts: Omit<WorldChainOptions, 'networks' | 'onClose'>): WorldChain {
    timer ??= realTime.setInterval(() => void look(), LOOK_EVERY_MS).unref()
    const onClose = () => {
      attached.delete(worldChain)
      if (attached.size > 0) return
      realTime.clearInterval(timer)
      timer = undefined
    }
    const worldChain = createWorldChain({ ...parts, networks, onClose })
    attached.add(worldChain)
    return worldChain
  }

  /** One question to each node shows which worlds have something to read. */
  async function look() {
    if (isLooking) return
    isLooking = true
    // A node that fails is named by the scan that fails, too.
    await Promise.allSettled(networks.map((network) => network.readHead()))
    const behind = [...attached].filter((worldChain) => worldChain.isBehind())
    await Promise.allSettled(behind.map((worldChain) => worldChain.scan()))
    isLooking = false
  }
}

/** What a node says may be long. */
const REASON_LENGTH_MAX = 400

function fail(message: string) {
  const reason = shorten(message, REASON_LENGTH_MAX)
  return new DomainError('conflict', 'chain', reason, { code: 'chain' })
}

/** A node that strangers reach would let them see, and pay for, what a test does. */
async function assertPrivate(url: string): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const message = `--chain must be the URL of a node such as http://127.0.0.1:8545, not ${url}.`
    throw new DomainError('invalid', '--chain', message)
  }
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const found = await lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw new DomainError('invalid', '--chain', `${host} in --chain is not found: ${error.code}.`)
  })
  for (const { address } of found) {
    if (isLoopbackHost(address) || findForbidden(address) === 'a private address') continue
    const message =
      `--chain ${url} leads to ${address}, which is no private address: ` +
      'only a development chain may be used.'
    throw new DomainError('invalid', '--chain', message)
  }
}

/** The sells of a fixture have the same addresses in every world. */
function moveDeposits(world: World) {
  for (const transaction of world.transactions) {
    const { id, leftSideLabel, depositAddress } = transaction
    const { chain } = findCoinLabel(world, leftSideLabel) ?? {}
    if (depositAddress === '' || chain === undefined || !isOnChain(world, leftSideLabel)) continue
    const random = world.random('transaction-parts', id, 1)
    transaction.depositAddress = newDepositAddress(world, random, { id, chain })
    for (const message of world.messages.after(0)) {
      message.text = message.text.replaceAll(depositAddress, transaction.depositAddress)
    }
  }
}

function toNetworks(chain: readonly string[], tokens: readonly string[]): NetworkOptions[] {
  const urls = new Map<string, string>()
  const others: string[] = []
  for (const text of chain) {
    const [, label, url = text] = /^([A-Z]+)=(.*)$/.exec(text) ?? []
    if (label === undefined) others.push(url)
    else urls.set(toLabel(label), url)
  }
  const [rest, second] = others
  if (second !== undefined) {
    const message = 'Only one --chain may be without a label, such as ETH=http://127.0.0.1:8545.'
    throw new DomainError('invalid', '--chain', message)
  }
  if (rest !== undefined) {
    for (const label of NETWORKS) if (!urls.has(label)) urls.set(label, rest)
  }
  const own = toTokens(tokens, urls)
  return [...new Set(urls.values())].map((url) => {
    const labels = [...urls].flatMap(([label, of]) => (of === url ? [label] : []))
    return { url, labels, tokens: own.get(url) ?? {} }
  })
}

function toLabel(label: string): string {
  if (NETWORKS.includes(label)) return label
  const message = `--chain takes one of ${NETWORKS.join(', ')} before the =, not ${label}.`
  throw new DomainError('invalid', '--chain', message)
}

/** By the URL of the chain that they are on. */
function toTokens(texts: readonly string[], urls: ReadonlyMap<string, string>) {
  const tokens = new Map<string, Partial<Record<Coin, string>>>()
  for (const text of texts) {
    const [, coin, label = '', address] =
      /^(USDC|CADC)-([A-Z]+)=(0x[0-9a-fA-F]{40})$/.exec(text) ?? []
    const url = urls.get(label)
    if (coin === undefined || address === undefined || url === undefined) {
      const message = `--token must be a coin of a --chain and an address, such as USDC-ETH=0x…, not ${text}.`
      throw new DomainError('invalid', '--token', message)
    }
    tokens.set(url, { ...tokens.get(url), [coin]: address })
  }
  return tokens
}

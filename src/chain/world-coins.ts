import { createControl } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import { createHttpClient, type HttpClientOptions } from '../client/http.ts'
import { createLevers } from '../client/levers.ts'
import type { CoinHolder, Payment } from '../levers/coin-holder.ts'
import type { TransactionStatus, Wire } from '../levers/wire.ts'
import { realTime } from '../real-time.ts'
import type { Coin } from '../world/state.ts'
import { type Network, openNetwork, type TokenTransfer } from './network.ts'
import type { Block, NetworkOptions } from './node.ts'
import type { RpcTools } from './rpc.ts'
import { toCoins, toRef, toUnits } from './token.ts'

const PROCESSING: TransactionStatus = 'processing request money transfer'
const PAGE = 1_000
type TransactionPage = Wire['transactions.list']['response']
type Settings = Partial<Wire['settings.get']['response']>
/** Lines that are kept of one world. */
const LOG_MAX = 100
/** How often the chains are looked at without being asked, in wall time. */
const LOOK_EVERY_MS = 1_000

export interface ChainOptions extends RpcTools {
  networks: readonly NetworkOptions[]
  /** Blocks that make a transfer count, its own included. */
  confirmations: number
  log(world: string, line: string): void
}

interface FollowOptions extends HttpClientOptions {
  /** Name of the world. */
  name: string
  /** Part of every payment's name: no two worlds, and no two lives of one, share it. */
  seed: string
}

export type DevChain = Awaited<ReturnType<typeof openChain>>

/** The development chains of a process: a client of its worlds, which know nothing of it. */
export async function openChain(options: ChainOptions) {
  const networks = await Promise.all(options.networks.map((each) => openNetwork(each, options)))
  return {
    labels: networks.flatMap(({ labels }) => labels),
    /** Begins with a world that was started, reset or restored. */
    follow: (world: FollowOptions) => createWorldCoins(networks, options, world),
  }
}

/** A sell, with the coins that arrived for it. */
interface Sell {
  id: string
  coin: Coin
  amount: number
  network: Network
  sum: bigint
  /** Hash of the transfer that made the sum enough. */
  hash: string | null
}

export interface WorldCoins extends CoinHolder {
  close(): void
}

/** The coins of one world, from its start to its reset: a client of the world and of its chains. */
function createWorldCoins(
  networks: readonly Network[],
  { confirmations, fail, log: logOf }: ChainOptions,
  { name, seed, ...http }: FollowOptions,
): WorldCoins {
  const control = createControl(createHttpClient(http))
  const world = createLevers(control)
  /** By deposit address. */
  const sells = new Map<string, Sell>()
  const paid = new Set<Sell>()
  const read = new Map<Network, { head: string; block: Block }>()
  const paying = new Map<string, Promise<string>>()
  const log: string[] = []
  /** Why something could not be done the last time, so that each reason is logged once. */
  const problems = new Map<string, string>()
  let cursor: string | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let isLooking = false
  const timer = realTime.setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return {
    log,
    names: Object.fromEntries(
      networks.flatMap(({ name, labels }) => labels.map((label) => [label, name])),
    ),
    scan,
    pay,
    send: (request) => networkOf(request.network ?? networks[0]?.name).send(request),
    networks: () =>
      Promise.all(networks.map((each) => each.describe(read.get(each)?.block.number ?? 0))),
    balances: async (address) =>
      (await Promise.all(networks.map((network) => network.balances(address)))).flat(),
    close: () => realTime.clearInterval(timer),
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    await scan().catch((error) => warn('scan', '', error))
    isLooking = false
  }

  /** One after the other: each sees all blocks that there were when it was asked for. */
  function scan(): Promise<void> {
    const scanning = queue.then(scanNow)
    queue = scanning.catch(() => undefined)
    return scanning.catch((error) => {
      throw error instanceof SandboxError ? fail(error.message) : error
    })
  }

  async function scanNow(): Promise<void> {
    const withHead = async (network: Network) => ({ network, head: await network.readHead() })
    // Before the sells: those that the blocks pay are known then.
    const heads = await Promise.all(networks.map(withHead))
    await readSells()
    for (const { network, head } of heads) await readNetwork(network, head)
    for (const sell of paid) await receive(sell)
    await payDue()
    problems.delete('scan')
  }

  /** Adds the sells that were created since. */
  async function readSells(): Promise<void> {
    for (let more = true; more; ) {
      const query = { after: cursor, limit: PAGE }
      const page: TransactionPage = await control.call('GET', '/transactions', { query })
      const created = page.items.filter(({ side }) => side === 'sell')
      const settings = created.length > 0 ? await world.settings.get() : {}
      for (const { id, coin, leftSideValue: amount, leftSideLabel, depositAddress } of created) {
        const network = findNetwork(leftSideLabel, settings)
        const sell = network && { id, coin, amount, network, sum: 0n, hash: null }
        if (sell) sells.set(depositAddress.toLowerCase(), sell)
      }
      cursor = page.cursor
      more = page.more && page.total > 0
    }
  }

  async function readNetwork(network: Network, head: Block): Promise<void> {
    const known = read.get(network)
    if (known?.head === head.hash) return
    const { start } = await network.check()
    const isSame = known && (await network.findBlock(known.block.number))?.hash === known.block.hash
    const from = isSame ? known.block.number + 1 : start
    const to = head.number - confirmations + 1
    // Its hash first: a block that is replaced meanwhile then shows at the next scan.
    const block = to < from ? undefined : await network.findBlock(to)
    const arrivals = block ? await network.read({ from, to }, sells) : []
    if (!isSame) forget(network)
    if (block) read.set(network, { head: head.hash, block })
    const short = new Map<Sell, string>()
    for (const arrival of arrivals) add(network, arrival, short)
    for (const line of short.values()) note(line)
  }

  /** The blocks that were read are gone, and their transfers with them. */
  function forget(network: Network): void {
    read.delete(network)
    for (const sell of sells.values()) {
      if (sell.network === network) Object.assign(sell, { sum: 0n, hash: null })
    }
  }

  function add(
    network: Network,
    { hash, to, token, units }: TokenTransfer,
    short: Map<Sell, string>,
  ) {
    const sell = sells.get(to)
    if (sell === undefined) return
    const { id, coin, amount } = sell
    if (token?.coin !== coin || network !== sell.network) {
      const what = token ? `${toCoins(units, token)} ${token.coin}` : 'Another token'
      note(`${what} on ${network.name} arrived for ${id}, which waits for ${coin}: ${hash}`)
    } else if (sell.hash !== null) {
      note(`${toCoins(units, token)} ${coin} more arrived for ${id}: ${hash}`)
    } else {
      sell.sum += units
      short.set(sell, `${toCoins(sell.sum, token)} of ${amount} ${coin} arrived for ${id}`)
      if (sell.sum < toUnits(amount, token)) return
      sell.hash = hash
      paid.add(sell)
      short.delete(sell)
    }
  }

  async function receive(sell: Sell): Promise<void> {
    const { id, hash: paymentId, amount, coin } = sell
    const record = await world.transactions.get(id)
    if (record.allowed.includes(PROCESSING) && paymentId !== null) {
      await world.simulate.fundsReceived(id, { paymentId })
    } else if (record.paymentId !== paymentId) {
      note(`${amount} ${coin} arrived for ${id}, which is ${record.status}: ${paymentId}`)
    }
    paid.delete(sell)
  }

  /** Settles buys under automatic settlement, as soon as nothing more is scheduled for them. */
  async function payDue(): Promise<void> {
    const processing = await world.transactions.list({ status: PROCESSING })
    const buys = processing.filter(({ side }) => side === 'buy')
    if (buys.length === 0) return
    const settings = await world.settings.get()
    if (settings['transactions.settlement'] !== 'auto') return
    const { tasks } = await world.clock.read()
    const waiting = new Set(tasks.map(({ ref }) => ref))
    for (const { id, rightSideLabel } of buys) {
      if (waiting.has(id) || !findNetwork(rightSideLabel, settings)) continue
      try {
        await world.simulate.settled(id)
        problems.delete(id)
      } catch (error) {
        warn(id, `${id} is not paid: `, error)
      }
    }
  }

  function pay({ id, network, ...payment }: Payment): Promise<string> {
    const ref = toRef(`${seed}\n${id}`)
    const send = () => networkOf(network).pay({ ...payment, ref })
    const started = paying.get(id) ?? send().finally(() => paying.delete(id))
    paying.set(id, started)
    return started
  }

  /** The network of the coins of a label, which may leave the chain to a setting. */
  function findNetwork(label: string, settings: Settings): Network | undefined {
    const chain = label.split('-')[1] ?? String(settings['quotes.bareLabels'])
    return networks.find(({ labels }) => labels.includes(chain))
  }

  function networkOf(chain = ''): Network {
    const found = networks.find(({ labels }) => labels.includes(chain))
    if (found) return found
    const names = networks.flatMap(({ labels }) => labels).join(', ')
    throw fail(`The networks are ${names}, not ${chain}.`)
  }

  function warn(what: string, start: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (problems.get(what) !== reason) note(start + reason)
    problems.set(what, reason)
  }

  function note(line: string): void {
    log.push(line)
    if (log.length > LOG_MAX) log.shift()
    logOf(name, line)
  }
}

import type { ControlClient } from '../client/control.ts'
import type { CoinHolder, Payment, SendCoins } from '../http/coin-holder.ts'
import type { ClockState, TransactionRecord, TransactionStatus } from '../http/control/wire.ts'
import type { Coin } from '../world/state.ts'
import type { Block, Network, TokenTransfer } from './network.ts'
import { toCoins, toRef, toUnits } from './token.ts'

const PROCESSING: TransactionStatus = 'processing request money transfer'
const PAGE = 1_000
/** Lines that are kept of one world. */
const LOG_MAX = 100

export interface WorldCoinsOptions {
  networks: readonly Network[]
  control: ControlClient
  /** Part of every payment's name: no two worlds, and no two lives of one, share it. */
  seed: string
  /** Blocks that make a transfer count, its own included. */
  confirmations: number
  log(line: string): void
  fail(message: string): Error
  onClose(coins: WorldCoins): void
}

export interface WorldCoins extends CoinHolder {
  close(): void
  /** Scans up to blocks that are known already; never throws. */
  look(heads?: readonly Block[]): Promise<void>
}

/** A sell, with the coins that arrived for it. */
interface Sell {
  id: string
  coin: Coin
  amount: number
  network: Network | undefined
  sum: bigint
  /** Of the transfer that made the sum enough. */
  hash: string | null
}

/** The coins of one world, from its start to its reset: a client of the world and of its chains. */
export function createWorldCoins(options: WorldCoinsOptions): WorldCoins {
  const { networks, control, seed, confirmations, fail } = options
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
  const coins: WorldCoins = {
    log,
    names: Object.fromEntries(
      networks.flatMap(({ name, labels }) => labels.map((label) => [label, name])),
    ),
    scan: () => scan(),
    look: (heads) => scan(heads).catch((error) => warn('scan', error)),
    pay,
    send: ({ network, ...request }: SendCoins) =>
      networkOf(network ?? networks[0]?.name).send(request),
    networks: () =>
      Promise.all(
        networks.map((network) => network.describe(read.get(network)?.block.number ?? 0)),
      ),
    balances: async (address) =>
      (await Promise.all(networks.map((network) => network.balances(address)))).flat(),
    close: () => options.onClose(coins),
  }
  return coins

  /** One after the other: each sees all blocks that there were when it was asked for. */
  function scan(known?: readonly Block[]): Promise<void> {
    const scanning = queue.then(() => scanNow(known))
    queue = scanning.catch(() => undefined)
    return scanning
  }

  async function scanNow(known?: readonly Block[]): Promise<void> {
    // Before the sells: those that the blocks pay are known then.
    const heads = known ?? (await Promise.all(networks.map((network) => network.readHead())))
    await readSells()
    for (const [index, network] of networks.entries()) {
      await readNetwork(network, heads[index] as Block)
    }
    for (const sell of paid) await receive(sell)
    await payDue()
    problems.delete('scan')
  }

  async function readSells(): Promise<void> {
    for (let more = true; more; ) {
      const page: { items: TransactionRecord[]; cursor: string; more: boolean } =
        await control.call('GET', '/transactions', { query: { after: cursor, limit: PAGE } })
      for (const { side, id, coin, leftSideLabel, leftSideValue, depositAddress } of page.items) {
        if (side === 'buy') continue
        const network = await findNetwork(leftSideLabel)
        const sell = { id, coin, amount: leftSideValue, network, sum: 0n, hash: null }
        sells.set(depositAddress.toLowerCase(), sell)
      }
      ;({ cursor, more } = page)
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
    const arrivals = block ? await network.read({ from, to, addresses: new Set(sells.keys()) }) : []
    if (!isSame) forget(network)
    if (block) read.set(network, { head: head.hash, block })
    const short = new Set<Sell>()
    for (const arrival of arrivals) {
      const sell = sells.get(arrival.to)
      if (sell && add(sell, network, arrival)) short.add(sell)
    }
    for (const { sum, amount, coin, id, hash } of short) {
      const token = arrivals.find((arrival) => arrival.token?.coin === coin)?.token
      if (hash === null && token)
        note(`${toCoins(sum, token)} of ${amount} ${coin} arrived for ${id}`)
    }
  }

  /** The blocks that were read are gone, and their transfers with them. */
  function forget(network: Network): void {
    read.delete(network)
    for (const sell of sells.values()) {
      if (sell.network === network) Object.assign(sell, { sum: 0n, hash: null })
    }
  }

  /** Whether it counts towards the amount. */
  function add(sell: Sell, network: Network, { hash, token, units }: TokenTransfer): boolean {
    if (token?.coin !== sell.coin || network !== sell.network) {
      const what = token ? `${toCoins(units, token)} ${token.coin}` : 'Another token'
      note(
        `${what} on ${network.name} arrived for ${sell.id}, which waits for ${sell.coin}: ${hash}`,
      )
      return false
    }
    if (sell.hash !== null) {
      note(`${toCoins(units, token)} ${sell.coin} more arrived for ${sell.id}: ${hash}`)
      return false
    }
    sell.sum += units
    if (sell.sum < toUnits(sell.amount, token)) return true
    sell.hash = hash
    paid.add(sell)
    return false
  }

  async function receive(sell: Sell): Promise<void> {
    const { id, hash: paymentId, amount, coin } = sell
    const record: TransactionRecord = await control.call('GET', `/transactions/${id}`)
    if (record.allowed.includes(PROCESSING) && paymentId !== null) {
      await control.call('POST', `/simulate/transactions/${id}/funds-received`, {
        body: { paymentId },
      })
    } else if (record.paymentId !== paymentId) {
      note(`${amount} ${coin} arrived for ${id}, which is ${record.status}: ${paymentId}`)
    }
    paid.delete(sell)
  }

  /** Under automatic settlement, whatever its transaction no longer waits for. */
  async function payDue(): Promise<void> {
    const buys: TransactionRecord[] = []
    let after: string | undefined
    for (let more = true; more; ) {
      const query = { status: PROCESSING, after, limit: PAGE }
      const page: { items: TransactionRecord[]; total: number; cursor: string; more: boolean } =
        await control.call('GET', '/transactions', { query })
      for (const row of page.items) {
        if (row.side === 'buy' && (await findNetwork(row.rightSideLabel))) buys.push(row)
      }
      after = page.cursor
      more = page.more && page.total > 0
    }
    if (buys.length === 0) return
    const settings: Record<string, unknown> = await control.call('GET', '/settings')
    if (settings['transactions.settlement'] !== 'auto') return
    const { tasks }: ClockState = await control.call('GET', '/clock')
    const waiting = new Set(tasks.map(({ ref }) => ref))
    for (const { id } of buys) {
      if (waiting.has(id)) continue
      try {
        await control.call('POST', `/simulate/transactions/${id}/settled`)
        problems.delete(id)
      } catch (error) {
        warn(id, error)
      }
    }
  }

  function pay(payment: Payment): Promise<string> {
    const { id, network, ...rest } = payment
    const started =
      paying.get(id) ??
      networkOf(network)
        .pay({ ...rest, ref: toRef(`${seed}\n${id}`) })
        .finally(() => paying.delete(id))
    paying.set(id, started)
    return started
  }

  async function findNetwork(label: string): Promise<Network | undefined> {
    const [, suffix = await readBareSuffix()] = label.split('-')
    return networks.find(({ labels }) => labels.includes(suffix))
  }

  async function readBareSuffix(): Promise<string> {
    const settings: Record<string, string> = await control.call('GET', '/settings')
    return settings['quotes.bareLabels'] ?? ''
  }

  function networkOf(label: string | undefined): Network {
    const found = networks.find(({ labels }) => labels.includes(label ?? ''))
    if (found) return found
    const names = networks.flatMap(({ labels }) => labels).join(', ')
    throw fail(`The networks are ${names}, not ${label}.`)
  }

  function warn(what: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (problems.get(what) !== reason)
      note(what === 'scan' ? reason : `${what} is not paid: ${reason}`)
    problems.set(what, reason)
  }

  function note(line: string): void {
    log.push(line)
    if (log.length > LOG_MAX) log.shift()
    options.log(line)
  }
}

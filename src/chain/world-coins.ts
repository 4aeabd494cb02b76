import type { ControlClient } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import type { Query } from '../client/http.ts'
import type { CoinHolder, Payment } from '../http/coin-holder.ts'
import type { ClockState, TransactionRecord, TransactionStatus } from '../http/control/wire.ts'
import { realTime } from '../real-time.ts'
import type { Coin } from '../world/state.ts'
import type { Block, Network, TokenTransfer } from './network.ts'
import { toCoins, toRef, toUnits } from './token.ts'

const PROCESSING: TransactionStatus = 'processing request money transfer'
const PAGE = 1_000
/** Lines that are kept of one world. */
const LOG_MAX = 100
/** How often the chains are looked at without being asked, in wall time. */
const LOOK_EVERY_MS = 1_000

export interface WorldCoinsOptions {
  networks: readonly Network[]
  control: ControlClient
  /** Part of every payment's name: no two worlds, and no two lives of one, share it. */
  seed: string
  /** Blocks that make a transfer count, its own included. */
  confirmations: number
  log(line: string): void
  fail(message: string): Error
}

export interface WorldCoins extends CoinHolder {
  close(): void
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
  let cursor: Query[string]
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
      Promise.all(
        networks.map((network) => network.describe(read.get(network)?.block.number ?? 0)),
      ),
    balances: async (address) =>
      (await Promise.all(networks.map((network) => network.balances(address)))).flat(),
    close: () => realTime.clearInterval(timer),
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    await scan().catch((error) => warn('scan', error))
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

  async function readSells(): Promise<void> {
    const { rows, last } = await readTransactions('sell', { after: cursor })
    for (const { network, id, coin, leftSideValue: amount, depositAddress } of rows) {
      sells.set(depositAddress.toLowerCase(), { id, coin, amount, network, sum: 0n, hash: null })
    }
    cursor = last
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
    const short = new Map<Sell, string>()
    for (const arrival of arrivals) {
      const sell = sells.get(arrival.to)
      if (sell) add(sell, network, arrival, short)
    }
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
    sell: Sell,
    network: Network,
    { hash, token, units }: TokenTransfer,
    short: Map<Sell, string>,
  ): void {
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

  /** Under automatic settlement, as soon as nothing more is scheduled for them. */
  async function payDue(): Promise<void> {
    const { rows } = await readTransactions('buy', { status: PROCESSING })
    if (rows.length === 0) return
    if ((await readSettings())['transactions.settlement'] !== 'auto') return
    const { tasks }: ClockState = await control.call('GET', '/clock')
    const waiting = new Set(tasks.map(({ ref }) => ref))
    for (const { id } of rows.filter((buy) => !waiting.has(buy.id))) {
      try {
        await control.call('POST', `/simulate/transactions/${id}/settled`)
        problems.delete(id)
      } catch (error) {
        warn(id, error)
      }
    }
  }

  /** Those whose coins are on one of the networks, and the cursor to go on with. */
  async function readTransactions(side: TransactionRecord['side'], query: Query) {
    const records: TransactionRecord[] = []
    let last = query.after
    for (let more = true; more; ) {
      const page: { items: TransactionRecord[]; total: number; cursor: string; more: boolean } =
        await control.call('GET', '/transactions', {
          query: { ...query, after: last, limit: PAGE },
        })
      records.push(...page.items.filter((record) => record.side === side))
      last = page.cursor
      more = page.more && page.total > 0
    }
    const labelOf = (record: TransactionRecord) =>
      side === 'buy' ? record.rightSideLabel : record.leftSideLabel
    const isBare = (record: TransactionRecord) => !labelOf(record).includes('-')
    const bare = records.some(isBare) ? (await readSettings())['quotes.bareLabels'] : undefined
    const rows = records.flatMap((record) => {
      const network = findNetwork(labelOf(record).split('-')[1] ?? bare)
      return network ? [{ ...record, network }] : []
    })
    return { rows, last }
  }

  function readSettings(): Promise<Record<string, string>> {
    return control.call('GET', '/settings')
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

  function findNetwork(label = ''): Network | undefined {
    return networks.find(({ labels }) => labels.includes(label))
  }

  function networkOf(label: string | undefined): Network {
    const found = findNetwork(label)
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

import type { Sandbox } from '../client/client.ts'
import { SandboxError } from '../client/error.ts'
import type { EventPage, TransactionRecord, TransactionStatus, Wire } from '../levers/wire.ts'
import { realTime } from '../real-time.ts'
import type { Coin } from '../world/state.ts'
import { beginLife, type Life, type Sell } from './life.ts'
import { type Block, block, type ChainNode, hasCode, prepareNode } from './node.ts'
import { chainError, type Rpc } from './rpc.ts'
import { findPayout, type Payout, payOut, toCoins, toQuantity, toRef, toUnits } from './token.ts'
import { readTransfers, type Transfer } from './transfers.ts'

const PROCESSING: TransactionStatus = 'processing request money transfer'
/** Longest wait for an event before the chain is read again, in wall time. */
const LOOK_EVERY_MS = 1_000
const PAGE_ROWS = 1_000

export interface WorldChainOptions {
  rpc: Rpc
  node: ChainNode
  ownTokens: Partial<Record<Coin, string>>
  log(line: string): void
}

/** Lets the coins of one world move on a chain: a client of events and levers. */
export class WorldChain {
  readonly #sandbox: Sandbox
  readonly #options: WorldChainOptions
  readonly #closing = new AbortController()
  /** Why something failed the last time, so that each reason is logged once. */
  readonly #problems = new Map<string, string>()
  #node: ChainNode
  #life: Life | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #following: Promise<void> = Promise.resolve()

  constructor(sandbox: Sandbox, options: WorldChainOptions) {
    this.#sandbox = sandbox
    this.#options = options
    this.#node = options.node
  }

  get node(): ChainNode {
    return this.#node
  }

  /** Scans again after each event, and once a second, until it is closed. */
  follow(): void {
    this.#following = this.#scanUntilClosed()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#following
  }

  /** Runs one scan after the other: each sees all blocks that there were when it was asked for. */
  scan(): Promise<void> {
    const scanning = this.#queue.then(() => this.#scanNow())
    this.#queue = scanning.catch(() => undefined)
    return scanning
  }

  async #scanUntilClosed(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        await this.scan()
        this.#problems.delete('scan')
        await this.#waitForEvent()
      } catch (error) {
        if (signal.aborted || isClosed(error)) return
        this.#warn('scan', error)
        await realTime.pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  async #waitForEvent(): Promise<void> {
    const query = { after: this.#life?.cursors.events, timeout: `${LOOK_EVERY_MS}ms` }
    const { signal } = this.#closing
    await this.#sandbox.control('GET', '/events', { query, signal }).catch((error) => {
      // The world was replaced, which the next scan sees.
      if (error.code !== 'cursor-ahead') throw error
    })
  }

  async #scanNow(): Promise<void> {
    const { rpc } = this.#options
    await this.#followNode()
    // Read before the sells, so that those which its transfers pay are known.
    const head = await rpc.call('eth_getBlockByNumber', block, 'latest', false)
    const life = await this.#followLife()
    await this.#readSells(life)
    await this.#readBlocks(life, head)
    for (const sell of life.arrived) await this.#receive(life, sell)
    await this.#payBuys(life)
    await this.#nameForeign(life)
  }

  /** Prepares the node again if it was restarted and has lost its tokens and blocks. */
  async #followNode(): Promise<void> {
    const { rpc, ownTokens } = this.#options
    if (await hasCode(rpc, this.#node.notebook.address, 'latest')) return
    this.#node = await prepareNode(rpc, ownTokens)
    this.#life = undefined
  }

  /** Begins again with a world that was reset, restored, imported or started anew. */
  async #followLife(): Promise<Life> {
    const info = await this.#sandbox.info()
    const known = this.#life
    const isSame =
      known !== undefined &&
      known.number === info.life &&
      known.transactionCount <= info.counts.transactions &&
      // Other clients may have noted an empty world, too: with its first transaction, all take the
      // newest of these notes.
      (known.transactionCount > 0 || info.counts.transactions === 0) &&
      (known.read === undefined ||
        (await this.#findBlock(known.read.number))?.hash === known.read.hash)
    if (known !== undefined && isSame) return known
    await this.#assertManual()
    const life = await beginLife(this.#options.rpc, this.#node, info)
    // The first transaction of a world may be over already.
    const wasEmpty = known?.number === life.number && known.transactionCount === 0
    if (wasEmpty) life.cursors.events = known.cursors.events
    this.#life = life
    return life
  }

  async #assertManual(): Promise<void> {
    const settings = await this.#sandbox.settings.get()
    if (settings['transactions.settlement'] !== 'auto') return
    throw chainError(
      'This world settles by itself (transactions.settlement=auto), so coins on a chain would come too late: set it to manual.',
    )
  }

  /** Adds the sells that were created since. */
  async #readSells(life: Life): Promise<void> {
    for (let more = true; more; ) {
      const query = { after: life.cursors.transactions, limit: PAGE_ROWS }
      type Page = Wire['transactions.list']['response']
      const page: Page = await this.#sandbox.control('GET', '/transactions', { query })
      life.transactionCount += page.items.length
      for (const row of page.items) {
        const { id, side, coin, leftSideValue: amount, depositAddress } = row
        if (side !== 'sell' || !isOnChain(row)) continue
        const sell = { id, coin, amount, sum: 0n, hash: undefined }
        life.sells.set(depositAddress.toLowerCase(), sell)
      }
      life.cursors.transactions = page.cursor
      more = page.more && page.total > 0
    }
  }

  async #readBlocks(life: Life, head: Block): Promise<void> {
    const from = life.read ? life.read.number + 1 : life.since
    if (head.number < from) return
    const range = { from, to: head.number, addresses: life.sells }
    const transfers = await readTransfers(this.#options.rpc, this.#node, range)
    life.read = head
    const short = new Map<Sell, string>()
    for (const transfer of transfers) this.#add(life, transfer, short)
    for (const line of short.values()) this.#log(line)
  }

  #add(life: Life, { hash, to, token, units }: Transfer, short: Map<Sell, string>): void {
    const sell = life.sells.get(to)
    if (sell === undefined) return
    const { id, coin, amount } = sell
    if (token?.coin !== coin) {
      const what = token ? `${toCoins(units, token)} ${token.coin}` : 'Another token'
      this.#log(`${what} arrived for ${id}, which waits for ${coin}: ${hash}`)
    } else if (sell.hash !== undefined) {
      this.#log(`${toCoins(units, token)} ${coin} more arrived for ${id}: ${hash}`)
    } else {
      sell.sum += units
      short.set(sell, `${toCoins(sell.sum, token)} of ${amount} ${coin} arrived for ${id}`)
      if (sell.sum < toUnits(amount, token)) return
      sell.hash = hash
      life.arrived.add(sell)
      short.delete(sell)
    }
  }

  async #receive(life: Life, sell: Sell): Promise<void> {
    const { id, hash, amount, coin } = sell
    const record = await this.#sandbox.transactions.get(id)
    if (record.allowed.includes(PROCESSING) && hash !== undefined) {
      await this.#sandbox.simulate.fundsReceived(id, { paymentId: hash })
      this.#log(`${amount} ${coin} arrived for ${id}: ${hash}`)
    } else if (record.paymentId !== hash) {
      this.#log(`${amount} ${coin} arrived for ${id}, which is ${record.status}: ${hash}`)
    }
    life.arrived.delete(sell)
  }

  async #payBuys(life: Life): Promise<void> {
    const processing = await this.#sandbox.transactions.list({ status: PROCESSING })
    const buys = processing.filter((row) => row.side === 'buy' && isOnChain(row))
    if (buys.length > 0) await this.#assertManual()
    for (const buy of buys) {
      try {
        await this.#pay(life, buy)
        this.#problems.delete(buy.id)
      } catch (error) {
        if (isClosed(error)) throw error
        this.#warn(buy.id, error, `${buy.id} is not paid: `)
      }
    }
  }

  async #pay(life: Life, buy: TransactionRecord): Promise<void> {
    const { id, coin, rightSideValue: amount } = buy
    const token = this.#node.tokens[coin]
    const hash = await payOut(this.#options.rpc, token, this.#payoutOf(life, buy))
    // Ids repeat: after a reset another transaction may have this one.
    const { life: number } = await this.#sandbox.info()
    if (number !== life.number) throw chainError(`the world was replaced; its coins left: ${hash}`)
    await this.#sandbox.simulate.settled(id, { paymentId: hash })
    this.#log(`${amount} ${coin} were sent for ${id}: ${hash}`)
  }

  #payoutOf(life: Life, { id, coin, wallet, rightSideValue }: TransactionRecord): Payout {
    return {
      from: this.#node.account,
      to: wallet,
      units: toUnits(rightSideValue, this.#node.tokens[coin]),
      ref: toRef(`${life.name}\n${id}`),
      since: life.since,
    }
  }

  /** Logs the buys that somebody else completed, for which no coins were sent. */
  async #nameForeign(life: Life): Promise<void> {
    for (let more = true; more; ) {
      const page = await this.#readEvents(life.cursors.events)
      for (const { ref, status } of page.events) {
        if (status === 'complete') await this.#nameIfForeign(life, ref)
      }
      more = page.events.length > 0
      life.cursors.events = page.cursor
    }
  }

  async #readEvents(after: string | undefined): Promise<EventPage> {
    const query = { after, type: 'transaction.update' }
    return await this.#sandbox.control<EventPage>('GET', '/events', { query }).catch((error) => {
      // The sandbox was started anew, so its events begin again.
      if (error.code !== 'cursor-ahead') throw error
      return this.#readEvents(undefined)
    })
  }

  async #nameIfForeign(life: Life, id: string): Promise<void> {
    const buy = await this.#sandbox.transactions.get(id)
    if (buy.side !== 'buy' || !isOnChain(buy)) return
    const token = this.#node.tokens[buy.coin]
    const hash = await findPayout(this.#options.rpc, token, this.#payoutOf(life, buy))
    if (hash !== undefined) return
    this.#log(`${id} was completed by somebody else; no coins were sent for it`)
  }

  async #findBlock(number: number): Promise<Block | null> {
    const { rpc } = this.#options
    return await rpc.call('eth_getBlockByNumber', block.nullable(), toQuantity(number), false)
  }

  #warn(what: string, error: unknown, start = ''): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (this.#problems.get(what) !== reason) this.#log(start + reason)
    this.#problems.set(what, reason)
  }

  #log(line: string): void {
    this.#options.log(line)
  }
}

/** Excludes Solana, whose addresses do not begin with `0x`. */
const isOnChain = ({ side, wallet, depositAddress }: TransactionRecord): boolean =>
  (side === 'buy' ? wallet : depositAddress).startsWith('0x')

const isClosed = (error: unknown): boolean =>
  error instanceof SandboxError && error.code === 'closed'

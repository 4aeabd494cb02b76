import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../src/index.ts'
import { isFullDepth } from './helpers/depth.ts'

vi.stubGlobal('document', { body: { dataset: {} }, documentElement: { dataset: {}, lang: 'en' } })
vi.stubGlobal('location', new URL('http://127.0.0.1:4100/_sandbox/demo'))
afterAll(() => vi.unstubAllGlobals())
// Not by a literal, as the code of pages is compiled for a browser alone.
const load = (name: string) => import(join(import.meta.dirname, '../src/ui/demo', name))
const { holdingsOf } = await load('holdings.ts')

const LABELS = ['USDC-ETH', 'USDC-SOL', 'USDC-BASE', 'CADC-ETH']
const EMAIL = 'ana@example.com'
const PROFILE = { firstName: 'Ana', lastName: 'Silva', dob: '1990-04-12' }
const SETTINGS = { 'limits.active': 1_000, 'limits.cancelled': 1_000 }

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON holds
type Json = any
interface Act {
  does: 'receive' | 'buy' | 'sell' | 'pay' | 'settle' | 'cancel' | 'day'
  label: string
  amount: number
  at: number
}

const act: fc.Arbitrary<Act> = fc.record({
  // Sells are as likely as all that brings coins.
  does: fc.constantFrom('receive', 'buy', 'sell', 'sell', 'pay', 'settle', 'cancel', 'day'),
  label: fc.constantFrom(...LABELS),
  amount: fc.integer({ min: 20, max: 200 }),
  at: fc.nat(),
})

/** A customer who does as the wallet does: it sells what it holds, and nothing else. */
class Customer {
  received: Json[] = []
  readonly #sandbox: Sandbox
  #token = ''
  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  async logIn() {
    await this.#sandbox.users.add(EMAIL, { ...PROFILE, verified: true })
    await this.logInAgain()
  }

  async #call(method: string, path: string, body?: object): Promise<Json> {
    const response = await this.#sandbox.fetch(`${this.#sandbox.url}/v2${path}`, {
      method,
      headers: {
        'x-api-key': this.#sandbox.apiKey,
        'content-type': 'application/json',
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return ((await response.json()) as Json).data
  }

  async orders(): Promise<Json[]> {
    return (await this.#call('GET', '/transactions?limit=100')).items
  }

  async holdings(): Promise<ReadonlyMap<string, number>> {
    return holdingsOf(await this.orders(), this.received)
  }

  async #order(leftSideLabel: string, leftSideValue: number, rightSideLabel: string) {
    const pair = { leftSideLabel, leftSideValue, rightSideLabel }
    const query = new URLSearchParams({ ...pair, leftSideValue: String(leftSideValue) })
    const { quoteId } = await this.#call('GET', `/quotes?${query}`)
    const isSolana = `${leftSideLabel} ${rightSideLabel}`.includes('-SOL')
    const wallet = isSolana
      ? '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
      : '0x52908400098527886E0F7030069857D2E4169EE7'
    const created = await this.#call('POST', '/transactions', { ...pair, quoteId, wallet })
    expect(created?.id).toBeDefined()
  }

  async does({ does, label, amount, at }: Act): Promise<void> {
    const { simulate } = this.#sandbox
    if (does === 'receive') return void this.received.push({ label, amount })
    if (does === 'buy') return this.#order('CAD', amount, label)
    if (does === 'sell') {
      const held = (await this.holdings()).get(label) ?? 0
      if (held >= amount) await this.#order(label, amount, 'CAD')
      return
    }
    if (does === 'day') {
      await this.#sandbox.clock.advance('24h')
      return this.logInAgain()
    }
    const orders = await this.orders()
    const { id } = orders[at % orders.length] ?? {}
    if (id === undefined) return
    if (does === 'cancel') return void (await this.#call('PUT', `/transactions/${id}/cancel`))
    const simulation = does === 'pay' ? simulate.fundsReceived(id) : simulate.settled(id)
    await simulation.catch(() => undefined)
  }

  async logInAgain() {
    this.#token = ''
    await this.#call('POST', '/auth/login-codes', { email: EMAIL })
    const code = await this.#sandbox.inbox.loginCode(EMAIL)
    const login = await this.#call('POST', '/auth/login-codes/verify', { email: EMAIL, code })
    this.#token = login.accessToken
  }
}

const sum = (values: Iterable<number>) => Math.round([...values].reduce((a, b) => a + b, 0) * 1e6)

it('is never below zero, and per network and in sum what the transactions say', async () => {
  await using sandbox = await createSandbox({ clock: '2026-07-01T12:00:00Z' })
  const story = fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
    await sandbox.reset()
    await sandbox.settings.set(SETTINGS)
    const customer = new Customer(sandbox)
    await customer.logIn()
    for (const one of acts) {
      await customer.does(one)
      const holdings = await customer.holdings()
      for (const [label, held] of holdings) expect(held, label).toBeGreaterThanOrEqual(0)
    }
    const rows: Json[] = await sandbox.transactions.list()
    const said = new Map<string, number>()
    for (const label of LABELS) {
      const came = customer.received.filter((one) => one.label === label)
      const bought = rows.filter((one) => one.rightSideLabel === label && one.status === 'complete')
      const left = rows.filter(
        (one) => one.leftSideLabel === label && !['cancelled', 'expired'].includes(one.status),
      )
      said.set(
        label,
        sum(came.map(({ amount }) => amount)) +
          sum(bought.map(({ rightSideValue }) => rightSideValue)) -
          sum(left.map(({ leftSideValue }) => leftSideValue)),
      )
    }
    const holdings = await customer.holdings()
    for (const label of LABELS) expect(sum([holdings.get(label) ?? 0])).toBe(said.get(label))
    expect(sum(holdings.values())).toBe([...said.values()].reduce((a, b) => a + b, 0))
  })
  await fc.assert(story, { numRuns: isFullDepth ? 25 : 10 })
}, 60_000)

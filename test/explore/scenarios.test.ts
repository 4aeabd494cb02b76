import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bugs, everythingWrong } from '../examples/receivers/bugs.mjs'
import { clients, order } from '../examples/receivers/clients.mjs'
import { right } from '../examples/receivers/shop.mjs'
import { isFullDepth } from '../helpers/depth.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { openReceiver, PAYMENT, type Parts, toOptions } from './receiver.ts'

const SETTLEMENT = join(import.meta.dirname, 'settlement.mjs')

/** Most scenarios that are played again with the mended receiver. */
const MENDED_MAX = 3

interface Explored {
  broken: Parts
  mended?: Parts
  story?(url: string): string
  more?: string[]
  /** Kinds of findings whose scenarios are played; all by default. */
  played?: readonly string[] | undefined
}

/** Explores a broken receiver by URLs, and plays each scenario that was written, before and after it is mended. */
async function exploreAndPlay({ broken, mended = right, story, more = [], played }: Explored) {
  await using receiver = await openReceiver(broken)
  const { url } = receiver
  const options = [...toOptions(url), `--out=${createFolder()}`, ...more]
  const explored = await runInProcess(['explore', story?.(url) ?? PAYMENT, '--json', ...options])
  expect(explored.err).toMatch(/^\d+ runs in/)
  const findings: Found[] = JSON.parse(explored.out).findings
  const isPlayed = (found: Found) => played?.includes(kindOf(found)) ?? true
  const sentences = findings.filter(isPlayed).map(({ sentence }) => sentence)
  const files = findings.filter(isPlayed).map(({ file }) => file)
  const before = await runInProcess(['play', ...files])
  receiver.become(mended)
  const after = await runInProcess(['play', ...files.slice(0, MENDED_MAX)])
  return { findings, sentences, before, after }
}

interface Found {
  sentence: string
  file: string
  step?: string
  disturbances: { kind: string; how?: string; what?: string }[]
}

function kindOf({ disturbances, step }: Found): string {
  const [{ kind, how, what } = { kind: 'nothing' }] = disturbances
  return [kind, how, what, step && 'in a step'].filter(Boolean).join(' ')
}

async function expectToFailUntilMended(explored: Explored, kinds: string[]) {
  const { findings, sentences, before, after } = await exploreAndPlay(explored)
  expect(findings.map(kindOf)).toEqual(kinds)
  const count = explored.played?.length ?? kinds.length
  expect(before.out).toContain(`0 of ${count} passed, ${count} failed`)
  for (const sentence of sentences) expect(before.out).toContain(`${sentence} (explore-`)
  const mendedCount = Math.min(count, MENDED_MAX)
  expect(after.out).toContain(`${mendedCount} of ${mendedCount} passed\n`)
  return findings
}

/** Leaves out webhooks and their disturbances. */
const WITHOUT_WEBHOOKS = "await api.delete('/v2/webhook-configurations')"

const ORDER_STEP = `step('She orders')
    const response = await fetch('URL/orders', { method: 'POST' })
    if (!response.ok) throw new Error(await response.text())
    const { id } = await response.json()`

const LATER_STEPS = `step('The money comes')
    await control.post('/simulate/transactions/' + id + '/funds-received')
    step('A day passes')
    await control.post('/clock/advance', { by: '1d' })`

/** Writes a story that asks the back end of the receiver to order. */
const writeStory =
  (...steps: string[]) =>
  (url: string) => {
    const file = join(createFolder(), 'customer-buys.js')
    const source = `export default {
  title: 'A customer buys',
  description: 'The back end orders.',
  async play({ step, api, control }) {
    ${steps.join('\n    ').replace('URL', url)}
  },
}
`
    writeFileSync(file, source)
    return file
  }

const withClient = (name: keyof typeof clients): Parts => ({
  ...right,
  order: (shop) => order(shop, clients[name]),
})

/** Webhooks that have come to `hasty` and are not looked at yet. */
let unread = 0
/** Settles when `hasty` has looked at the webhook that came last. */
let looked: Promise<unknown> = Promise.resolve()

/** Drops events that it does not expect or that are old, and writes what it read before others wrote. */
const hasty: Parts = {
  ...right,
  async take(shop, headers, body) {
    unread++
    const { occurredAt, payload } = JSON.parse(body)
    // In the order in which they came: two reads of the clock may end in another one.
    const look = async () => {
      // Undisturbed, the response of the order is always first, even where the process stands still.
      // So is another webhook that was sent at the same time.
      for (let times = 0; times < 10; times++) await shop.pause(3)
      const clock = await fetch(`${shop.place.url}/_sandbox/clock`)
      const { now } = (await clock.json()) as { now: string }
      return Date.parse(now) - Date.parse(occurredAt) > 3_600_000
    }
    const looking = looked.then(look).finally(() => unread--)
    looked = looking.catch(() => undefined)
    const isOld = await looking
    const isKnown = shop.read().orders[payload.transactionId] !== undefined
    return isKnown && !isOld ? await right.take.call(this, shop, headers, body) : 204
  },
  async store(shop, eventId, payload) {
    const state = shop.read()
    // Pauses end in the order in which they began, so the one that came last also writes last.
    do await shop.pause(3)
    while (unread > 0)
    if (state.events.includes(eventId)) return
    state.events.push(eventId)
    this.apply(state, payload)
    shop.write(state)
  },
  async order(shop) {
    const { id } = await clients.right(shop)
    const state = shop.read()
    state.orders[id] = 'ordered'
    shop.write(state)
    return id
  },
  isOpen: () => true,
}

const ORDER = '`orders.4187851a-04a8-41ad-a5e3-c653acc88768`'
const UNPAID = `${ORDER} ends as "processing request money transfer" instead of "complete"`

/** What is said of a receiver that has every mistake. */
const SENTENCES = [
  `When \`complete\` comes before \`processing\`, ${UNPAID}.`,
  'When `complete` comes twice, `wallet` ends as 1417.96 instead of 708.98.',
  `When \`complete\` is lost, ${UNPAID} (and 1 more difference).`,
  `When a copy of \`complete\` with an old timestamp comes, ${ORDER} changes from "processing request money transfer" to "complete" (and 1 more difference).`,
  `When \`complete\` is written with other spaces and escapes, ${UNPAID} (and 1 more difference).`,
  'When an event of an unknown type comes before `complete`, the receiver responds with 422.',
  'When an event with an unknown status comes before `complete`, the receiver responds with 422.',
  `When every event has \`eventId\` in place of \`id\`, ${ORDER} is nothing instead of "processing request money transfer" after the step “The money comes”, though it ends right.`,
]

/** Kinds that are judged in different ways: by the end after a reconciliation, or by a response. */
const JUDGED_APART = ['lost', 'unknown type']

describe('the scenario of a finding fails until the receiver is mended', {
  timeout: 240_000,
}, () => {
  it('for every mistake of a receiver', async () => {
    const broken = everythingWrong as Parts
    const played = isFullDepth ? undefined : JUDGED_APART
    const findings = await expectToFailUntilMended({ broken, played }, [
      'order',
      'doubled',
      'lost',
      'forged timestamp',
      'reworded wording',
      'unknown type',
      'unknown status',
      'renamed in a step',
    ])
    expect(findings.map(({ sentence }) => sentence)).toEqual(SENTENCES)
  })

  it.runIf(isFullDepth)('for a webhook that is refused undisturbed', async () => {
    await expectToFailUntilMended({ broken: bugs['complete-refused'] as Parts }, ['nothing'])
  })

  it.runIf(isFullDepth)('for a receiver that credits again when it reconciles', async () => {
    await expectToFailUntilMended({ broken: bugs['credits-again'] as Parts }, ['nothing'])
  })

  it.runIf(isFullDepth)('for a back end that orders again', async () => {
    const [broken, mended] = [withClient('retries-blindly'), withClient('right')]
    const story = writeStory(WITHOUT_WEBHOOKS, ORDER_STEP)
    const more = ['--calls']
    await expectToFailUntilMended({ broken, mended, story, more }, ['call response lost'])
  })

  const unusual = 'that comes before the response, after the clock, or with another one'
  it.runIf(isFullDepth)(`for a webhook ${unusual}`, async () => {
    const mended = withClient('right')
    const story = writeStory(ORDER_STEP, LATER_STEPS)
    const kinds = ['early in a step', 'late', 'together']
    await expectToFailUntilMended({ broken: hasty, mended, story }, kinds)
  })
})

/** Explores a receiver with one mistake, and mends it. */
async function exploreAndMend(receiver: Awaited<ReturnType<typeof openReceiver>>) {
  const folder = createFolder()
  const options = [...toOptions(receiver.url), '--out', folder, '--max', '1']
  expect((await runInProcess(['explore', SETTLEMENT, ...options])).code).toBe(2)
  receiver.become(right)
  return join(folder, 'explore-1.js')
}

it('plays the scenario of a finding against another receiver', async () => {
  await using receiver = await openReceiver(bugs['no-deduplication'] as Parts)
  const file = await exploreAndMend(receiver)
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, source.replace(`${receiver.url}/hooks`, 'http://127.0.0.1:9/hooks'))
  const { code, out } = await runInProcess(['play', file, `--webhook-url=${receiver.url}/hooks`])
  expect(out).not.toContain('o webhook was sent')
  expect(out).toContain('1 of 1 passed\n')
  expect(code).toBe(0)
})

describe('the scenario of a finding does not pass', () => {
  it('where the receiver begins with what an earlier run left', async () => {
    await using receiver = await openReceiver(bugs['no-deduplication'] as Parts)
    const file = await exploreAndMend(receiver)
    expect((await runInProcess(['play', file])).code).toBe(0)
    receiver.shop.reset = () => {}
    const { code, out } = await runInProcess(['play', file])
    expect(out).toContain('the state is the same before and after the story')
    expect(code).toBe(1)
  })

  it('where the webhook to be disturbed never comes', async () => {
    await using receiver = await openReceiver(bugs['no-deduplication'] as Parts)
    const file = await exploreAndMend(receiver)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"at": 0', '"at": 1'))
    const { code, out } = await runInProcess(['play', file])
    expect(out).toContain('nothing was disturbed: webhook 2 never came')
    expect(code).toBe(1)
  })

  it('where the call to be disturbed is never made', async () => {
    await using receiver = await openReceiver({ ...right, order: async () => 'none' })
    const file = writeStory(WITHOUT_WEBHOOKS, ORDER_STEP)(receiver.url)
    const disturbed = {
      webhookUrl: `${receiver.url}/hooks`,
      reset: `${receiver.url}/reset`,
      state: `${receiver.url}/state`,
      disturbances: [{ kind: 'call', at: 3, how: 'response lost' }],
      expected: { wallet: 1 },
      settleMs: 20,
      audit: { steps: [], end: { transactions: [], logins: 0 } },
    }
    const story = readFileSync(file, 'utf8')
    const more = `disturbed: ${JSON.stringify(disturbed)},\n  async play`
    writeFileSync(file, story.replace('async play', more))
    const { code, out } = await runInProcess(['play', file])
    expect(out).toContain('nothing was disturbed: that call was never made')
    expect(code).toBe(1)
  })
})

it('plays a disturbed call of an earlier version, whose audit has a transaction as each step left it', async () => {
  await using receiver = await openReceiver(withClient('retries-blindly'))
  const { url } = receiver
  const paid = ['funds-received', 'settled'].map(
    (how) => `await control.post('/simulate/transactions/' + id + '/${how}')`,
  )
  const file = writeStory(ORDER_STEP, "step('It completes')", ...paid)(url)
  const order = { id: 'x', leftSideLabel: 'CAD', leftSideValue: 100 }
  const [pending, complete] = ['pending request money transfer', 'complete'].map((status) => {
    return { transactions: [{ ...order, status }], logins: 1 }
  })
  const disturbed = {
    webhookUrl: `${url}/hooks`,
    reset: `${url}/reset`,
    state: `${url}/state`,
    disturbances: [{ kind: 'call', at: 3, how: 'response lost' }],
    expected: { wallet: 70.66 },
    ignore: ['orders'],
    settleMs: 100,
    audit: {
      steps: [
        { title: 'A fresh world', audit: { transactions: [], logins: 0 } },
        { title: 'She orders', audit: pending },
      ],
      end: complete,
    },
  }
  const story = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    story.replace('async play', `disturbed: ${JSON.stringify(disturbed)},\n  async play`),
  )
  const broken = await runInProcess(['play', file])
  expect(broken.out).toContain('orders again')
  expect(broken.code).toBe(1)
  receiver.become(withClient('right'))
  const { out, code } = await runInProcess(['play', file])
  expect(out).toContain('1 of 1 passed\n')
  expect(code).toBe(0)
})

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
  const options = [...toOptions(url), `--secret=${url}/secret`, `--out=${createFolder()}`, ...more]
  const explored = await runInProcess(['explore', story?.(url) ?? PAYMENT, '--json', ...options])
  expect(explored.err).toMatch(/^\d+ runs in/)
  const findings: Found[] = JSON.parse(explored.out).findings
  const isPlayed = (found: Found) => played?.includes(kindOf(found)) ?? true
  const sentences = findings.filter(isPlayed).map(({ sentence }) => sentence)
  const files = findings.filter(isPlayed).map(({ file }) => file)
  const before = await runInProcess(['play', ...files])
  receiver.become(mended)
  const after = await runInProcess(['play', ...files])
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
  expect(after.out).toContain(`${count} of ${count} passed\n`)
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

/** Drops events that it does not expect or that are old, and writes what it read a while ago. */
const hasty: Parts = {
  ...right,
  async take(shop, headers, body) {
    // Undisturbed, the response of the order is always first, even where the process stands still.
    for (let times = 0; times < 10; times++) await shop.pause(3)
    const clock = await fetch(`${shop.place.url}/_sandbox/clock`)
    const { now } = (await clock.json()) as { now: string }
    const { occurredAt, payload } = JSON.parse(body)
    const isKnown = shop.read().orders[payload.transactionId] !== undefined
    const isOld = Date.parse(now) - Date.parse(occurredAt) > 3_600_000
    return isKnown && !isOld ? await right.take.call(this, shop, headers, body) : 204
  },
  async store(shop, eventId, payload) {
    const state = shop.read()
    await shop.pause(40)
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

/** Kinds that are judged in different ways: by the end after a reconciliation, by the end, or by a response. */
const JUDGED_APART = ['lost', 'forged timestamp', 'unknown type']

describe('the scenario of a finding fails until the receiver is mended', {
  timeout: 240_000,
}, () => {
  it('for every mistake of a receiver', async () => {
    const broken = everythingWrong as Parts
    const played = isFullDepth ? undefined : JUDGED_APART
    await expectToFailUntilMended({ broken, played }, [
      'order',
      'doubled',
      'lost',
      'forged timestamp',
      'reworded written differently',
      'unknown type',
      'unknown status',
      'tested',
      'renamed in a step',
      'rotated',
    ])
  })

  it('for a webhook that is refused undisturbed', async () => {
    await expectToFailUntilMended({ broken: bugs['complete-refused'] as Parts }, ['nothing'])
  })

  it('for a back end that orders again', async () => {
    const [broken, mended] = [withClient('retries-blindly'), withClient('right')]
    const story = writeStory(...(isFullDepth ? [] : [WITHOUT_WEBHOOKS]), ORDER_STEP)
    const more = ['--calls']
    await expectToFailUntilMended({ broken, mended, story, more }, ['call response lost'])
  })

  it('for a webhook that comes before the response, after the clock, or with another one', async () => {
    const mended = withClient('right')
    const story = writeStory(ORDER_STEP, LATER_STEPS)
    const played = isFullDepth ? undefined : ['early in a step', 'late']
    const kinds = ['early in a step', 'late', 'together']
    await expectToFailUntilMended({ broken: hasty, mended, story, played }, kinds)
  })
})

it('plays a scenario of an earlier version, whose audit has a transaction as each step left it', async () => {
  await using receiver = await openReceiver(withClient('right'))
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
    disturbances: [{ kind: 'call', at: 0, how: 'additional field' }],
    expected: { wallet: 70.66 },
    ignore: ['orders'],
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
  const { out, code } = await runInProcess(['play', file])
  expect(out).toContain('1 of 1 passed\n')
  expect(code).toBe(0)
})

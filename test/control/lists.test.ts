import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendTo } from '../helpers/app.ts'
import { validKyb } from '../helpers/kyb.ts'
import { logIn } from '../helpers/story.ts'
import { type Control, controlOf, openControl } from './control.ts'

const ALICE = 'alice@example.com'

/** Every list with the name of its rows. */
const LISTS = {
  '/users': 'items',
  '/transactions': 'items',
  '/kyb-submissions': 'items',
  '/events': 'events',
  '/inbox': 'messages',
  '/webhooks/deliveries': 'deliveries',
  '/requests': 'requests',
  '/actions': 'actions',
  '/journal': 'entries',
  '/catch/app/requests': 'requests',
  '/faults': 'items',
  '/settings': 'items',
  '/snapshots': 'items',
  '/worlds': 'items',
  '/scenarios': 'items',
} as const

/** With several rows in each list. */
const filled = openControl()
beforeAll(() => fill(filled))
afterAll(() => filled[Symbol.asyncDispose]())

async function fill({ app, post }: Control) {
  await post('/users', { email: 'bob@example.com', verified: true })
  await post('/users', { email: 'carol@example.com' })
  const alice = await logIn(app)
  for (const cad of [100, 200]) await alice.buy({ leftSideValue: cad })
  for (const name of ['Acme Inc.', 'Bolt Ltd.']) {
    const body = { ...validKyb(), corporation_name: name }
    await sendTo(app, 'POST /submitKYB', { key: 'sandbox-key', body })
  }
  const form = { companyName: 'Acme', email: 'kyb@acme.example' }
  await app.send('/_sandbox/catch/app', { method: 'POST', body: JSON.stringify(form) })
  await app.send('/_sandbox/catch/app', { method: 'PUT', body: 'last' })
  for (const status of [429, 503]) await post('/faults', { on: 'api', then: { status } })
  await post('/faults', { on: 'api', match: { operation: 'createQuote' }, then: { delay: '2s' } })
  for (const name of ['before-sell', 'after-sell']) await post('/snapshots', { name })
  await controlOf(app.world('worker-1')).get('/health')
}

it.each(Object.entries(LISTS))(
  'the list %s of the control API returns only its last rows with the parameter last',
  async (path, name) => {
    const all = (await filled.get(path))[name]
    expect(all.length).toBeGreaterThan(1)
    const page = await filled.get(`${path}?last=1`)
    expect([page[name], page.total]).toEqual([all.slice(-1), all.length])
    if (page.cursor === undefined) return
    const next = await filled.get(`${path}?last=1&after=${page.cursor}`)
    expect([page.more, next[name]]).toEqual([false, []])
  },
)

it.each([
  ['/users', 'BOB@', 1],
  ['/transactions', ALICE, 2],
  ['/kyb-submissions', 'bolt', 1],
  ['/events', 'transaction.update', 2],
  ['/inbox', 'login code', 1],
  ['/webhooks/deliveries', 'suppressed', 3],
  ['/requests', '/v2/transactions', 2],
  ['/actions', 'carol', 1],
  ['/journal', 'carol', 1],
  ['/catch/app/requests', 'acme', 1],
  ['/faults', '503', 1],
  ['/settings', 'webhook timeout', 1],
  ['/snapshots', 'sell', 2],
  ['/worlds', 'worker', 1],
  ['/scenarios', 'sell-expires', 1],
] as const)(
  'the list %s of the control API finds the rows that contain %s by the parameter q',
  async (path, text, count) => {
    const rows = (await filled.get(`${path}?q=${encodeURIComponent(text)}`))[LISTS[path]]
    expect(rows).toHaveLength(count)
    const last = await filled.get(`${path}?q=${encodeURIComponent(text)}&last=1`)
    expect(last[LISTS[path]]).toEqual(rows.slice(-1))
    expect(last.total).toBe(count)
  },
)

it('every list of the control API waits for a row that contains q', async () => {
  await using control = openControl()
  const waiting = control.get('/events?q=carol&timeout=10s')
  await control.post('/users', { email: 'carol@example.com', verified: true })
  expect(await waiting).toMatchObject({ matched: true, events: [{ status: 'verified' }] })
})

import { describe, expect, it } from 'vitest'
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

/** A world with several rows in each list. */
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

describe('every list of the control API', () => {
  it.each(Object.entries(LISTS))('returns the last rows of %s with last', async (path, name) => {
    await using control = openControl()
    await fill(control)
    const all = (await control.get(path))[name]
    expect(all.length).toBeGreaterThan(1)
    const page = await control.get(`${path}?last=1`)
    expect([page[name], page.total]).toEqual([all.slice(-1), all.length])
    if (page.cursor === undefined) return
    const next = await control.get(`${path}?last=1&after=${page.cursor}`)
    expect([page.more, next[name]]).toEqual([false, []])
  })

  it.each([
    ['/users', 'BOB@', 1],
    ['/transactions', ALICE, 2],
    ['/transactions', 'pending request', 2],
    ['/kyb-submissions', 'bolt', 1],
    ['/events', 'transaction.update', 2],
    ['/events', ALICE, 2],
    ['/inbox', 'login code', 1],
    ['/webhooks/deliveries', 'suppressed', 3],
    ['/requests', '/v2/transactions', 2],
    ['/requests', 'no such text', 0],
    ['/actions', 'carol', 1],
    ['/journal', 'carol', 1],
    ['/catch/app/requests', 'acme', 1],
    ['/faults', '503', 1],
    ['/faults', 'createquote', 1],
    ['/faults', 'WAITS', 1],
    ['/settings', 'webhook timeout', 1],
    ['/snapshots', 'sell', 2],
    ['/snapshots', 'before', 1],
    ['/worlds', 'worker', 1],
    ['/worlds', 'verified-user', 2],
    ['/scenarios', 'sell-expires', 1],
  ] as const)('returns the rows of %s that contain %s with q', async (path, text, count) => {
    await using control = openControl()
    await fill(control)
    const rows = (await control.get(`${path}?q=${encodeURIComponent(text)}`))[LISTS[path]]
    expect(rows).toHaveLength(count)
    const last = await control.get(`${path}?q=${encodeURIComponent(text)}&last=1`)
    expect(last[LISTS[path]]).toEqual(rows.slice(-1))
    expect(last.total).toBe(count)
  })

  it('waits for a row that contains q', async () => {
    await using control = openControl()
    const waiting = control.get('/events?q=carol&timeout=10s')
    await control.post('/users', { email: 'carol@example.com', verified: true })
    expect(await waiting).toMatchObject({ matched: true, events: [{ status: 'verified' }] })
  })
})

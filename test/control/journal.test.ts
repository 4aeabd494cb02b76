import { describe, expect, it } from 'vitest'
import { logIn } from '../helpers/story.ts'
import { type Control, openControl } from './control.ts'

const LISTS = {
  requests: '/requests',
  actions: '/actions',
  events: '/events',
  messages: '/inbox',
  deliveries: '/webhooks/deliveries',
}

type Row = Record<'id' | 'cursor', string> & { cause?: { id: string } | null }

/** All entries of a world, in the order of their positions. */
async function readJournal({ get }: Control): Promise<Row[]> {
  const entries: Row[] = []
  for (const [name, path] of Object.entries(LISTS)) entries.push(...(await get(path))[name])
  return entries.sort((a, b) => Number(a.cursor) - Number(b.cursor))
}

const kindsOf = (entries: readonly Row[]) => entries.map(({ id }) => id.split('_', 1)[0])
const lastOf = (entries: readonly Row[]) => Number(entries.at(-1)?.cursor)

async function buyAndSettle({ app, post }: Control) {
  const { id } = await (await logIn(app)).buy()
  await post(`/simulate/transactions/${id}/settled`, { through: true })
}

describe('the journal', () => {
  it('puts calls, actions and what they cause into one order', async () => {
    await using control = openControl()
    const alice = await logIn(control.app)
    const before = lastOf(await readJournal(control))
    const { id } = await alice.buy()
    await control.post(`/simulate/transactions/${id}/funds-received`)
    const entries = (await readJournal(control)).filter(({ cursor }) => Number(cursor) > before)
    expect(kindsOf(entries)).toEqual(['req', 'req', 'msg', 'evt', 'dlv', 'act', 'evt', 'dlv'])
    const [, call, ...rest] = entries
    const causes = rest.map(({ cause }) => cause?.id)
    expect(causes).toEqual([...Array(3).fill(call?.id), undefined, ...Array(2).fill('act_1')])
  })

  it('never gives a position twice: not after a reset, a restore or an import', async () => {
    await using control = openControl()
    const { get, post, put } = control
    await buyAndSettle(control)
    await post('/snapshots', { name: 'early' })
    const early = await get('/state')
    await buyAndSettle(control)
    let last = lastOf(await readJournal(control))
    const changes = [
      () => post('/snapshots/early/restore'),
      () => post('/reset'),
      () => put('/state', early),
    ]
    for (const change of changes) {
      await change()
      const { id: newest } = await (await logIn(control.app)).buy()
      const { events } = await get(`/events?after=${last}&ref=${newest}`)
      expect(events).toHaveLength(1)
      expect(Number(events[0].cursor)).toBeGreaterThan(last)
      last = lastOf(await readJournal(control))
    }
  })

  it('lets a reader from before a reset read on with its cursor, and misses nothing new', async () => {
    await using control = openControl()
    await buyAndSettle(control)
    const { cursor } = await control.get('/events')
    await control.post('/reset')
    await buyAndSettle(control)
    const { events } = await control.get('/events')
    expect((await control.get(`/events?after=${cursor}`)).events).toEqual(events)
    expect(events.length).toBeGreaterThan(0)
  })
})

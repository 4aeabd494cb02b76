import { expect, it } from 'vitest'
import { openControl } from './control.ts'
import { openLive } from './live.ts'
import { readSse } from './sse.ts'

it('the journal lists calls, actions, messages and webhooks in the order in which they completed', async () => {
  await using control = openControl()
  await control.post('/simulate/users/alice@example.com/kyc', { status: 'in-review' })
  await control.app.send('/v2/users', { headers: { 'x-api-key': 'sandbox-key' } })
  const { entries } = await control.get('/journal')
  const kinds = entries.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual(['delivery', 'delivery', 'message', 'action', 'request'])
  expect(entries.at(-1)).toMatchObject({ failed: true, row: { id: 'req_1', status: 400 } })
  expect((await control.get('/journal?failed=true')).entries).toEqual(entries.slice(-1))
  expect((await control.get('/journal?kind=action')).entries).toEqual([entries[3]])
  expect((await control.get('/journal?q=IN-REVIEW&last=1')).total).toBe(3)
  const { cursor } = entries[2]
  expect((await control.get(`/journal?after=${cursor}`)).entries).toEqual(entries.slice(3))
})

it('the event stream goes on from the cursor of the journal', async () => {
  await using live = await openLive()
  await live.post('/simulate/users/alice@example.com/kyc', { status: 'in-review' })
  const { cursor } = await live.get('/journal?last=1')
  await live.post('/clock/freeze')
  const headers = { 'last-event-id': `f${cursor}` }
  const path = '/_sandbox/events/stream?only=action&as=listen'
  const reader = readSse(await fetch(live.url + path, { headers }))
  expect((await reader.next()).data.operation).toBe('freezeClock')
  expect((await live.get('/info')).counts.listeners).toBe(1)
  await reader.close()
})

import { expect, it, onTestFinished } from 'vitest'
import { connectSandbox, createReceiver, createSandbox, type Sandbox } from '../../src/index.ts'
import { ALICE, buy } from './buy.ts'

const PENDING = 'pending request money transfer'
const PROCESSING = 'processing request money transfer'

async function start(): Promise<Sandbox> {
  const clock = '2026-07-01T12:00:00Z'
  const sandbox = await createSandbox({ fixture: 'verified-user', clock })
  onTestFinished(() => sandbox.close())
  return connectSandbox(sandbox.url)
}

const askForCode = (sandbox: Sandbox) =>
  sandbox.fetch('/v2/auth/login-codes', {
    method: 'POST',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: ALICE }),
  })

it('events.next responds the moment the event is there', async () => {
  const sandbox = await start()
  const id = await buy(sandbox)
  const waiting = sandbox.events.next({ ref: id, status: 'complete' }, { timeout: '60s' })
  const seen = await sandbox.events.next({ ref: id })
  expect(seen.status).toBe(PENDING)
  await sandbox.simulate.settled(id, { through: true })
  expect((await waiting).status).toBe('complete')
})

it('events.next finds events from before the call, whatever order it asks for them in', async () => {
  const sandbox = await start()
  const id = await buy(sandbox)
  await sandbox.simulate.settled(id, { through: true })
  const expected = ['complete', PENDING, PROCESSING] as const
  for (const status of expected) {
    expect((await sandbox.events.next({ ref: id, status })).status).toBe(status)
  }
})

it('events.next returns each event once, even to many who wait at the same time', async () => {
  const sandbox = await start()
  const waiting = [1, 2, 3].map(() => sandbox.events.next({ type: 'transaction.update' }))
  const bought = [await buy(sandbox), await buy(sandbox), await buy(sandbox)]
  const refs = (await Promise.all(waiting)).map(({ ref }) => ref)
  expect(refs.sort()).toEqual(bought.sort())
})

it('events.next starts over after a reset, even though its events have the same ids', async () => {
  const sandbox = await start()
  const first = await buy(sandbox)
  await sandbox.events.next({ ref: first })
  await sandbox.reset()
  const again = await buy(sandbox)
  expect(again).toBe(first)
  await sandbox.events.next({ ref: again })
})

it('events.next goes on when somebody else resets the world', async () => {
  const sandbox = await start()
  const other = connectSandbox(sandbox.url)
  const id = await buy(sandbox)
  await sandbox.simulate.settled(id, { through: true })
  await sandbox.events.next({ status: 'complete' })
  const waiting = sandbox.events.next({ status: 'complete' })
  await sandbox.events.list()
  await other.reset()
  await buy(other)
  await other.simulate.settled(id, { through: true })
  expect((await waiting).ref).toBe(id)

  await other.reset()
  await buy(other)
  await other.clock.advance('1h')
  expect((await sandbox.events.next({ status: 'expired' })).ref).toBe(id)
})

it('events.skip makes events.next leave out what others caused before', async () => {
  const sandbox = await start()
  await buy(sandbox)
  const other = connectSandbox(sandbox.url)
  await other.events.skip()
  const id = await buy(other)
  expect((await other.events.next()).ref).toBe(id)
  await askForCode(sandbox)
  await sandbox.inbox.skip()
  await expect(sandbox.inbox.loginCode(ALICE, { timeout: 0 })).rejects.toThrow('No message')
})

it('events.next says when the only match had been returned before', async () => {
  const sandbox = await start()
  const ref = await buy(sandbox)
  await sandbox.events.next({ ref })
  const missed = (filter: object) => sandbox.events.next({ ref, ...filter }, { timeout: 0 })
  await expect(missed({})).rejects.toThrow(
    'No new event matched within 0 ms. The event that matched had already been returned.',
  )
  await expect(missed({ where: () => false })).rejects.toThrow(
    'The event that matched had already been returned, or was rejected by where.',
  )
  await sandbox.simulate.cancelled(ref)
  await expect(missed({ where: () => false })).rejects.toThrow(
    'The 2 events that matched had already been returned, or were rejected by where.',
  )
})

it('events.next ends when the sandbox is closed', async () => {
  const sandbox = await start()
  const waiting = sandbox.events.next({ status: 'complete' })
  await sandbox.close()
  await expect(waiting).rejects.toMatchObject({ code: 'closed' })
})

it('events.stream yields every event that matches until it is left or aborted', async () => {
  const sandbox = await start()
  const id = await buy(sandbox)
  const leave = new AbortController()
  const statuses: string[] = []
  for await (const event of sandbox.events.stream({ ref: id })) {
    statuses.push(event.status)
    if (event.status === PENDING) void sandbox.simulate.settled(id, { through: true })
    if (event.status === 'complete') break
  }
  expect(statuses).toEqual([PENDING, PROCESSING, 'complete'])

  const aborted = (async () => {
    for await (const _ of sandbox.events.stream({ status: 'expired' }, { signal: leave.signal }));
  })()
  leave.abort()
  await expect(aborted).rejects.toThrow('abort')
})

it('inbox gives the newest login code, and after another request the next', async () => {
  const sandbox = await start()
  const ask = () => askForCode(sandbox)
  const waiting = sandbox.inbox.loginCode(ALICE)
  await ask()
  const first = await waiting
  const next = sandbox.inbox.loginCode(ALICE)
  await ask()
  await ask()
  const { messages } = await sandbox.control<{ messages: { code: string }[] }>('GET', '/inbox')
  const codes = messages.map(({ code }) => code)
  expect(codes[0]).toBe(first)
  expect(codes.slice(1)).toContain(await next)
  await ask()
  await ask()
  const [newest] = (await sandbox.inbox.list({ email: ALICE })).slice(-1)
  expect(await sandbox.inbox.loginCode(ALICE)).toBe(newest?.code)
})

it('a receiver that times out says which of the received requests it is listing', async () => {
  await using receiver = await createReceiver()
  for (let n = 1; n <= 7; n++) await fetch(receiver.url, { method: 'POST', body: `${n}` })
  const waiting = receiver.next(() => false, 1)
  await expect(waiting).rejects.toThrow(/; 7 arrived; the last 5:\nPOST \/ 3\n/)
  for (let n = 1; n <= 6; n++) await receiver.next()
  await expect(receiver.next(() => false, 1)).rejects.toThrow(
    /; 7 arrived, 6 already returned:\nPOST \/ 7$/,
  )
  await receiver.next()
  await expect(receiver.next(undefined, 1)).rejects.toThrow(/; 7 arrived, 7 already returned\.$/)
})

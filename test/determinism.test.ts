import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../src/client/receiver.ts'
import { createWorlds } from '../src/host/worlds.ts'
import { appOf, KEY, KEY_2, NOON, type TestApp } from './helpers/app.ts'
import {
  expire,
  logIn,
  PROFILE,
  receiveFunds,
  register,
  review,
  settle,
  verifiedUser,
} from './helpers/story.ts'

interface Transcript {
  /** Each v2 call with its whole response. */
  calls: string[]
  /** The body of each webhook, as it came. */
  webhooks: string[]
  ids: string[]
}

let receiver: Receiver
beforeAll(async () => {
  receiver = await createReceiver()
})
afterAll(() => receiver.close())

/** Plays one long story and collects every byte of it. */
async function play(seed?: string): Promise<Transcript> {
  const worlds = createWorlds({ clock: NOON, seed })
  const calls: string[] = []
  const before = receiver.received.length
  const app = appOf(
    async (request) => {
      const response = await worlds.fetch(request)
      const { status, headers } = response
      const heard = `${status} ${JSON.stringify([...headers])} ${await response.clone().text()}`
      if (request.url.includes('/v2/')) calls.push(`${request.method} ${request.url} ${heard}`)
      return response
    },
    '',
    () => worlds.close(),
  )
  const ids = await live(app)
  await app.control('POST', '/webhooks/drain')
  const webhooks = receiver.received.slice(before).map(({ body }) => body)
  await app.close()
  return { calls, webhooks, ids }
}

/** Every operation of v2, refusals too, over two days. */
async function live(app: TestApp): Promise<string[]> {
  const ids: string[] = []
  for (const [name, key] of Object.entries({ first: KEY, second: KEY_2 })) {
    const body = { url: `${receiver.url}/${name}` }
    const { signingSecret = '' } = await app.call('PUT /v2/webhook-configurations', { key, body })
    const rotated = await app.call('POST /v2/webhook-configurations/signing-secret/rotate', {
      key,
    })
    ids.push(signingSecret, rotated.signingSecret)
  }
  const bobId = await register(app, { email: 'é漢🙂@example.com', profile: {} })
  await app.call('PATCH /v2/users/{userId}', { path: { userId: bobId }, body: PROFILE })
  const link = await app.call('GET /v2/users/{userId}/kyc-url', { path: { userId: bobId } })
  await review(app, bobId, 'rejected')
  await app.refused('POST /v2/auth/login-codes', { body: { email: 'é漢🙂@example.com' } })
  const alice = await verifiedUser(app)
  ids.push(bobId, alice.id, new URL(link.url).pathname.split('/').at(-1) ?? '')
  const bought = await alice.buy({ leftSideValue: 1000, externalSessionId: 'session-1' })
  const sold = await alice.sell({ leftSideLabel: 'USDC-SOL', leftSideValue: 50 })
  const third = await alice.buy({ rightSideLabel: 'CADC-BASE' })
  await alice.refusedBuy()
  await app.advance('10m')
  await receiveFunds(app, bought.id)
  await settle(app, bought.id)
  await alice.cancel(third.id)
  const done = await alice.read(bought.id)
  await expire(app, (await alice.buy()).id)
  await app.advance('2d')
  const later = await logIn(app)
  await later.call('GET /v2/transactions')
  await later.call('GET /v2/limits')
  const tested = await app.call('POST /v2/webhook-configurations/test')
  ids.push(
    ...[bought, sold, third].flatMap(({ id, rmtId, depositAddress }) => [
      id,
      rmtId,
      depositAddress,
    ]),
  )
  ids.push(done.paymentId ?? '', tested.eventId)
  return ids.filter((id) => id !== '')
}

it('repeats the same story in the same bytes', async () => {
  const first = await play()
  expect(first.webhooks.length).toBeGreaterThan(9)
  expect(await play()).toEqual(first)
})

it('gives other ids to another seed', async () => {
  const [first, second] = [await play('one'), await play('two')]
  expect(new Set([...first.ids, ...second.ids]).size).toBe(first.ids.length + second.ids.length)
})

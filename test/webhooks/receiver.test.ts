import { expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'

const post = ({ url }: Receiver, body: string, path = '/hooks?key=1') =>
  fetch(url + path, { method: 'POST', headers: { 'X-Test': 'Yes' }, body })

it('a receiver keeps what arrived, as text, as bytes and parsed', async () => {
  await using receiver = await createReceiver()
  const response = await post(receiver, '{"name":"zoé 漢🙂"}')
  expect(response.status).toBe(200)
  expect(receiver.received).toHaveLength(1)
  const [request] = receiver.received
  expect(request).toMatchObject({
    method: 'POST',
    path: '/hooks?key=1',
    json: { name: 'zoé 漢🙂' },
  })
  expect(request?.headers['x-test']).toBe('Yes')
  expect(request?.bytes).toEqual(Buffer.from('{"name":"zoé 漢🙂"}'))
  expect(request?.body).toBe('{"name":"zoé 漢🙂"}')
})

it('a receiver responds with a status, with a whole response, or with what a function returns', async () => {
  await using receiver = await createReceiver({ respond: 204 })
  expect((await post(receiver, '')).status).toBe(204)
  receiver.respondWith({ status: 301, headers: { 'x-more': 'a' }, body: 'moved' })
  const more = await fetch(receiver.url, { redirect: 'manual' })
  expect([more.status, more.headers.get('x-more'), await more.text()]).toEqual([301, 'a', 'moved'])
  receiver.respondWith(async ({ body }) => (body === 'good' ? 202 : 422))
  expect((await post(receiver, 'good')).status).toBe(202)
  expect((await post(receiver, 'bad')).status).toBe(422)
  receiver.respondWith(undefined)
  expect((await post(receiver, '')).status).toBe(200)
})

it('a receiver returns each request once, whether it arrived before or arrives later', async () => {
  await using receiver = await createReceiver()
  await post(receiver, 'first')
  await post(receiver, 'second')
  expect((await receiver.next()).body).toBe('first')
  const waiting = receiver.next(({ body }) => body === 'third')
  expect((await receiver.next()).body).toBe('second')
  const after = receiver.next()
  await post(receiver, 'third')
  await post(receiver, 'fourth')
  expect((await waiting).body).toBe('third')
  expect((await after).body).toBe('fourth')
})

it('a receiver closes while somebody waits and while it hangs', async () => {
  const receiver = await createReceiver({ respond: () => new Promise(() => undefined) })
  const hanging = expect(post(receiver, '')).rejects.toThrow()
  await receiver.next()
  const waiting = expect(receiver.next()).rejects.toThrow('The receiver was closed.')
  await receiver.close()
  await Promise.all([hanging, waiting])
  await receiver.close()
})

it('next of a receiver says which value is not a length of time', async () => {
  await using receiver = await createReceiver()
  const waiting = receiver.next(undefined, { timeout: 10 } as never)
  await expect(waiting).rejects.toThrow(/^timeout must be .+, not \{"timeout":10\}\.$/)
})

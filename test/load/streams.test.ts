import { expect, it } from 'vitest'
import { createFeed, type FeedEntry } from '../../src/engine/feed.ts'
import { createWorlds } from '../../src/host/worlds.ts'
import { createEventStream } from '../../src/http/control/stream.ts'

const STREAMS = 500
const CALLS = 300

it('hundreds of streams leave most of the time to other calls', async () => {
  const worlds = createWorlds({ clock: 'frozen' })
  const call = async () => {
    const headers = { 'x-api-key': 'sandbox-key' }
    const answer = await worlds.fetch(new Request('http://127.0.0.1/v2/users?email=a', { headers }))
    await answer.text()
    // As between two calls that come over a socket.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const measure = async () => {
    const startedAt = performance.now()
    for (let i = 0; i < CALLS; i++) await call()
    return performance.now() - startedAt
  }
  await measure()
  const aloneMs = await measure()
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const url = 'http://127.0.0.1/_sandbox/events/stream'
      const { body } = await worlds.fetch(new Request(url))
      if (body === null) throw new Error('no stream')
      const reader = body.getReader()
      const ended = (async () => {
        while (!(await reader.read()).done);
      })()
      return { reader, ended }
    }),
  )
  // The best of three, as other work on the machine counts in.
  const besideMs = Math.min(await measure(), await measure(), await measure())
  expect(besideMs / aloneMs).toBeLessThan(5)
  for (const { reader } of streams) await reader.cancel()
  await Promise.all(streams.map(({ ended }) => ended))
  await worlds.close()
})

it('what readers of a kind see is rendered once, in the order in which it happened', async () => {
  const feed = createFeed()
  let rendered = 0
  const render = ({ position }: FeedEntry) => {
    rendered++
    return `${position} `
  }
  const { signal } = new AbortController()
  const open = () => createEventStream({ feed, signal, position: 0, readers: 'all', render })
  const texts = Array.from({ length: 20 }, () => readUntil(open(), ' 1000 '))
  for (let i = 0; i < 1_000; i++) {
    feed.add('clock')
    if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  // A reader who comes late catches up with the others.
  texts.push(readUntil(open(), ' 1000 '))
  const expected = Array.from({ length: 1_000 }, (_, i) => `${i + 1} `).join('')
  for (const text of await Promise.all(texts)) expect(text).toBe(`retry: 1000\n\n${expected}`)
  expect(rendered).toBe(1_000)
})

/** The text of a stream up to its end, which is given. */
async function readUntil(stream: ReadableStream<Uint8Array>, end: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stream) {
    text += decoder.decode(bytes)
    if (text.endsWith(end)) break
  }
  return text
}

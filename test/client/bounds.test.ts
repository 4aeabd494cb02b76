import { expect, it, onTestFinished } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { listen } from '../../src/host/server.ts'
import { Worlds } from '../../src/host/worlds.ts'
import { connectSandbox } from '../../src/index.ts'
import { runInProcess } from '../helpers/in-process.ts'

/** A sandbox in which something happens before each of its lists is read. */
async function openBusy(reads: { max: number }) {
  const worlds = new Worlds({ clock: 'frozen' })
  const call = (path: string, body: object) => {
    const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return worlds.fetch(new Request(`http://127.0.0.1${path}`, init))
  }
  let count = 0
  const server = await listen({
    port: 0,
    async fetch(request) {
      if (++count > reads.max) return new Response(null, { status: 508 })
      await call('/v2/users', { email: `api${count}@example.com` })
      await call('/_sandbox/users', { email: `user${count}@example.com`, verified: true })
      return worlds.fetch(request)
    },
  })
  onTestFinished(async () => {
    await server.close()
    await worlds.close()
  })
  return connectSandbox(server.url)
}

async function serve(body: string, status = 200): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-sandbox-version': '1.0.0' }
  const receiver = await createReceiver({ respond: { status, body, headers } })
  onTestFinished(() => receiver.close())
  return receiver.url
}

it.each(['requests', 'actions', 'events', 'inbox'] as const)(
  'the client stops at the end that the list of %s had at first, even if rows arrive faster than they are read',
  async (name) => {
    const sandbox = await openBusy({ max: 5 })
    expect((await sandbox[name].list()).length).toBeGreaterThan(0)
  },
)

it('the text of a server reaches the terminal without control characters', async () => {
  const events = [{ at: 'now', type: 'user.update', ref: '\u001b[2J\u202eid', status: '\u009bx' }]
  const url = await serve(JSON.stringify({ events: [], cursor: '0', matched: false }))
  expect((await runInProcess(['events', '--url', url])).out).toBe('')
  const body = JSON.stringify({ status: events[0]?.ref, version: events[0]?.status })
  const { out } = await runInProcess(['health', '--url', await serve(body)])
  expect(out).toBe('status   \ufffd[2J\ufffdid\nversion  \ufffdx\n')
  const json = await runInProcess(['health', '--json', '--url', await serve(body)])
  expect(JSON.parse(json.out)).toEqual(JSON.parse(body))
  expect(json.out).not.toMatch(/[\u202e\u009b]/)
})

it.each(['play buy-completes', 'logs', 'user list'])(
  'the text of a server reaches the terminal without control characters in an error of %s',
  async (words) => {
    const problem = {
      status: 400,
      code: 'invalid',
      title: '\u001b[2J',
      detail: '\u009bx',
      hint: '\u202eid',
    }
    const url = await serve(JSON.stringify(problem), 400)
    const { code, out, err } = await runInProcess([...words.split(' '), '--url', url])
    expect(code).toBeGreaterThan(0)
    expect(err).toContain('\ufffd')
    for (const char of ['\u001b', '\u009b', '\u202e']) expect(out + err).not.toContain(char)
  },
)

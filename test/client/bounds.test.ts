import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { connectSandbox } from '../../src/index.ts'
import { runInProcess } from '../helpers/in-process.ts'

async function serve(body: string, status = 200): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const receiver = await createReceiver({ respond: { status, body, headers } })
  onTestFinished(() => receiver.close())
  return receiver.url
}

describe('what a client reads of a server', () => {
  it('ends at 16 MiB, with a sentence', async () => {
    const url = await serve(`"${'x'.repeat(16 * 1024 * 1024)}"`)
    await expect(connectSandbox(url).clock.read()).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('longer than 16 MiB'),
    })
    const { code, err } = await runInProcess(['clock', '--url', url])
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('16 MiB') })
  })

  it('ends at a hundred levels', async () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const shallow = connectSandbox(await serve(nested(100)))
    expect(await shallow.control('GET', '/info')).toMatchObject({ a: {} })
    const deep = connectSandbox(await serve(nested(101)))
    await expect(deep.control('GET', '/info')).rejects.toThrow('deeper than 100 levels')
  })

  it('ends with the client, also in the middle of a body', async () => {
    const server = createServer((_, response) => response.writeHead(200).write('{'))
    onTestFinished(() => void server.close().closeAllConnections())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const sandbox = connectSandbox(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const asked = once(server, 'request')
    const reading = expect(sandbox.info()).rejects.toMatchObject({ code: 'closed' })
    await asked
    await setTimeout(50)
    await sandbox.close()
    await reading
  })

  it('reaches the terminal without what could steer it', async () => {
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
    'reaches the terminal without what could steer it as an error of %s, too',
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
})

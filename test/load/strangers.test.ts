import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { endCommands, startSandbox } from '../helpers/command.ts'
import { isFullDepth } from '../helpers/depth.ts'

afterAll(endCommands)

const STREAMS = isFullDepth ? 1_000 : 300
/** Their bodies alone would fill the heap. */
const CATCH_POSTS = 90
const MEBIBYTE = 1024 * 1024
const TOKEN = 'a-token-of-the-owner'

it('streams give their descriptors back as soon as their world ends', {
  timeout: 60_000,
}, async () => {
  const { process: child, ready } = await startSandbox()
  await fetch(`${ready.url}/w/one/_sandbox/info`)
  const descriptors = () => readdirSync(`/proc/${child.pid}/fd`).length
  const before = descriptors()
  let opened = 0
  const sockets = Array.from({ length: STREAMS }, () => {
    const socket = connect(ready.port, '127.0.0.1')
    socket.once('data', () => opened++)
    socket.on('error', () => undefined)
    socket.resume()
    socket.write('GET /w/one/_sandbox/events/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return socket
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await vi.waitFor(() => expect(opened).toBe(STREAMS), 20_000)
  expect(descriptors()).toBeGreaterThan(before + STREAMS - 1)
  await fetch(`${ready.url}/_sandbox/worlds/one`, { method: 'DELETE' })
  await vi.waitFor(() => expect(descriptors()).toBeLessThan(before + 20), 5_000)
})

it('catches that are filled leave a small heap room', {
  timeout: 120_000,
}, async () => {
  const { process: child, ready } = await startSandbox(['--control-token', TOKEN], {
    env: { NODE_OPTIONS: '--max-old-space-size=90' },
  })
  const body = Buffer.alloc(MEBIBYTE, 'x')
  const statuses = new Set<number>()
  for (let i = 0; i < CATCH_POSTS; i++) {
    const sent = await fetch(`${ready.url}/_sandbox/catch/c${i % 100}`, { method: 'POST', body })
    statuses.add(sent.status)
    await sent.arrayBuffer()
  }
  expect([...statuses]).toEqual([200])
  const created = await fetch(`${ready.url}/v2/users`, {
    method: 'POST',
    headers: { 'x-api-key': ready.apiKey, 'content-type': 'application/json' },
    body: '{"email":"new@example.com"}',
  })
  expect(created.status).toBe(200)
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const made = await fetch(`${ready.url}/_sandbox/worlds`, { method: 'POST', headers, body: '{}' })
  expect(made.status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

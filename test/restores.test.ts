import { once } from 'node:events'
import { afterAll, expect, it } from 'vitest'
import { endCommands, startCommand } from './helpers/command.ts'

afterAll(endCommands)

const USERS = 2_000
/** A world takes over 1 MB, so that not so many fit into the heap. */
const RESTORES = 80

it('a process with a small heap restores a snapshot as often as it is asked to', {
  timeout: 60_000,
}, async () => {
  const env = { NODE_OPTIONS: '--max-old-space-size=64' }
  const args = ['start', '--port', '0', '--json', '--clock', 'frozen']
  const { process: child, says } = startCommand(args, { env })
  const [, url] = await says(/"url":"([^"]+)"/)
  const post = async (path: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const { status } = await fetch(`${url}/_sandbox${path}`, init)
    return status
  }
  const emails = Array.from({ length: USERS }, (_, i) => `u${i}@example.com`)
  await post('/reset', {
    fixture: { users: emails.map((email) => ({ email, status: 'verified' })) },
  })
  await post('/snapshots', { name: 'start' })
  const statuses = new Set<number>()
  for (let i = 0; i < RESTORES; i++) {
    // Its webhook outlives the world that it is about.
    statuses.add(await post(`/simulate/users/${emails[0]}/buy`, { cad: 100 }))
    statuses.add(await post('/snapshots/start/restore'))
  }
  expect([...statuses]).toEqual([200])
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

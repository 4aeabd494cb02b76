import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectSandbox } from '../src/client/connect.ts'
import { type Listening, listen } from '../src/host/server.ts'
import { Worlds } from '../src/host/worlds.ts'
import { endCommands, startCommand } from './helpers/command.ts'
import { runInProcess } from './helpers/in-process.ts'

const ANA = 'ana@example.com'

let worlds: Worlds
let server: Listening

beforeAll(async () => {
  worlds = new Worlds({ clock: '2026-07-01T12:00:00Z' })
  server = await listen({ fetch: worlds.fetch, port: 0 })
})
beforeEach(() => ramp('reset'))
afterAll(async () => {
  endCommands()
  await server.close()
  await worlds.close()
})

const ramp = (...args: string[]) => runInProcess(args, { RAMP_SANDBOX_URL: server.url })

/** A call of the app: the sandbox is what makes it fail. */
const callApi = (path: string, init?: RequestInit) =>
  fetch(server.url + path, { ...init, headers: { 'x-api-key': 'sandbox-key' } })

const idIn = (out: string) => /[0-9a-f-]{36}/.exec(out)?.[0] ?? ''

describe('what a new user does, by commands alone', () => {
  it('registers a user and verifies it, as a refused buy proposes', async () => {
    const { err } = await ramp('buy', ANA, '100')
    expect(err).toContain(`There is no user ${ANA}.`)
    const [, proposed = ''] = /ramp-sandbox (user add .*) creates/.exec(err) ?? []
    expect((await ramp(...proposed.split(' '))).out).toContain(`${ANA}  verified`)
    await ramp('user', 'add', 'bob@example.com', '--first-name', 'Bob')
    const { err: refused } = await ramp('buy', 'bob@example.com', '100')
    expect(refused).toContain('ramp-sandbox user kyc bob@example.com verified')
    await ramp('user', 'kyc', 'bob@example.com', 'verified')
    expect((await ramp('buy', 'bob@example.com', '100', '--settle')).out).toContain('complete')
  })

  it('buys, and lets the transaction expire', async () => {
    await ramp('user', 'add', ANA, '--verified')
    const id = idIn((await ramp('buy', ANA, '100')).out)
    expect((await ramp('clock', 'next')).out).toContain(`expire-transaction  ${id}`)
    expect((await ramp('tx', id)).out).toMatch(/^status +expired$/m)
    const other = idIn((await ramp('buy', ANA, '100')).out)
    await ramp('tx', other, 'funds-received')
    expect((await ramp('tx', other, 'settled')).out).toContain('→ complete')
  })

  it('makes the next call fail with 503 exactly once', async () => {
    await ramp('fault', 'add', 'api', '--operation', 'findUsers', '--status', '503')
    const statuses = [1, 2].map(async () => (await callApi(`/v2/users?email=${ANA}`)).status)
    expect((await Promise.all(statuses)).sort()).toEqual([200, 503])
    expect((await ramp('fault', 'list')).out).toMatch(/^fault_1 .* responds 503 .* 1 +0 +1 +1$/m)
    expect((await ramp('fault', 'add', 'webhook', '--status', 'complete', '--drop')).code).toBe(0)
    const { code, err } = await ramp('fault', 'add', 'api', '--drop')
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('--drop') })
  })

  it('sees why the last call was refused', async () => {
    const none = await ramp('explain')
    expect(none).toMatchObject({ code: 1, out: '' })
    expect(await ramp('explain', '--json')).toEqual(none)
    const refused = await callApi('/v2/users')
    const { out } = await ramp('explain')
    expect(out).toContain(refused.headers.get('x-sandbox-request'))
    expect(out).toMatch(/email is required.*\n(.*\n)*contract: /)
    expect((await ramp('explain', 'req_1')).out).toBe(out.replace('  (the last refused call)', ''))
  })

  it('points webhooks at an app, and resends one', async () => {
    await ramp('webhook', 'set', `${server.url}/_sandbox/catch/app`)
    expect((await ramp('webhook', 'secret')).out).toMatch(/^main +signed with whsec_\w+ +http\S+$/m)
    expect((await ramp('webhook', 'test')).out).toMatch(
      /user\.update {2}verified .*: delivered 200/,
    )
    await ramp('user', 'add', ANA, '--verified')
    const [, id = ''] = /(dlv_\d+) .*user\.update/.exec((await ramp('deliveries')).out) ?? []
    await ramp('webhook', 'resend', id, '--mutate', 'signature')
    const again = /: delivered 200.*: .*It repeats dlv_\d+\.\n/
    expect((await ramp('deliveries')).out).toMatch(again)
  })

  it('goes back to a snapshot', async () => {
    await ramp('user', 'add', ANA, '--verified')
    await ramp('snapshot', 'take', 'before')
    await ramp('buy', ANA, '100')
    await ramp('snapshot', 'restore', 'before')
    expect((await ramp('tx', 'list')).out).toBe('')
    expect((await ramp('snapshot', 'list')).out).toMatch(/^name .*\nbefore /)
  })

  it('changes what the contract leaves open', async () => {
    expect((await ramp('settings', 'quotes.ttl')).out).toMatch(/^stated +false$/m)
    expect((await ramp('settings', 'quotes.ttl=5m')).out).toMatch(/^quotes\.ttl +5m /)
    expect((await ramp('settings', '--changed')).out.split('\n')).toHaveLength(2)
    expect((await ramp('settings', '--open')).out).not.toContain('limits.active ')
    const { code, err } = await ramp('settings', 'quotes.tll=5m')
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('quotes.ttl') })
    expect((await ramp('settings', 'preset=contract')).out).toMatch(/^users\.create\.required/)
    const back = await ramp('settings', 'preset=default')
    expect(back.out).toMatch(/^users\.create\.required +email /)
    expect(await ramp('settings', '--changed')).toMatchObject({ code: 0, err: 'no rows\n' })
  })

  it('waits for the next event, and reads earlier ones with --after 0', async () => {
    await ramp('user', 'add', ANA, '--verified')
    const late = await ramp('events', '--status', 'verified', '--timeout', '20ms')
    expect(late).toMatchObject({ code: 1, out: '' })
    const early = await ramp('events', '--status', 'verified', '--timeout', '20ms', '--after', '0')
    expect(early.out).toContain('user.update')
    expect((await ramp('events', '--last', '1')).out.trim().split('\n')).toHaveLength(1)
  })

  it('follows a log that is written meanwhile, each row once and with one form of time', async () => {
    const sandbox = connectSandbox(server.url)
    await sandbox.clock.advance('1h')
    const writing = new AbortController()
    const write = async () => {
      while (!writing.signal.aborted) await callApi('/v2/users')
    }
    const writers = [write(), write(), write()]
    const command = startCommand(['logs', '--follow'], { env: { RAMP_SANDBOX_URL: server.url } })
    try {
      // More rows than it shows of what went before.
      await command.says(/^(?:.*\n){100}/)
    } finally {
      writing.abort()
      await Promise.all(writers)
    }
    await sandbox.users.add(ANA, {})
    await command.says(/User added/)
    command.process.kill('SIGTERM')
    const { out } = await command.ended
    const ids = [...out.matchAll(/^.* {2}req_(\d+) /gm)].map(([, id]) => Number(id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.at(-1)).toBe(Math.min(...ids) + ids.length - 1)
    for (const line of out.split('\n').filter((each) => each.includes('req_'))) {
      expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}req_/)
    }
  })

  it('follows the log of another process', async () => {
    const command = startCommand(['logs', '--follow', '--last', '0'], {
      env: { RAMP_SANDBOX_URL: server.url },
    })
    // The stream is open once what is done shows up.
    const add = setInterval(() => void callApi('/v2/users'), 200)
    const shown = command.says(/.*GET \/v2\/users +400.*/)
    const [line] = await shown.finally(() => clearInterval(add))
    await connectSandbox(server.url).users.add(ANA, { verified: true })
    await command.says(/✉ You are verified/)
    await command.says(/act_\d+ +User added .*"email":"ana@/)
    expect(line).toMatch(/req_\d+ {2}/)
    command.process.kill('SIGTERM')
    expect((await command.ended).code).toBe(0)
  })
})

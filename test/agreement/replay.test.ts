import { describe, expect, it } from 'vitest'
import { createMasker } from '../../src/agreement/mask.ts'
import { createRecorder } from '../../src/agreement/record/recorder.ts'
import { readRecording } from '../../src/agreement/recording.ts'
import {
  type Compared,
  type ReplayOptions,
  replayRecording,
} from '../../src/agreement/replay/replay.ts'
import { formatReplay } from '../../src/agreement/replay/report.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'

const EMAIL = 'alice@example.com'

describe('a recording without webhooks', () => {
  it('shows by who can log in what a reviewer decided', async () => {
    await using sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
    const lines: string[] = []
    const recorder = createRecorder({
      masker: createMasker(),
      write: (line) => void lines.push(line),
    })
    const logIn = async () => {
      const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
      const target = '/v2/auth/login-codes'
      const request = { headers, body: JSON.stringify({ email: EMAIL }) }
      const n = recorder.begin()
      const received = await sandbox.fetch(target, { method: 'POST', ...request })
      const { status } = received
      const response = { status, headers: {}, body: await received.text() }
      const at = Date.parse((await sandbox.clock.read()).now)
      recorder.call(n, at, { method: 'POST', target, request, response, ms: 1 })
      return status
    }
    expect(await logIn()).toBe(200)
    await sandbox.clock.advance('1h')
    await sandbox.simulate.kyc(EMAIL, 'rejected')
    expect(await logIn()).toBe(403)
    await sandbox.clock.advance('1h')
    await sandbox.simulate.kyc(EMAIL, 'verified')
    expect(await logIn()).toBe(200)
    const compared = await replayRecording(readRecording(lines.join('')), sandbox.world('replay'))
    const verdicts = compared.map(({ verdict }) => verdict)
    expect(verdicts, formatReplay('logins', compared)).toEqual(['same', 'same', 'same'])
  })
})

describe('a recording that somebody else made', () => {
  const headers = { 'x-api-key': 'secret-1', 'content-type': 'application/json' }
  const line = (n: number, [operation, method, target, status, data, body]: unknown[]) => ({
    ...{ kind: 'call', n, at: '2026-11-23T01:00:00.000Z', ms: 1, operation, method, target },
    request: { headers, body: body ?? null },
    response: { status, headers: {}, body: { success: true, data } },
  })
  const replay = async (
    calls: unknown[][],
    options: ReplayOptions = {},
    webhooks: object[] = [],
  ) => {
    await using sandbox = await createSandbox()
    const head = { kind: 'recording', version: 1 }
    const lines = [head, ...calls.map((call, i) => line(i + 1, call)), ...webhooks]
    const entries = readRecording(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
    return await replayRecording(entries, sandbox.world('replay'), options)
  }
  const statuses = (compared: Compared[]) =>
    compared.flatMap((one) => one.differences.filter(({ path }) => path === 'status'))

  it('does not make a user of an address that a search did not find, but a login took', async () => {
    const search = (email: string, data: object[]) =>
      ['findUsers', 'GET', `/v2/users?email=${email}`, 200, data] as unknown[]
    const login = (email: string, status: number) =>
      ['sendLoginCode', 'POST', '/v2/auth/login-codes', status, {}, { email }] as unknown[]
    const compared = await replay(
      [
        search('a@example.com', [{ id: '00000000-0000-4000-8000-000000000001' }]),
        login('a@example.com', 403),
        search('nobody@example.com', []),
        login('nobody@example.com', 200),
      ],
      { settings: { 'status.unknown-user': 200 } },
    )
    expect([statuses(compared), compared[2]?.differences]).toEqual([[], []])
  })

  it('takes a user of whom nothing is outstanding to be verified', async () => {
    const route = '/v2/users/00000000-0000-4000-8000-000000000001/requirements'
    const data = { complete: true, outstanding: [] }
    const [compared] = await replay([['getRequirements', 'GET', route, 200, data]])
    expect(compared?.differences).toEqual([])
  })

  it('imports with a share token of its own where one of the provider was right', async () => {
    const id = '00000000-0000-4000-8000-000000000001'
    const data = { id, accessibleBy: ['jwt'], status: 'verified' }
    const body = { shareToken: 'shareToken 1' }
    const [compared] = await replay([['importKyc', 'PUT', `/v2/users/${id}/kyc`, 200, data, body]])
    expect(compared?.differences).toEqual([])
  })

  it('begins with the webhook configuration that was read before one was made', async () => {
    const at = '2026-11-23T00:00:00.000Z'
    const data = { url: 'https://www.example.com/url-1', createdAt: at, updatedAt: at }
    const route = '/v2/webhook-configurations'
    const compared = await replay([['getWebhookConfiguration', 'GET', route, 200, data]])
    expect(statuses(compared)).toEqual([])
  })

  it('ignores fields that only the recording has, unless it is told not to', async () => {
    const call = line(1, ['findUsers', 'GET', '/v2/users?email=a@example.com', 200, []])
    const body = { success: true, data: [], requestId: 'value 1' }
    const more = { ...call, response: { ...call.response, body } }
    expect(await replay([], {}, [more])).toMatchObject([
      { verdict: 'same', additional: ['requestId'] },
    ])
    expect(await replay([], { ignoresAdditional: false }, [more])).toMatchObject([
      { verdict: 'other fields', differences: [{ breaks: 'additional', path: 'requestId' }] },
    ])
  })

  it('makes a user inactive of whom a webhook says so, whatever it was before', async () => {
    const email = 'a@example.com'
    const userId = '00000000-0000-4000-8000-000000000001'
    const webhooks = ['rejected', 'inactive'].map((status, i) => {
      const payload = { userId, email, status }
      const body = { apiVersion: 'v2', type: 'user.update', payload }
      const at = '2026-11-23T01:00:00.000Z'
      return { kind: 'webhook', n: i + 2, at, request: { headers: {}, body }, response: null }
    })
    const login = ['sendLoginCode', 'POST', '/v2/auth/login-codes', 200, {}, { email }]
    const compared = await replay([login], {}, webhooks)
    expect(compared.map(({ verdict }) => verdict)).not.toContain('other status')
  })

  it('says that an event has a type which the contract does not have', async () => {
    const event = { type: 'type 1', payload: { status: 'status 1' } }
    const request = { headers: {}, body: event }
    const at = '2026-11-23T01:00:00.000Z'
    const webhook = { kind: 'webhook', n: 1, at, request, response: null }
    const compared = await replay([], {}, [webhook])
    expect(compared[0]?.differences).toMatchObject([{ expected: 'an event of another type' }])
  })
})

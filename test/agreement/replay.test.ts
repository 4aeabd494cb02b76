import { describe, expect, it } from 'vitest'
import { createMasker } from '../../src/agreement/mask.ts'
import { createRecorder } from '../../src/agreement/record/recorder.ts'
import { readRecording } from '../../src/agreement/recording.ts'
import { replayRecording } from '../../src/agreement/replay/replay.ts'
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
    const compared = await replayRecording(readRecording(lines.join('')), {
      url: `${sandbox.url}/w/replay`,
    })
    const verdicts = compared.map(({ verdict }) => verdict)
    expect(verdicts, formatReplay('logins', compared)).toEqual(['same', 'same', 'same'])
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createMasker } from '../../src/agreement/mask.ts'
import { openProxy } from '../../src/agreement/record/proxy.ts'
import { createRecorder } from '../../src/agreement/record/recorder.ts'
import { type RecordingEntry, readRecording } from '../../src/agreement/recording.ts'
import { replayRecording } from '../../src/agreement/replay/replay.ts'
import { formatReplay } from '../../src/agreement/replay/report.ts'
import { writeScenario } from '../../src/agreement/save/scenario.ts'
import { readSession, type SeenSession } from '../../src/agreement/save/session.ts'
import type { Json } from '../../src/client/http.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { perform } from '../../src/scenario/perform.ts'
import { createFolder } from '../helpers/folder.ts'
import { validKyb } from '../helpers/kyb.ts'

const ALICE = 'alice@example.com'

let entries: RecordingEntry[]
let session: SeenSession
beforeAll(async () => {
  entries = await recordV1()
})

let sandbox: Awaited<ReturnType<typeof createSandbox>>
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(() => sandbox.close())

describe('a session of v1', () => {
  it('has its webhooks and replays the same', async () => {
    expect(entries.filter(({ kind }) => kind === 'webhook').length).toBeGreaterThanOrEqual(3)
    const compared = await replayRecording(entries, sandbox.world('replay'))
    const others = compared.filter(({ verdict }) => verdict !== 'same')
    expect(others.length, formatReplay('v1', compared)).toBe(0)
  })

  it('is saved as calls of v1, which play', async () => {
    const text = writeScenario(session)
    expect(text).toContain("alice.post('/transaction'")
    expect(text).toContain('transaction.body.tx')
    const file = join(createFolder(onTestFinished), 'v1.mjs')
    writeFileSync(file, text)
    const url = `${sandbox.url}/w/play`
    const request = { name: 'v1', file, url, webhookUrl: null, controlToken: null }
    const played = await perform(await loadScenario(file), { request, fetch })
    expect(played).toMatchObject({ outcome: 'passed', problem: null })
  })
})

async function recordV1(): Promise<RecordingEntry[]> {
  await using provider = await createSandbox({
    fixture: 'verified-user',
    clock: '2026-07-01T12:00:00Z',
  })
  const lines: string[] = []
  const recorder = createRecorder({
    masker: createMasker({ now: () => Date.parse('2026-07-01T12:00:00Z') }),
    write: (line) => void lines.push(line),
  })
  const proxy = await openProxy({
    ...{ recorder, upstream: provider.url },
    ...{ port: 0, webhooks: { port: 0 } },
  })
  const send = async (method: string, path: string, body?: object, token?: string) => {
    const response = await fetch(proxy.url + path, {
      method,
      headers: {
        'x-api-key': provider.apiKey,
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const json: Json = await response.json()
    return json
  }
  const email = `email=${encodeURIComponent(ALICE)}`
  await send('POST', '/webhook-signing-secret')
  await send('PATCH', '/webhooks', {
    transactionInitiatedEnabled: true,
    transactionStatusUpdateEnabled: true,
    transactionCompleteEnabled: true,
    transactionStatusUpdateUrl: proxy.webhookUrl,
  })
  await send('GET', '/webhooks')
  await send('GET', `/apiFindUser?${email}`)
  await send('POST', `/loginCodeSend?${email}`)
  const { code } = await provider.inbox.next({ email: ALICE, kind: 'login-code' })
  const { token } = await send('POST', `/loginCodeVerify?${email}&login_code=${code}`)
  const pair = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  const query = new URLSearchParams({ ...pair, leftSideValue: '100.00' })
  const { quoteId, gasId } = await send('GET', `/priceQuote?${query}`)
  const wallet = '0x52908400098527886e0f7030069857d2e4169ee7'
  const order = { ...pair, wallet, quoteId, gasId }
  const { tx } = await send('POST', '/transaction', order, token)
  await provider.clock.advance('5m')
  await provider.simulate.settled(tx, { through: true })
  await send('GET', `/transaction?tx_id=${tx}`, undefined, token)
  await send('POST', '/submitKYB', validKyb())
  await send('POST', '/submitKYB', { ...validKyb(), corporation_number: 'none' })
  await proxy.close()
  session = await readSession((method, path, call) => provider.control(method, path, call))
  return readRecording(lines.join(''))
}

// Puts a receiver to the test: node check.mjs COMMAND…, under `ramp-sandbox exec`.
// It must accept what the service signs, however it is formatted and sent, and reject forgeries.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { connectSandbox } from 'ramp-sandbox'

const STARTS_MAX_MS = 30_000
const FORGED = ['body', 'signature', 'timestamp', 'timestamp-ahead']
// `wording` catches a receiver that verifies a body that it has parsed and written again.
const GENUINE = [
  'wording',
  'chunked',
  'charset',
  'field',
  'eventId',
  'unknown-status',
  'unknown-type',
]

const sandbox = connectSandbox()
await sandbox.reset({ fixture: 'verified-user', clock: 'frozen' })
// The first PUT returns the secret.
const { signingSecret } = await configure('http://127.0.0.1:9')

const [command, ...args] = process.argv.slice(2)
const receiver = spawn(command, args, {
  env: { ...process.env, RAMP_SANDBOX_SIGNING_SECRET: signingSecret },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const url = await readUrl(receiver)
  await configure(url)
  const { deliveries } = await sandbox.simulate.kyc('alice@example.com', 'in-review')
  const genuine = deliveries.find(({ integrator }) => integrator === 'main')
  assertStatus(genuine, 204, 'a genuine event')
  for (const mutate of FORGED) {
    assertStatus(await sandbox.webhooks.resend(genuine.id, { mutate }), 401, 'a forged event')
  }
  for (const mutate of GENUINE) {
    assertStatus(await sandbox.webhooks.resend(genuine.id, { mutate }), 204, 'a genuine event')
  }
  assertStatus(await sandbox.webhooks.resend(genuine.id), 204, 'a repeated event')
  console.log(`${command} ${args.join(' ')} accepts genuine events and no others`)
} finally {
  receiver.kill()
}

function assertStatus({ response, reason, problem }, expected, what) {
  const actual = response ? `status ${response.status}` : 'no response'
  const message = [
    `Expected status ${expected} for ${what}, but got ${actual}.`,
    reason,
    problem?.hint,
  ]
  assert.equal(response?.status, expected, message.filter(Boolean).join(' '))
}

async function configure(url) {
  const response = await sandbox.fetch('/v2/webhook-configurations', {
    method: 'PUT',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  return (await response.json()).data
}

async function readUrl({ stdout }) {
  const lines = createInterface({ input: stdout, signal: AbortSignal.timeout(STARTS_MAX_MS) })
  for await (const line of lines) {
    const [, url] = /listening on (\S+)/.exec(line) ?? []
    if (url) return url
  }
  throw new Error('The receiver must print “listening on URL” within 30 seconds.')
}

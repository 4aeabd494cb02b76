const { createSandbox } = require('ramp-sandbox')
const { startReceiver } = require('../src/receiver.js')

exports.ALICE = 'alice@example.com'

const started = []

afterEach(async () => {
  jest.useRealTimers()
  for (const each of started.splice(0)) await each.close()
})

/** A sandbox whose webhooks go to the app's own receiver. */
exports.startWallet = async (options) => {
  const sandbox = await createSandbox({ fixture: 'verified-user', ...options })
  const receiver = await startReceiver()
  started.push(sandbox, receiver)
  const configured = await sandbox.fetch('/v2/webhook-configurations', {
    method: 'PUT',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url }),
  })
  receiver.trust((await configured.json()).data.signingSecret)
  return { sandbox, received: receiver.accepted }
}

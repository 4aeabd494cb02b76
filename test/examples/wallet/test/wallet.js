// Each test gets a sandbox of its own, and a wallet that runs on it.
import { test as sandboxTest } from 'ramp-sandbox/vitest'
import { startServer } from '../src/server.js'

export const ALICE = 'alice@example.com'
export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

export const test = sandboxTest.extend({
  sandboxSetup: { fixture: 'verified-user' },
  wallet: async ({ sandbox }, use) => {
    const server = await startServer({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })
    await use(createPhone(server.url, sandbox))
    await server.close()
  },
})

/** What the customer's app on the phone does: it talks to the wallet's backend only. */
function createPhone(url, sandbox) {
  let session
  return {
    url,
    call,
    signUp: (email) => call('/sign-up', { email }),
    async logIn(email) {
      await call('/send-code', { email })
      const code = await sandbox.inbox.loginCode(email)
      session = (await call('/log-in', { email, code })).session
    },
    buy: (cad) => call('/buy', { session, cad, address: ADDRESS }),
    show: () => call('/show', { session }),
  }

  async function call(path, body) {
    const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
    const result = await response.json()
    if (!response.ok) throw Object.assign(new Error(result.message), { status: response.status })
    return result
  }
}

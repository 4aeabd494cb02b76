import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Tools patch the modules of Node that both forms of the package use. */
export const FORMS = {
  'the ES module': await import('../../dist/index.js'),
  'the CommonJS module': require('../../dist/index.cjs'),
}

/** A sandbox in this process, whose webhooks about one user go to a URL. */
export async function startSandbox({ createSandbox }, webhookUrl) {
  const sandbox = await createSandbox({ fixture: 'verified-user', clock: 'frozen' })
  const response = await sandbox.fetch(
    new Request(`${sandbox.url}/v2/webhook-configurations`, {
      method: 'PUT',
      headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ url: webhookUrl }),
    }),
  )
  const { data } = await response.json()
  return {
    secret: data.signingSecret,
    async deliver(status = 'in-review') {
      await sandbox.simulate.kyc('alice@example.com', status)
      const deliveries = await sandbox.webhooks.deliveries()
      return deliveries.findLast(({ url }) => url !== null)
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}

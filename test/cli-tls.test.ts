import { request } from 'node:https'
import { afterAll, expect, it } from 'vitest'
import { CERT_FILE, certificate, KEY_FILE } from './helpers/certificate.ts'
import { endCommands, runCommand, startSandbox } from './helpers/command.ts'

const TLS = ['--tls-cert', CERT_FILE, '--tls-key', KEY_FILE]

afterAll(endCommands)

function get(url: string, ca: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { ca }, (response) => resolve(response.resume().statusCode))
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).end()
  })
}

it.concurrent('--tls-cert and --tls-key make the sandbox speak https', async () => {
  const { ready } = await startSandbox(TLS)
  expect(ready.url).toMatch(/^https:/)
  expect(await get(`${ready.url}/_sandbox/health`, certificate.cert)).toBe(200)
})

it.concurrent('--tls-cert and --tls-key work with the built-in receiver and with scenarios', async () => {
  const script = `
      const { RAMP_SANDBOX_URL: url, RAMP_SANDBOX_CONTROL_URL: control } = process.env
      const call = (method, path, body) => fetch(url + path, {
        method, body: JSON.stringify(body),
        headers: { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' } })
      await call('PUT', '/v2/webhook-configurations', { url: url + '/_sandbox/catch/mine' })
      await call('POST', '/v2/webhook-configurations/test', {})
      const { deliveries } = await (await fetch(control + '/webhooks/deliveries')).json()
      const { receiverUrl } = await (await fetch(control + '/webhooks/settings')).json()
      const { status } = await call('POST', '/_sandbox/scenarios/buy-completes/play', {})
      console.log(new URL(url).protocol, deliveries.map(({ outcome }) => outcome).join())
      console.log(receiverUrl === url + '/_sandbox/catch', status)`
  // The sandbox itself does not trust the certificate, but for its own receiver.
  const trusting = ['sh', '-c', 'NODE_EXTRA_CA_CERTS="$0" exec "$@"', CERT_FILE]
  const command = [...trusting, process.execPath, '--input-type=module', '--eval', script]
  const ended = await runCommand(['exec', ...TLS, '--', ...command])
  expect(ended).toMatchObject({ code: 0, out: 'https: delivered\ntrue 200\n' })
})

it.concurrent('a command that does not trust the certificate suggests NODE_EXTRA_CA_CERTS', async () => {
  const { ready } = await startSandbox(TLS)
  const health = ['health', '--url', ready.url]
  const { code, err } = await runCommand(health)
  expect(err).toContain('NODE_EXTRA_CA_CERTS')
  expect(err).not.toContain('start starts one')
  expect(code).toBe(2)
  const env = { NODE_EXTRA_CA_CERTS: CERT_FILE }
  expect(await runCommand(health, { env })).toMatchObject({ code: 0 })
})

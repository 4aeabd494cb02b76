import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCertificate } from '../src/host/certificate.ts'
import { endCommands, runCommand, startSandbox } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'
import { runInProcess } from './helpers/in-process.ts'

const folder = createFolder()
afterAll(endCommands)

async function startTls(...args: string[]) {
  const started = await startSandbox(args)
  return {
    url: new URL(started.ready.url),
    end: () => started.process.kill('SIGTERM'),
    started,
  }
}

function get(url: URL, ca: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { ca }, (response) => resolve(response.resume().statusCode))
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).end()
  })
}

describe('--tls', () => {
  it.concurrent('speaks https with a certificate that is kept beside the data file', async () => {
    const data = join(folder, 'worlds.json')
    const first = await startTls('--tls', '--data', data, '--allow-host', 'sandbox.internal')
    const cert = readFileSync(`${data}.cert.pem`, 'utf8')
    const health = new URL('/_sandbox/health', first.url)
    expect(health.protocol).toBe('https:')
    expect(await get(health, cert)).toBe(200)
    health.hostname = 'localhost'
    expect(await get(health, cert)).toBe(200)
    expect(statSync(`${data}.key.pem`).mode & 0o777).toBe(0o600)
    first.end()
    await first.started.ended
    const second = await startTls('--tls', '--data', data)
    expect(readFileSync(`${data}.cert.pem`, 'utf8')).toBe(cert)
    expect(await get(new URL('/_sandbox/health', second.url), cert)).toBe(200)
    second.end()
    await second.started.ended
    const third = await startTls('--tls', '--data', data, '--allow-host', 'other.internal')
    expect(await get(new URL('/_sandbox/health', third.url), cert)).not.toBe(200)
  })

  it.concurrent('is trusted by what exec runs, and by webhooks to the receiver inside; scenarios play by http', async ({
    onTestFinished,
  }) => {
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
    const command = [process.execPath, '--input-type=module', '--eval', script]
    const temporary = createFolder(onTestFinished)
    const env = { TMPDIR: temporary, NODE_EXTRA_CA_CERTS: '/dev/null' }
    const ended = await runCommand(['exec', '--tls', '--', ...command], { env })
    expect(ended).toMatchObject({ code: 0, out: 'https: delivered\ntrue 409\n' })
    expect(readdirSync(temporary)).toEqual([])
  })

  it.concurrent('is refused by commands that do not trust it, with what makes them', async () => {
    const data = join(folder, 'trusted.json')
    const { url, end } = await startTls('--tls', '--data', data)
    const health = ['health', '--url', url.origin]
    const { code, err } = await runCommand(health)
    expect(err).toContain('NODE_EXTRA_CA_CERTS')
    expect(err).not.toContain('start starts one')
    expect(code).toBe(2)
    const env = { NODE_EXTRA_CA_CERTS: `${data}.cert.pem` }
    expect(await runCommand(health, { env })).toMatchObject({ code: 0 })
    end()
  })

  it('takes a certificate and its key', async () => {
    const [key, cert] = [join(folder, 'own.key'), join(folder, 'own.pem')]
    const made = createCertificate(['127.0.0.1'], Date.now())
    writeFileSync(key, made.key)
    writeFileSync(cert, made.cert)
    const { url } = await startTls('--tls-cert', cert, '--tls-key', key)
    expect(await get(new URL('/_sandbox/health', url), readFileSync(cert, 'utf8'))).toBe(200)
    const other = join(folder, 'other.key')
    writeFileSync(other, createCertificate(['127.0.0.1'], Date.now()).key)
    const { code, err } = await runInProcess(['start', '--tls-cert', cert, '--tls-key', other])
    const mismatch = `cannot be used: ${other} is not the key of ${cert}.\n`
    expect([code, err]).toEqual([2, expect.stringContaining(mismatch)])
    const noKey = await runInProcess(['start', '--tls-cert', cert, '--tls-key', cert])
    expect([noKey.code, noKey.err]).toEqual([
      2,
      expect.stringContaining(`${cert} holds no private key that can be read.`),
    ])
    const alone = await runInProcess(['start', '--tls-cert', cert])
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('together')])
  })

  it('keeps the key beside the data file to its owner, whatever was there', async () => {
    const data = join(folder, 'private.json')
    const mode = () => statSync(`${data}.key.pem`).mode & 0o777
    writeFileSync(`${data}.key.pem`, 'readable by all', { mode: 0o644 })
    const start = async () => {
      const { code } = await runInProcess(['exec', '--tls', '--data', data, '--', 'true'])
      expect(code).toBe(0)
    }
    await start()
    expect(mode()).toBe(0o600)
    chmodSync(`${data}.key.pem`, 0o644)
    await start()
    expect(mode()).toBe(0o600)
  })

  it('says in a sentence that the key beside the data file belongs to another certificate', async () => {
    const data = join(folder, 'swapped.json')
    const [mine, other] = [1, 2].map(() =>
      createCertificate(['localhost', '127.0.0.1', '::1'], Date.now()),
    )
    writeFileSync(`${data}.cert.pem`, mine?.cert ?? '')
    writeFileSync(`${data}.key.pem`, other?.key ?? '')
    const { code, err } = await runInProcess(['start', '--port', '0', '--tls', '--data', data])
    expect([code, err]).toEqual([
      2,
      `ramp-sandbox: The certificate beside ${data} cannot be used: ${data}.key.pem is not the key of ${data}.cert.pem.\n`,
    ])
  })
})

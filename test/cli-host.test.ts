import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { endCommands, startCommand } from './helpers/command.ts'

afterEach(endCommands)

/** One of each family by which other machines reach this one; link-local ones need a zone. */
const external = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
const addresses = [false, true].flatMap((isV6) =>
  external
    .map(({ address }) => address)
    .filter((address) => isIPv6(address) === isV6)
    .slice(0, 1),
)

describe('start --host with one address', () => {
  it.skipIf(addresses.length === 0)('answers to it, and plays a scenario there', async () => {
    for (const address of addresses) {
      const args = ['--host', address, '--control-token', 'secret']
      const started = startCommand(['start', '--port', '0', '--json', ...args])
      const [line] = await started.says(/^{.*}$/m)
      const { url } = JSON.parse(line) as { url: string }
      const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }
      const play = `${url}/_sandbox/scenarios/buy-expires/play`
      const answer = await fetch(play, { method: 'POST', headers, body: '{}' })
      expect(await answer.json()).toMatchObject({ outcome: 'passed' })
    }
  })
})

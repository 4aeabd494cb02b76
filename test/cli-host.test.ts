import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, expect, it } from 'vitest'
import type { PlayedHere } from '../src/control-api/plays.ts'
import { endCommands, startSandbox } from './helpers/command.ts'

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

it.skipIf(addresses.length === 0)(
  'start --host with one address plays a scenario there, and receives its webhooks',
  async () => {
    for (const address of addresses) {
      const args = ['--host', address, '--control-token', 'a-secret-of-a-test']
      const { url } = (await startSandbox(args)).ready
      const headers = {
        authorization: 'Bearer a-secret-of-a-test',
        'content-type': 'application/json',
      }
      const play = `${url}/_sandbox/scenarios/buy-expires/play`
      const response = await fetch(play, { method: 'POST', headers, body: '{}' })
      const { outcome, steps } = (await response.json()) as PlayedHere
      expect(outcome).toBe('passed')
      const outcomes = steps.flatMap(({ deliveries }) => deliveries.map((row) => row.outcome))
      expect(new Set(outcomes)).toEqual(new Set(['delivered']))
    }
  },
)

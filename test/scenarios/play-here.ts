import { basename } from 'node:path'
import type { Sandbox } from '../../src/client/client.ts'
import type { Played } from '../../src/levers/plays.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { perform } from '../../src/scenario/perform.ts'

let plays = 0

/** Plays a scenario in this thread and in a new world of the sandbox, reached without a socket. */
export async function playHere(sandbox: Sandbox, file: string): Promise<Played> {
  const world = sandbox.world(`played-${++plays}`)
  const name = basename(file).replace(/\.m?js$/, '')
  const request = { name, file, url: world.url, webhookUrl: null, controlToken: null }
  const played = await perform(await loadScenario(file), { request, fetch: world.fetch })
  await world.close()
  return played
}

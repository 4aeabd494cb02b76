import { basename } from 'node:path'
import type { Sandbox } from '../../src/client/client.ts'
import { createHttpClient } from '../../src/client/http.ts'
import type { Played } from '../../src/control-api/plays.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { perform } from '../../src/scenario/perform.ts'

let plays = 0

/** Plays a scenario in this thread and in a new world of the sandbox, reached without a socket. */
export async function playHere(sandbox: Sandbox, file: string): Promise<Played> {
  const world = sandbox.world(`played-${++plays}`)
  const name = basename(file).replace(/\.m?js$/, '')
  const { url, fetch } = world
  const request = { name, file, url, webhookUrl: null, controlToken: null }
  const http = createHttpClient({ url, fetch })
  const played = await perform(await loadScenario(file), { request, http, fetch })
  await world.close()
  return played
}

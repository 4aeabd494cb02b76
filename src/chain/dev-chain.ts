import { createControl } from '../client/control.ts'
import { createHttpClient, type HttpClientOptions } from '../client/http.ts'
import { openNetwork } from './network.ts'
import type { NetworkOptions } from './node.ts'
import type { RpcTools } from './rpc.ts'
import { createWorldCoins, type WorldCoins } from './world-coins.ts'

export interface ChainOptions extends RpcTools {
  networks: readonly NetworkOptions[]
  confirmations: number
  log(world: string, line: string): void
}

interface FollowOptions extends HttpClientOptions {
  /** Name of the world. */
  name: string
  seed: string
}

export type DevChain = Awaited<ReturnType<typeof openChain>>

/** The development chains of a process: a client of its worlds, which know nothing of them. */
export async function openChain({ networks: asked, confirmations, log, ...tools }: ChainOptions) {
  const networks = await Promise.all(asked.map((network) => openNetwork(network, tools)))
  const { fail } = tools
  return {
    labels: networks.flatMap(({ labels }) => labels),
    /** Begins with a world that was started, reset or restored. */
    follow({ name, seed, ...http }: FollowOptions): WorldCoins {
      const control = createControl(createHttpClient(http))
      const worldLog = (line: string) => log(name, line)
      return createWorldCoins({ networks, confirmations, fail, control, seed, log: worldLog })
    },
  }
}

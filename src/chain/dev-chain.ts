import { createControl } from '../client/control.ts'
import { createHttpClient, type HttpClientOptions } from '../client/http.ts'
import { realTime } from '../real-time.ts'
import { openNetwork } from './network.ts'
import type { NetworkOptions } from './node.ts'
import type { RpcTools } from './rpc.ts'
import { createWorldCoins, type WorldCoins, type WorldCoinsOptions } from './world-coins.ts'

/** How often the chains are looked at without being asked, in wall time. */
const LOOK_EVERY_MS = 1_000

export interface ChainOptions extends RpcTools {
  networks: readonly NetworkOptions[]
  confirmations: number
  log(world: string, line: string): void
}

export type DevChain = Awaited<ReturnType<typeof openChain>>

/** The development chains of a process: a client of its worlds, which know nothing of them. */
export async function openChain({ networks: asked, confirmations, log, ...tools }: ChainOptions) {
  const networks = await Promise.all(asked.map((network) => openNetwork(network, tools)))
  const followed = new Set<WorldCoins>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  return { labels: networks.flatMap(({ labels }) => labels), follow }

  /** Begins with a world that was started, reset or restored. */
  function follow({ name, seed, ...http }: FollowOptions): WorldCoins {
    const control = createControl(createHttpClient(http))
    const worldLog = (line: string) => log(name, line)
    const shared: Omit<WorldCoinsOptions, 'control' | 'seed'> = {
      ...{ networks, confirmations, log: worldLog, fail: tools.fail, onClose: unfollow },
    }
    const coins = createWorldCoins({ ...shared, control, seed })
    followed.add(coins)
    timer ??= realTime.setInterval(() => void look(), LOOK_EVERY_MS).unref()
    return coins
  }

  function unfollow(coins: WorldCoins): void {
    followed.delete(coins)
    if (followed.size > 0) return
    realTime.clearInterval(timer)
    timer = undefined
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    // One question for all worlds; a node that fails is named by the scan that fails, too.
    const heads = await Promise.all(networks.map(({ readHead }) => readHead())).catch(
      () => undefined,
    )
    for (const coins of followed) await coins.look(heads)
    isLooking = false
  }
}

interface FollowOptions extends HttpClientOptions {
  /** Of the world. */
  name: string
  seed: string
}

import { CALLERS } from './calls.mjs'
import { measureRounds } from './rounds.mjs'

const ROUND_MS = 800
/** The first seconds of a process are several times slower than what follows. */
const WARM_UPS = 3

/**
 * Requests per second of two servers, or of two kinds of request. Each is `{ port, requests }`, with
 * `prepare` where what one round leaves behind must be gone before the next.
 * Their responses must have as many bytes.
 */
export async function compareServing({ load, rounds, ours, bare }) {
  const sizes = []
  const run = async ({ port, requests, prepare }) => {
    await prepare?.()
    const order = { port, requests, connections: CALLERS, ms: ROUND_MS }
    const { result } = await load.ask(order)
    sizes.push(result.bodyBytes)
    return result.perSecond
  }
  const measured = await measureRounds({
    rounds,
    warmUps: WARM_UPS,
    ours: () => run(ours),
    bare: () => run(bare),
  })
  if (new Set(sizes).size > 1) {
    throw new Error(`responses of ${[...new Set(sizes)].join(' and ')} bytes`)
  }
  return measured
}

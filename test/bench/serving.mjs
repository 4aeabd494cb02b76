import { CALLERS } from './calls.mjs'
import { measureRounds } from './rounds.mjs'

const ROUND_MS = 800
/** The first seconds of a process are several times slower than what follows. */
const WARM_UPS = 3

/**
 * Requests per second of two servers, or of two kinds of request. Each is `{ port, requests }`, with
 * `prepare` where what one round leaves behind must be gone before the next.
 * Their answers must have as many bytes, save for `slack`, such as the digits of an offset.
 */
export async function compareServing({ load, rounds, ours, bare, slack = 0 }) {
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
  if (Math.max(...sizes) - Math.min(...sizes) > slack) {
    throw new Error(`answers of ${[...new Set(sizes)].join(' and ')} bytes`)
  }
  return measured
}

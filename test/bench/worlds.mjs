// What many small worlds in one process take: run in a process of its own, on the library.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ask } from '../helpers/sandbox.mjs'

const KEY = 'sandbox-key'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
let makeWorld
let heapBefore

/** Opens a sandbox whose worlds get a buy of each of these users. */
export async function open({ build, fixture, userIds, buy }) {
  const { createSandbox } = createRequire(import.meta.url)(join(build, 'dist/index.cjs'))
  const sandbox = await createSandbox({ fixture, clock: 'frozen' })
  makeWorld = async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const startedAt = performance.now()
    const response = await sandbox.fetch('/_sandbox/worlds', init)
    const { baseUrl } = await response.json()
    const ms = performance.now() - startedAt
    const { leftSideLabel, leftSideValue, rightSideLabel } = buy
    const asked = new URLSearchParams({ leftSideLabel, leftSideValue, rightSideLabel })
    const quote = await ask('GET', `${baseUrl}/v2/quotes?${asked}`, { key: KEY })
    for (const userId of userIds) {
      const body = { ...buy, userId, quoteId: quote.data.quoteId }
      await ask('POST', `${baseUrl}/v2/transactions`, { key: KEY, body })
    }
    return ms
  }
  await makeWorld()
  collect()
  heapBefore = process.memoryUsage().heapUsed
}

/** How long the creation of one more world took. */
export const make = async () => ({ ms: await makeWorld() })

/** By how much the heap has grown since `open`. */
export function grown() {
  collect()
  return { kb: (process.memoryUsage().heapUsed - heapBefore) / 1_000 }
}

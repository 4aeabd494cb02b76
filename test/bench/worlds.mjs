// What many small worlds in one process take: run in a process of its own, on the library.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ask } from '../helpers/sandbox.mjs'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
let makeWorld
let heapBefore

/** Opens a sandbox whose worlds get these buys, at the quote of that path. */
export async function open({ build, fixture, key, quotePath, buys }) {
  const { createSandbox } = createRequire(import.meta.url)(join(build, 'dist/index.cjs'))
  const sandbox = await createSandbox({ fixture, clock: 'frozen' })
  makeWorld = async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const startedAt = performance.now()
    const response = await sandbox.fetch('/_sandbox/worlds', init)
    const { baseUrl } = await response.json()
    const ms = performance.now() - startedAt
    const { quoteId } = (await ask('GET', baseUrl + quotePath, { key })).data
    for (const buy of buys) {
      await ask('POST', `${baseUrl}/v2/transactions`, { key, body: { ...buy, quoteId } })
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

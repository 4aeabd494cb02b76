import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import buyCompletes from '../../scenarios/buy-completes.js'
import { type Listening, listen } from '../../src/host/server.ts'
import { createWorlds, type Worlds } from '../../src/host/worlds.ts'
import { perform } from '../../src/scenario/perform.ts'
import { isFullDepth } from '../helpers/depth.ts'

const WORLDS = isFullDepth ? 40 : 6
const file = join(import.meta.dirname, '../../scenarios/buy-completes.js')

let worlds: Worlds
let server: Listening

beforeAll(async () => {
  worlds = createWorlds()
  server = await listen({ fetch: worlds.fetch, port: 0 })
})
afterAll(async () => {
  await server.close()
  await worlds.close()
})

it('plays the happy path in many worlds at once, and keeps them apart', async () => {
  const bases = Array.from({ length: WORLDS }, (_, i) => `${server.url}/w/worker-${i + 1}`)
  const plays = await Promise.all(
    bases.map((url) => {
      const request = { name: 'buy-completes', file, url, webhookUrl: null, controlToken: null }
      return perform(buyCompletes, { request, fetch })
    }),
  )
  expect(plays.map(({ problem }) => problem).filter((problem) => problem !== null)).toEqual([])
  const [first, ...others] = plays.map((played) => JSON.stringify(played))
  expect(others.filter((other) => other !== first)).toEqual([])

  for (const [i, base] of bases.entries()) {
    const path = `/w/worker-${i + 1}/_sandbox/catch/integrator`
    const { requests } = await readCaught(base)
    expect(requests.map(({ path, signature }) => ({ path, signature }))).toEqual(
      Array.from({ length: 3 }, () => ({ path, signature: 'valid' })),
    )
  }
})

async function readCaught(base: string): Promise<Caught> {
  const response = await fetch(`${base}/_sandbox/catch/integrator/requests`)
  return (await response.json()) as Caught
}

interface Caught {
  requests: { path: string; signature: string }[]
}

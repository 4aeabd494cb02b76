import { connectSandbox } from '../client/connect.ts'
import { SandboxError } from '../client/error.ts'
import { readFixture } from '../client/fixture-file.ts'
import type { CreatedWorld } from '../http/control/wire.ts'
import { DomainError } from '../world/domain-error.ts'
import { invalid } from './option-values.ts'
import { listGiven, type ServingValues } from './serving.ts'
import type { Tls } from './tls.ts'

/** What a command learns of its sandbox, and how that ends. */
export interface CommandSandbox {
  url: string
  apiKey: string
  controlUrl: string | null
  controlToken: string | undefined
  tls?: Tls | undefined
  signingSecret?: string
  close(): Promise<void>
}

/** How long its world outlives a command that was killed. */
const TTL = '10m'
const KEEP_ALIVE_EVERY_MS = 60_000

/** What describes the world itself, so that it can be asked of a sandbox that runs. */
const WORLD_OPTIONS = ['fixture', 'seed', 'clock', 'on']
const POSSIBLE_OPTIONS = [
  ...WORLD_OPTIONS,
  ...['verbose', 'json', 'control-token', 'control-token-file'],
]

interface PrivateWorldOptions {
  values: ServingValues
  controlToken: string | undefined
}

/** The command gets the URL of its world and not the control token, so it reaches no other. */
export async function openPrivateWorld(
  url: string,
  options: PrivateWorldOptions,
): Promise<CommandSandbox> {
  const { fixture, seed, clock } = options.values
  const wrong = listGiven(options.values).find((name) => !POSSIBLE_OPTIONS.includes(name))
  if (wrong !== undefined) {
    throw invalid(`--${wrong}`, `exec --on uses a sandbox that runs, so it takes no --${wrong}.`)
  }
  try {
    const main = connectSandbox(url, options)
    const body = { ttl: TTL, fixture: readFixture(fixture), seed, clock }
    const { name, baseUrl } = await main.control<CreatedWorld>('POST', '/worlds', { body })
    const world = connectSandbox(baseUrl, options)
    const [owner] = (await world.info()).integrators
    const keepAlive = () => void world.control('GET', '/health').catch(() => undefined)
    const timer = setInterval(keepAlive, KEEP_ALIVE_EVERY_MS).unref()
    return {
      url: baseUrl,
      apiKey: owner?.apiKey ?? '',
      controlUrl: `${baseUrl}/_sandbox`,
      controlToken: undefined,
      async close() {
        clearInterval(timer)
        // Without an answer it ends by itself.
        await world.control('DELETE', `/worlds/${name}`).catch(() => undefined)
      },
    }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    throw new DomainError('conflict', error.message, { field: '--on' })
  }
}

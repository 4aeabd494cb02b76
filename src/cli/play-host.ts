import { randomBytes } from 'node:crypto'
import { connectSandbox } from '../client/connect.ts'
import { SandboxError } from '../client/error.ts'
import type { Fetch } from '../client/transport.ts'
import { listen } from '../host/server.ts'
import { createWorlds } from '../host/worlds.ts'
import { DomainError } from '../world/domain-error.ts'
import type { SettingValue } from '../world/settings/setting.ts'

export interface PlayHost {
  readonly controlToken: string | null
  /** The world is reached without a socket where it is in this process. */
  openWorld(scenario: string): Promise<{ url: string; fetch?: Fetch; close(): Promise<void> }>
  close(): Promise<void>
}

export interface HostOptions {
  url: string | undefined
  'control-token': string | undefined
  webhookUrl: string | null
  /** Of a sandbox of our own. */
  settings?: Record<string, SettingValue> | undefined
}

/** The sandbox at a URL, or one of our own on a free port. */
export function openHost(options: HostOptions): Promise<PlayHost> {
  const { url } = options
  const token = options['control-token'] ?? process.env.RAMP_SANDBOX_CONTROL_TOKEN
  return url === undefined ? startHost(options) : connectHost(url, token)
}

async function startHost({ webhookUrl, settings }: HostOptions): Promise<PlayHost> {
  // A webhook URL that is named on the command line may be anywhere.
  const allowed = webhookUrl === null ? [] : [new URL(webhookUrl).host]
  const listens = { isLoopback: true, port: () => undefined }
  const worlds = createWorlds({ allowWebhookHosts: allowed, listens, settings })
  const listening = await listen({ fetch: worlds.fetch, port: 0, overrideGlobals: true })
  return {
    controlToken: null,
    openWorld: async (scenario) => ({
      url: `${listening.url}/w/${toWorldName(scenario)}`,
      fetch: worlds.fetch,
      close: async () => undefined,
    }),
    async close() {
      await listening.close()
      await worlds.close()
    },
  }
}

async function connectHost(url: string, controlToken: string | undefined): Promise<PlayHost> {
  const sandbox = connectSandbox(url.replace(/\/(w\/[^/]*\/?)?$/, ''), { controlToken })
  await sandbox.control('GET', '/clock').catch((error: unknown) => {
    if (!(error instanceof SandboxError)) throw error
    const { status, message } = error
    const hint = 'ramp-sandbox start starts one; without --url, play has one of its own.'
    const why = status === undefined ? message : `No sandbox answers at ${url}: ${status}.`
    throw new DomainError('conflict', why, { field: '--url', hint })
  })
  return {
    controlToken: controlToken ?? null,
    // Others use that sandbox, too: a scenario resets and deletes its world, so it must be new.
    openWorld: async (scenario) =>
      sandbox.world(`${toWorldName(scenario)}-${randomBytes(8).toString('hex')}`),
    close: () => sandbox.close(),
  }
}

/** As long as a name of a world may be, less what makes it unique. */
const NAME_LENGTH_MAX = 47

const toWorldName = (scenario: string): string =>
  scenario
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, NAME_LENGTH_MAX) || 'scenario'

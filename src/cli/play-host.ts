import { randomBytes } from 'node:crypto'
import { listen } from '../host/server.ts'
import { createWorlds } from '../host/worlds.ts'
import { DomainError } from '../world/domain-error.ts'

/** A sandbox that scenarios are played against. */
export interface PlayHost {
  readonly controlToken: string | null
  openWorld(scenario: string): { url: string; close(): Promise<void> }
  close(): Promise<void>
}

export interface HostOptions {
  url: string | undefined
  'control-token': string | undefined
  webhookUrl: string | null
}

/** The sandbox at a URL, or one of our own on a free port. */
export function openHost(options: HostOptions): Promise<PlayHost> {
  const { url, webhookUrl } = options
  const token = options['control-token'] ?? process.env.RAMP_SANDBOX_CONTROL_TOKEN ?? null
  return url === undefined ? startHost(webhookUrl) : connectHost(url, token)
}

async function startHost(webhookUrl: string | null): Promise<PlayHost> {
  // Who names an endpoint wants it to be reached, wherever it is.
  const allowed = webhookUrl === null ? [] : [new URL(webhookUrl).host]
  const worlds = createWorlds({ allowWebhookHosts: allowed })
  const listening = await listen({ fetch: worlds.fetch, port: 0, overrideGlobals: true })
  return {
    controlToken: null,
    openWorld: (scenario) => ({
      url: `${listening.url}/w/${toWorldName(scenario)}`,
      close: async () => undefined,
    }),
    async close() {
      await listening.close()
      await worlds.close()
    },
  }
}

async function connectHost(url: string, controlToken: string | null): Promise<PlayHost> {
  const root = url.replace(/\/(w\/[^/]*\/?)?$/, '')
  const headers = {
    'content-type': 'application/json',
    ...(controlToken !== null && { authorization: `Bearer ${controlToken}` }),
  }
  await refuseUnreachable(root, headers)
  return {
    controlToken,
    openWorld(scenario) {
      // Others may play the same scenario there.
      const name = `${toWorldName(scenario)}-${randomBytes(4).toString('hex')}`
      return {
        url: `${root}/w/${name}`,
        async close() {
          await fetch(`${root}/_sandbox/worlds/${name}`, { method: 'DELETE', headers })
        },
      }
    },
    close: async () => undefined,
  }
}

/** As long as a name of a world may be, less what makes it unique. */
const NAME_LENGTH_MAX = 50

const toWorldName = (scenario: string): string =>
  scenario
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, NAME_LENGTH_MAX) || 'scenario'

async function refuseUnreachable(root: string, headers: Record<string, string>) {
  const why = await fetch(`${root}/_sandbox/health`, { headers }).then(
    async (response) => (response.ok ? undefined : `it answered ${response.status}`),
    (error: Error) =>
      String((error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.message),
  )
  if (why === undefined) return
  const hint = 'ramp-sandbox start starts one; without --url, play has one of its own.'
  throw new DomainError('conflict', '--url', `No sandbox answers at ${root}: ${why}.`, { hint })
}

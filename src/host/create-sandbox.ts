import { type ClientOptions, createClient } from '../client/client.ts'
import { SandboxError } from '../client/error.ts'
import { assertRealTicks } from '../client/fake-timers.ts'
import type { FixtureDocument } from '../fixture/format.ts'
import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import type { GivenSettings } from '../world/settings/index.ts'
import { openInheritedLog, readInheritedSettings, writeCoverageAtExit } from './exec-environment.ts'
import { type ExplorableSandbox, toExplorable } from './explorable.ts'
import type { Listening } from './server.ts'
import { Worlds } from './worlds.ts'

export interface SandboxOptions {
  /** A fixture's name, the path of its file, or the fixture itself. Default: `default`, no users. */
  fixture?: string | FixtureDocument | undefined
  /** Text that ids derive from; `random` draws one. Default: the fixture's, else always the same. */
  seed?: string | undefined
  /** `running` (the default), `frozen`, an instant (frozen there) or `running@<instant>`. */
  clock?: string | undefined
  /** Differences from the defaults, such as `{ 'quotes.ttl': '5m' }`. */
  settings?: GivenSettings | undefined
  /**
   * Listens on loopback, so that other programs can reach the sandbox at `url`. With `false`, no
   * socket is opened and everything goes through `fetch`. Default: true.
   */
  listen?: boolean | undefined
  /** Default: any free one. */
  port?: number | undefined
  /** Hosts that webhooks may use over http or at a private address. Loopback is always allowed. */
  allowWebhookHosts?: readonly string[] | undefined
}

const OPTIONS: Record<keyof SandboxOptions, true> = {
  fixture: true,
  seed: true,
  clock: true,
  settings: true,
  listen: true,
  port: true,
  allowWebhookHosts: true,
}

/** Never resolves, so a request sent there by mistake fails with an error that shows this name. */
const OFFLINE_HOST = 'ramp-sandbox.invalid'

/**
 * Starts a sandbox in this process.
 *
 * `{ listen: false }` opens no socket: every call then goes through `sandbox.fetch`.
 *
 * @example
 * await using sandbox = await createSandbox({
 *   fixture: 'verified-user',
 *   clock: '2026-07-01T12:00:00Z',
 * })
 * const search = await sandbox.fetch('/v2/users?email=alice@example.com', {
 *   headers: { 'x-api-key': sandbox.apiKey },
 * })
 * assert.equal(search.status, 200)
 * const { to } = await sandbox.clock.advance('1h')
 * assert.equal(to, '2026-07-01T13:00:00.000Z')
 *
 * @throws SandboxError when an option is wrong, with one entry in `problems` for each, or when the
 * port is taken (code `EADDRINUSE`).
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<ExplorableSandbox> {
  const host = await openHost(options)
  return toExplorable(createClient(host), { fetch: host.fetch })
}

export interface Host extends ClientOptions {
  close(): Promise<void>
}

export async function openHost(options: SandboxOptions): Promise<Host> {
  try {
    assertKnown(options)
    return await open(options)
  } catch (error) {
    throw error instanceof DomainError ? toSandboxError(error) : error
  }
}

async function open(options: SandboxOptions): Promise<Host> {
  const { fixture, seed, clock, allowWebhookHosts, listen = true, port = 0 } = options
  if (listen) assertRealTicks()
  let bound: number | undefined
  const log = openInheritedLog()
  const worlds = new Worlds({
    fixture,
    seed,
    clock,
    allowWebhookHosts,
    settings: options.settings as Record<string, string | number>,
    reading: readInheritedSettings(),
    onOpen: log && ((services) => log.follow(services)),
    allowHosts: [OFFLINE_HOST],
    listens: listen ? { isLoopback: true, port: () => bound } : undefined,
  })
  const writeCoverage = writeCoverageAtExit(worlds)
  try {
    const listening = listen ? await listenOn(worlds, port) : undefined
    bound = listening?.port
    return {
      fetch: worlds.fetch,
      hasSocket: listen,
      url: listening?.url ?? `http://${OFFLINE_HOST}`,
      apiKey: worlds.info().apiKey,
      async close() {
        await worlds.close()
        writeCoverage()
        await listening?.close()
      },
    }
  } catch (error) {
    await worlds.close()
    throw error
  }
}

/** Rejects misspelt options, which JavaScript callers would never notice. */
function assertKnown(options: SandboxOptions) {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(OPTIONS, name)) continue
    const message = `createSandbox has no option ${name}${suggest(name, Object.keys(OPTIONS))}`
    throw new DomainError('invalid', message, { field: name })
  }
}

/** The server's code is loaded only when a sandbox listens. */
async function listenOn({ fetch }: Worlds, port: number): Promise<Listening> {
  const { listen } = await import('./server.ts')
  return await listen({ fetch, port })
}

function toSandboxError(error: DomainError): SandboxError {
  const { code, problems, detail } = error
  const sentences = problems.map(({ message }) => message)
  if (detail.hint) sentences.push(detail.hint)
  return new SandboxError(sentences.join(' '), { code, problems, cause: error })
}

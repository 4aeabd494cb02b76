import { type ClientOptions, createClient } from '../client/client.ts'
import { SandboxError } from '../client/error.ts'
import { assertRealTicks } from '../client/fake-timers.ts'
import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { type ExplorableSandbox, toExplorable } from './explorable.ts'
import type { Log } from './log.ts'
import { openSandbox } from './sandbox.ts'
import type { StartOptions } from './start-options.ts'

/** How `createSandbox` starts a sandbox; the library needs its control API. */
export interface SandboxOptions extends Omit<StartOptions, 'control'> {
  /**
   * Listens on loopback, so that other programs can reach the sandbox at `url`. With `false`, no
   * socket is opened and everything goes through `fetch`. Default: true.
   */
  listen?: boolean | undefined
}

const OPTIONS: Record<keyof SandboxOptions, true> = {
  fixture: true,
  seed: true,
  clock: true,
  settings: true,
  data: true,
  listen: true,
  port: true,
  host: true,
  tlsCert: true,
  tlsKey: true,
  publicUrl: true,
  allowHosts: true,
  allowWebhookHosts: true,
  webhookUrl: true,
  controlToken: true,
}

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
  return toExplorable(createClient(host), host)
}

export interface Host extends ClientOptions {
  close(): Promise<void>
}

export async function openHost(options: SandboxOptions, log?: Log): Promise<Host> {
  const { listen = true, controlToken } = options
  try {
    assertKnown(options)
    if (listen) assertRealTicks()
    const { fetch, url, info, close } = await openSandbox({ ...options, log })
    return { fetch, url, apiKey: info.apiKey, controlToken, hasSocket: listen, close }
  } catch (error) {
    throw error instanceof DomainError ? toSandboxError(error) : error
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

function toSandboxError(error: DomainError): SandboxError {
  const { code, problems, detail } = error
  const sentences = problems.map(({ message }) => message)
  if (detail.hint) sentences.push(detail.hint)
  return new SandboxError(sentences.join(' '), { code, problems, cause: error })
}

import { createClient } from '../client/client.ts'
import { type ExplorableSandbox, toExplorable } from './explorable.ts'
import { openHost } from './open-host.ts'
import type { SandboxOptions } from './start-options.ts'

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
 * @throws SandboxError when an option is wrong (`problems` names the first one), or when the port
 * is taken (code `EADDRINUSE`).
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<ExplorableSandbox> {
  const host = await openHost(options)
  return toExplorable(createClient(host), host)
}

import type { Connection, Sandbox } from '../client/client.ts'
import { type ConnectOptions, connectSandbox as connect } from '../client/connect.ts'
import type { ExploredStory, ExploreOptions } from '../variations/options.ts'
import type { Report } from '../variations/report.ts'

/** A sandbox that can put a receiver of webhooks to the test. */
export interface ExplorableSandbox extends Sandbox {
  /**
   * Replays a story with its webhooks reordered, duplicated, lost, early and forged, each time in a
   * world of its own, and compares the receiver's final state.
   *
   * @throws SandboxError with code `findings`, whose message says what breaks the receiver.
   */
  explore(story: ExploredStory, options: ExploreOptions): Promise<Report>
}

export function toExplorable(
  sandbox: Sandbox,
  { fetch, controlToken }: Pick<Connection, 'fetch' | 'controlToken'>,
): ExplorableSandbox {
  const { url, info } = sandbox
  // The object itself is extended, because `apiKey` changes with a reset.
  return Object.assign(sandbox, {
    async explore(story: ExploredStory, options: ExploreOptions) {
      const { exploreInProcess } = await import('../variations/in-process.ts')
      return exploreInProcess({ fetch, controlToken, url, info }, story, options)
    },
  })
}

/**
 * Controls a sandbox that runs elsewhere: started by `ramp-sandbox start`, by `exec`, or in
 * another process. Nothing is sent until the first call. The URL is the base URL of any world;
 * without one it is the environment variable `RAMP_SANDBOX_URL`, which `ramp-sandbox exec` sets.
 *
 * @example
 * const sandbox = connectSandbox(url)
 * await sandbox.clock.freeze()
 * const { from, to } = await sandbox.clock.advance('1h')
 * assert.equal(Date.parse(to) - Date.parse(from), 3_600_000)
 *
 * @throws SandboxError with code `no-url` when there is none, later `unreachable`, and the codes of
 * the control API.
 */
export function connectSandbox(
  url?: string | URL,
  options: ConnectOptions = {},
): ExplorableSandbox {
  const { fetch = (request) => globalThis.fetch(request) } = options
  const controlToken = options.controlToken ?? process.env.RAMP_SANDBOX_CONTROL_TOKEN
  return toExplorable(connect(url, options), { fetch, controlToken })
}

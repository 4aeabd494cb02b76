import { type TestAPI, test as vitestTest } from 'vitest'
import { openWorld, type ResetOptions, type Sandbox } from '../client/client.ts'
import { type Host, openHost } from './create-sandbox.ts'

/** How the world of a test starts: frozen at the present by default. */
export type SandboxSetup = Omit<ResetOptions, 'keep'>

export interface SandboxFixtures {
  /** Changed with `test.override`, for a file or a `describe`. */
  sandboxSetup: SandboxSetup
  /** A world of the test's own with a frozen clock; it ends with the test. */
  sandbox: Sandbox
}

let worldCount = 0

/**
 * Vitest's `test` with a `sandbox` fixture: a separate world for each test, so that tests can run
 * concurrently, in one worker or many. The first test that uses it starts the worker's server. It
 * needs Vitest 4.1 or newer; with an older one, use `test.extend` and `createSandbox`.
 *
 * @example
 * test.override({ sandboxSetup: { fixture: 'verified-user' } })
 *
 * test('finds alice', async ({ sandbox, expect }) => {
 *   const alice = await sandbox.users.get('alice@example.com')
 *   expect(alice.status).toBe('verified')
 * })
 */
export const test: TestAPI<SandboxFixtures> = withOverride().extend<
  SandboxFixtures & { sandboxHost: Host }
>({
  sandboxHost: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures are needed.
    async ({}, use) => {
      const host = await openHost({ clock: 'frozen' })
      await use(host)
      await host.close()
    },
    { scope: 'worker' },
  ],
  sandboxSetup: {},
  sandbox: async ({ sandboxHost, sandboxSetup }, use) => {
    const world = openWorld({ ...sandboxHost, start: sandboxSetup }, `test-${++worldCount}`)
    if (Object.keys(sandboxSetup).length > 0) await world.reset()
    await use(world)
    await world.close()
  },
})

function withOverride(): TestAPI {
  if ('override' in vitestTest) return vitestTest
  throw new Error(
    'ramp-sandbox/vitest needs Vitest 4.1 or newer. docs/recipes.md of the package shows what to do with an older one.',
  )
}

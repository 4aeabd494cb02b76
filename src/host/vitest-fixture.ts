import { test as base, type TestAPI } from 'vitest'
import { extendTest, type SandboxFixtures } from './extend-test.ts'

/**
 * Vitest's `test` with a `sandbox` fixture: a separate world for each test, so that tests can run
 * concurrently, in one worker or many. Its name comes from the file and title of the test, so that
 * no two tests share an id, and each has the same ids in every run. The first test that uses it starts the worker's server. It
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
export const test: TestAPI<SandboxFixtures> = extendTest(base)

export type { SandboxFixtures, SandboxSetup } from './host/extend-test.ts'
export { test } from './host/vitest-fixture.ts'

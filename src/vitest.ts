export { type SandboxFixtures, type SandboxSetup, test } from './host/vitest-fixture.ts'

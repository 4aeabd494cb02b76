import type { Sandbox } from '../../src/index.ts'

export const ALICE = 'alice@example.com'

/** The id of a new buy of alice, who must be in the fixture. */
export const buy = async (sandbox: Sandbox): Promise<string> =>
  (await sandbox.buy(ALICE, { cad: 1000 })).transaction.id

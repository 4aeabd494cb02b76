// The library as an ES module. It hands on what index.cjs has, so that both share one state.
import { load } from './load.js'

export const { SandboxError, connectSandbox, createReceiver, createSandbox, verifySignature } =
  load('./index.cjs')

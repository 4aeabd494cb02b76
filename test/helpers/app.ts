import type { WorldsOptions } from '../../src/host/worlds.ts'
import * as contract from '../contract.ts'
import { appOver, type Fetch, openAppWith, type TestApp } from './world-app.ts'

export * from './world-app.ts'

/** A fresh sandbox with a frozen clock at noon; every v2 response passes through `contract.ts`. */
export const openApp = (options: WorldsOptions = {}): TestApp => openAppWith(contract, options)

export const appOf = (fetch: Fetch, prefix: string, close: () => Promise<void>): TestApp =>
  appOver(fetch, { prefix, close, contract })

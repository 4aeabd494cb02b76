import { createApp, type DialectRow } from '../http/app.ts'
import { control, controlOperations } from '../http/control/index.ts'
import { type App, allowOrigins } from '../http/cors.ts'
import { kyb } from '../http/kyb.ts'
import type { Operation } from '../http/operation.ts'

import { unversioned } from '../http/unversioned.ts'
import { v1Operations } from '../http/v1/index.ts'
import { v2, v2Operations } from '../http/v2/index.ts'
import { mountPages } from './pages.ts'

/** Every operation; routes and documents use the same table. */
export const OPERATIONS: readonly Operation[] = [
  ...v2Operations,
  ...v1Operations,
  ...kyb,
  ...controlOperations,
]

/** Dialects for paths without an operation, by prefix. */
export const DIALECTS: readonly DialectRow[] = [
  { prefix: '/_sandbox', dialect: control },
  { prefix: '/v2', dialect: v2 },
  { prefix: '/', dialect: unversioned },
]

let app: App | undefined

/** The app of this process, made on first use: the bindings of a call name its world. */
export function openApp(): App {
  if (app) return app
  const options = { operations: OPERATIONS, dialects: DIALECTS }
  const plain = createApp(options)
  mountPages(plain)
  app = allowOrigins(plain, options)
  return app
}

import type { Hono } from 'hono'
import { createApp, type DialectRow } from '../http/app.ts'
import { control, controlOperations } from '../http/control/index.ts'
import { kyb } from '../http/kyb.ts'
import type { Operation } from '../http/operation.ts'
import type { Env } from '../http/services.ts'
import { unversioned } from '../http/unversioned.ts'
import { v1Operations } from '../http/v1/index.ts'
import { v2, v2Operations } from '../http/v2/index.ts'
import { mountPages } from './pages.ts'

/** Everything that can be called, in the one table that routes and documents share. */
export const OPERATIONS: readonly Operation[] = [
  ...v2Operations,
  ...v1Operations,
  ...kyb,
  ...controlOperations,
]

/** The dialect of paths that no operation has, by how they begin. */
export const DIALECTS: readonly DialectRow[] = [
  { prefix: '/_sandbox', dialect: control },
  { prefix: '/v2', dialect: v2 },
  { prefix: '/', dialect: unversioned },
]

/** The app of every world: operations and pages. */
export function mountOperations(): Hono<Env> {
  const app = createApp({ operations: OPERATIONS, dialects: DIALECTS })
  mountPages(app)
  return app
}

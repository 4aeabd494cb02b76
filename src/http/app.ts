import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { BrokenConnection } from './api-fault.ts'
import type { Dialect, Operation } from './operation.ts'
import { createRouter } from './router.ts'
import { run } from './run.ts'
import type { Env } from './services.ts'
import { unknownPath } from './unknown-path.ts'

export interface AppOptions {
  operations: readonly Operation[]
  /** The dialect that an unknown path is answered in: the first whose prefix fits. */
  dialects: readonly { prefix: string; dialect: Dialect }[]
}

/** One app for every world: which one a call means comes with its bindings. */
export function createApp({ operations, dialects }: AppOptions): Hono<Env> {
  const app = new Hono<Env>({
    router: createRouter(),
    getPath: (request, options) => getPath(request).slice(options?.env?.prefix.length ?? 0) || '/',
  })
  for (const operation of operations) {
    app.on(operation.method, operation.path, (c) => run(operation, c))
  }
  app.onError((error) => {
    if (error instanceof BrokenConnection) throw error
    console.error(error)
    return new Response('The sandbox failed; its log has the stack.\n', { status: 500 })
  })
  app.notFound((c) => unknownPath(c, { operations, dialects }))
  return app
}

import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { BrokenConnection } from './api-fault.ts'
import { runCall } from './call.ts'
import type { Operation } from './operation.ts'
import type { Env } from './services.ts'
import { HttpError } from './status.ts'
import { answerUnknownPath, type Routes } from './unknown-path.ts'

export interface AppOptions extends Routes {
  operations: readonly Operation[]
}

/** One app for every world: the bindings of a call say which one it means. */
export function createApp({ operations, dialects }: AppOptions): Hono<Env> {
  const app = new Hono<Env>({
    getPath: (request, options) => getPath(request).slice(options?.env?.skipped ?? 0) || '/',
  })
  for (const operation of operations) {
    app.on(operation.method, operation.path, (c) => runCall(operation, c))
  }
  app.onError((error) => {
    if (error instanceof BrokenConnection) throw error
    if (error instanceof HttpError) {
      const { message, status, headers } = error
      return new Response(`${message}\n`, { status, headers })
    }
    console.error(error)
    return new Response('The sandbox failed; its log has the stack.\n', { status: 500 })
  })
  app.notFound((c) => answerUnknownPath(c, { operations, dialects }))
  return app
}

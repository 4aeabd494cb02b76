import type { Context } from 'hono'
import type { Env } from './services.ts'

/** A header of a request, by its name in lower case. Node has it at hand; Hono looks for it. */
export function headerOf({ env, req }: Context<Env>, name: string): string | undefined {
  if (env.socket === undefined) return req.header(name)
  const value = env.socket.incoming.headers[name]
  return typeof value === 'string' ? value : undefined
}

import type { Context } from 'hono'
import type { Env } from '../services.ts'

/** The base URL of this world, or of another prefix, at the address the caller reached it by. */
export function baseUrlOf(c: Context<Env>, prefix = c.env.prefix): string {
  return `${new URL(c.req.url).origin}${prefix}`
}

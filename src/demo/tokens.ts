import type { Hono } from 'hono'
import { readBytes } from '../http/input.ts'
import type { Env } from '../http/services.ts'
import { assertAllowed, respond } from './records.ts'

const TOKEN_MAX = 10_000

/**
 * Mounts the route that issues the access token of a login again, because tokens name their world: in
 * a fork, and in the world that takes over the state of a fork.
 */
export function mountTokens(app: Hono<Env>): void {
  app.post('/_sandbox/demo/token', async (c) => {
    assertAllowed(c)
    const text = Buffer.from(await readBytes(c, TOKEN_MAX)).toString()
    const { world, tokens } = c.env.services
    const session = world.sessions.get(idIn(text))
    return respond(JSON.stringify({ token: session ? tokens.issue(session) : null }))
  })
}

/** Id of the login in `{"token": …}`; empty where there is none. */
function idIn(text: string): string {
  try {
    const [, claims = ''] = String(JSON.parse(text).token).split('.')
    return String(JSON.parse(Buffer.from(claims, 'base64url').toString()).jti)
  } catch {
    return ''
  }
}

import type { Context, Hono } from 'hono'
import type { Env } from '../http/services.ts'

const PATHS = [
  '/_sandbox',
  '/_sandbox/',
  '/_sandbox/ui/*',
  '/_sandbox/demo',
  '/_sandbox/kyc/:token',
  '/_sandbox/bank/:id',
  '/_sandbox/assets/:file',
]

/** Mounts the pages for people. Their code is loaded when the first of them is asked for. */
export function mountPages(app: Hono<Env>): void {
  for (const path of PATHS) app.get(path, answer)
  app.get('/', welcome)

  /** A person who opens the base URL wants the dashboard; a program gets its 404. */
  function welcome(c: Context<Env>) {
    const isPerson = c.req.header('accept')?.includes('text/html')
    return isPerson ? c.redirect(`${c.env.prefix}/_sandbox/`) : c.notFound()
  }

  async function answer(c: Context<Env>): Promise<Response> {
    const { show, demo } = await import('./views.ts')
    const { services, prefix, control } = c.env
    services.timekeeper.sync()
    const { origin } = new URL(c.req.url)
    // The visitor's own headers, so that the control API judges the visitor and not this page.
    const headers = new Headers(c.req.header())
    headers.set('host', c.req.header('host') ?? new URL(c.req.url).host)
    const visit = {
      request: c.req.raw,
      path: c.req.path,
      prefix,
      sight: services,
      enabled: control.enabled,
      version: control.version,
      worlds: control.worlds.list,
      call: async (path: string) =>
        app.fetch(new Request(`${origin}${prefix}${path}`, { headers }), c.env),
    }
    return show(visit, demo)
  }
}

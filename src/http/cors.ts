import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { type AppOptions, contractMethodsAt, pathBelowWorld } from './app.ts'
import type { Env } from './operation.ts'
import type { Bindings } from './services.ts'

export interface App {
  fetch(request: Request, env: Bindings): Response | Promise<Response>
}

/**
 * Lets pages of the origins in the setting `cors` call the API of the contract. Hono's middleware
 * slows responses down, so calls pass it only while the setting names an origin.
 */
export function allowOrigins(app: Hono<Env>, options: AppOptions): App {
  const open = new Hono<Env>({ getPath: pathBelowWorld })
  open.use((c, next) => {
    const origins = c.env.services.world.settings.cors
    const allowMethods = contractMethodsAt(c.req.path, options)
    if (allowMethods === undefined) return next()
    const middleware = cors({
      origin: origins === '*' ? '*' : origins.split(','),
      allowMethods,
      // A browser asks for these before it sends a key or JSON to another origin.
      allowHeaders: ['authorization', 'content-type', 'x-api-key'],
      maxAge: 600,
    })
    return middleware(c, next)
  })
  open.all('*', (c) => app.fetch(c.req.raw, c.env))
  open.onError((error) => {
    throw error
  })
  return {
    fetch: (request, env) =>
      (env.services.world.settings.cors === 'none' ? app : open).fetch(request, env),
  }
}

import { listen } from '../../src/host/server.ts'
import { Worlds, type WorldsOptions } from '../../src/host/worlds.ts'
import { appOf, NOON } from '../helpers/app.ts'
import { type Control, controlOf, type Opened } from './control.ts'

export interface Live extends Control, Opened {
  readonly url: string
}

/** As `openControl`, behind a real server on a free port. */
export async function openLive(options: WorldsOptions = {}): Promise<Live> {
  const listens = { isLoopback: true, port: () => server.port }
  const worlds = new Worlds({ fixture: 'verified-user', clock: NOON, listens, ...options })
  const server = await listen({ fetch: worlds.fetch, port: 0 })
  const close = async () => {
    await server.close()
    await worlds.close()
  }
  const app = appOf((request) => fetch(onPort(request, server.port)), '', close)
  return {
    ...controlOf(app),
    url: server.url,
    open: async (path, init) => worlds.fetch(new Request(`${server.url}/_sandbox${path}`, init)),
    [Symbol.asyncDispose]: close,
  }
}

function onPort(request: Request, port: number): Request {
  const url = new URL(request.url)
  url.port = String(port)
  return new Request(url, request)
}

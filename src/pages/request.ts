import type { Bindings } from '../http/services.ts'
import type { World } from '../world/world.ts'
import { tagged } from './assets.ts'

/** A request for a page, with the world that it belongs to. */
export interface PageRequest extends Pick<Bindings, 'services' | 'prefix' | 'control'> {
  request: Request
  /** Origin that the browser uses, and the path that a proxy puts before every world. */
  origin: string
  sitePath: string
  /** Below the world's base URL. */
  path: string
  /** Calls the control API with the headers of this request; the path is below the base URL. */
  call(path: string, options?: RequestInit): Promise<Response>
}

/** Input of the functions that render a page. */
export interface Page extends PageRequest {
  world: World
  query: URLSearchParams
  /** The link to a path below the world's base URL, such as `/_sandbox/kyc/…`. */
  link(path: string): string
  /** The link to a file that pages load, which browsers may keep: another content has another link. */
  asset(file: string): string
  /** Why the form that was sent was refused. */
  problem?: string
}

/** Links to files that pages load, below the path that a proxy puts before every world. */
export const toLoader = (sitePath: string): Pick<Page, 'asset'> => ({
  asset: (file) => `${sitePath}/_sandbox/assets/${tagged(file)}`,
})

export const toPage = (asked: PageRequest): Page => ({
  ...asked,
  world: asked.services.world,
  query: new URL(asked.request.url).searchParams,
  link: (path) => `${asked.prefix}${path}`,
  ...toLoader(asked.sitePath),
})

/** Decodes a part of a URL; broken escapes stay as they are. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

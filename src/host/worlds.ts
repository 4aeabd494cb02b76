import type { Coverage } from '../control-api/info.ts'
import type { Situations } from '../engine/situations.ts'
import { respondOutside } from '../http/app.ts'
import { readCoverage } from '../http/control/coverage.ts'
import type { Bindings, HttpExchange, ProcessServices } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import type { Store } from '../store/store.ts'
import { messageOf } from '../world/domain-error.ts'
import { formatSettings } from '../world/settings/index.ts'
import { describeSunset } from '../world/sunset.ts'
import { type Arrival, Arrivals, STATUS_PATH, WORLD_PATH } from './arrival.ts'
import { HostedWorlds } from './hosted-worlds.ts'
import { createMcp } from './mcp.ts'
import { BAD_NAME } from './new-world.ts'
import { DIALECTS, OPERATIONS, openApp } from './operations.ts'
import { type ProcessOptions, readOptions, type WorldsOptions } from './options.ts'
import { HostedPlays } from './plays.ts'

export type { WorldsOptions } from './options.ts'

/** Many worlds behind one `fetch`, made on first use. */
export class Worlds {
  readonly #options: ProcessOptions
  readonly #arrivals: Arrivals
  readonly #hosted: HostedWorlds
  readonly #services: ProcessServices
  readonly #app = openApp()

  constructor(options: WorldsOptions = {}) {
    this.#options = readOptions(options)
    this.#arrivals = new Arrivals(this.#options.reach)
    this.#hosted = new HostedWorlds(this.#options)
    this.#services = this.#createServices()
  }

  /**
   * Responds to a call; `socket` is its connection, if any. A field, so that servers can take it.
   */
  readonly fetch = (request: Request, socket?: HttpExchange): Response | Promise<Response> =>
    this.#route(request, socket)

  info() {
    const { world, timekeeper } = this.#hosted.main
    timekeeper.sync()
    const { seed, fixture, now, mode, integrators, settings } = world
    const [first] = integrators
    return {
      apiKey: first?.apiKey ?? '',
      signingSecret: first?.signingSecret ?? null,
      seed,
      fixture,
      now,
      mode,
      v1: describeSunset(world),
      settings: formatSettings(settings),
    }
  }

  get situations(): Situations {
    return this.#hosted.situations
  }

  coverage(): Coverage {
    return readCoverage(this.situations, OPERATIONS, this.#hosted.main.world.settings)
  }

  async close(): Promise<void> {
    await this.#hosted.close()
  }

  #createServices(): ProcessServices {
    const { control, store } = this.#options
    const { situations } = this.#hosted
    return {
      ...control,
      version: __VERSION__,
      storage: () => store?.status ?? null,
      worlds: this.#hosted,
      plays: new HostedPlays(this.#hosted, this.fetch),
      mcp: createMcp(this.fetch),
      situations,
      operations: OPERATIONS,
    }
  }

  #route(request: Request, socket?: HttpExchange): Response | Promise<Response> {
    const arrival = this.#arrivals.read(request, socket)
    const { path, site, skipped, error } = arrival
    if (error) return respondOutside(path.replace(WORLD_PATH, ''), error, DIALECTS)
    if (path.startsWith('/w/')) return this.#routeToNamed(request, arrival, socket)
    const services = this.#hosted.main
    const at = { services, prefix: '', site, skipped, control: this.#services, socket }
    return this.#respond(request, path, at)
  }

  #routeToNamed(request: Request, { path, site, skipped }: Arrival, socket?: HttpExchange) {
    const [prefix, name] = WORLD_PATH.exec(path) ?? []
    if (prefix === undefined || name === undefined) {
      return respondOutside(path.replace(/^\/w\/[^/?]*/, ''), BAD_NAME, DIALECTS)
    }
    const below = path.slice(prefix.length)
    try {
      const services = this.#hosted.openFor({ name, request, path: below })
      const at = {
        services,
        prefix,
        site,
        skipped: skipped + prefix.length,
        control: this.#services,
        socket,
      }
      if (services.isPrivate) return services.run(() => this.#app.fetch(request, at))
      return this.#respond(request, below, at)
    } catch (error) {
      if (error instanceof HttpError) return respondOutside(below, error, DIALECTS)
      throw error
    }
  }

  #respond(request: Request, path: string, at: Bindings): Response | Promise<Response> {
    const { store } = this.#options
    const response = this.#app.fetch(request, at)
    return store ? this.#whenStored(store, { response, path, name: at.services.name }) : response
  }

  /** Sends a response only once the changes that it reports are on disk. */
  async #whenStored(store: Store, { response, path, name }: Unstored): Promise<Response> {
    const sent = await response
    const written = store.written(name)
    try {
      if (STATUS_PATH.test(path)) written.catch(() => undefined)
      else await written
      return sent
    } catch (error) {
      return respondOutside(path, notStored(error), DIALECTS)
    }
  }
}

interface Unstored {
  response: Response | Promise<Response>
  path: string
  /** Name of the world. */
  name: string
}

function notStored(error: unknown): HttpError {
  const message =
    `This call was applied, but what it read or changed is not yet on disk: ${messageOf(error)}. ` +
    'Each call tries again to write it, so do not repeat this one.'
  return new HttpError(507, 'data', message, {
    code: 'data-file',
    hint: 'A process that ends before that loses it.',
  })
}

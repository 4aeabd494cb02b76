import { type ControlClient, createControl } from '../client/control.ts'
import { type ControlApi, createControlApi } from '../client/control-api.ts'
import { createHttpClient, type HttpClient } from '../client/http.ts'

/** A world: its base URL, and how it is reached. */
export interface Site {
  url: string
  fetch(request: Request): Response | Promise<Response>
  controlToken?: string | undefined
}

/** A fork of a world, or of one of its snapshots. */
export class WorldFork implements Site {
  readonly url: string
  readonly fetch: Site['fetch']
  readonly controlToken: string | undefined
  readonly send: HttpClient['send']
  readonly control: ControlClient
  readonly controlApi: ControlApi
  readonly #name: string

  private constructor(site: Site, name: string) {
    this.url = site.url
    this.fetch = site.fetch
    this.controlToken = site.controlToken
    this.#name = name
    this.send = toSend(site)
    this.control = createControl({ url: site.url, send: this.send })
    this.controlApi = createControlApi(this.control)
  }

  static async of(site: Site, snapshot?: string): Promise<WorldFork> {
    const control = createControl({ url: site.url, send: toSend(site) })
    const made = await createControlApi(control).worlds.create({ from: { snapshot } })
    return new WorldFork({ ...site, url: made.baseUrl }, made.name)
  }

  async delete(): Promise<void> {
    await this.controlApi.worlds.delete(this.#name).catch(() => undefined)
  }
}

function toSend({ url, controlToken, fetch: ask }: Site): HttpClient['send'] {
  const fetch = (target: string, init: RequestInit) => ask(new Request(target, init))
  return createHttpClient({ url, controlToken, fetch }).send
}

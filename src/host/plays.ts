import { nanoid } from 'nanoid'
import type { NamedPlayRequest, PlayedHere, Plays, ScenarioSummary } from '../control-api/plays.ts'
import { assertFilesCanBeOpened, failToLoad } from '../http/open-files.ts'
import { DomainError } from '../world/domain-error.ts'

/** Kept worlds of finished plays; the oldest is dropped. */
const KEPT_MAX = 5

const loadPlayer = () => import('../scenario/play.ts').catch(failToLoad)

/** Worlds of this process, in which scenarios play. */
interface PlayWorlds {
  has(name: string): boolean
  delete(name: string): Promise<void>
}

type Fetch = (request: Request) => Response | Promise<Response>

/** Plays scenarios in worlds of this process; the code for it is loaded on first use. */
export class HostedPlays implements Plays {
  readonly #worlds: PlayWorlds
  readonly #fetch: Fetch
  readonly #kept: string[] = []

  constructor(worlds: PlayWorlds, fetch: Fetch) {
    this.#worlds = worlds
    this.#fetch = fetch
  }

  async list(): Promise<ScenarioSummary[]> {
    const { listScenarios } = await loadPlayer()
    // Listing imports every scenario.
    assertFilesCanBeOpened()
    return listScenarios()
  }

  async begin(request: NamedPlayRequest): Promise<{ ended: Promise<PlayedHere> }> {
    const { findNamedScenario, playScenario, UnknownScenario } = await loadPlayer()
    const { name, origin, webhookUrl, controlToken, keepWorld, onEvent } = request
    const found = findNamedScenario(name)
    if (found instanceof UnknownScenario) {
      throw new DomainError('not-found', found.message, { field: 'name' })
    }
    // A random name, so that a scenario never resets or deletes a world that someone uses.
    const world = `${name}-${nanoid(12)}`
    const play = { ...found, url: `${origin}/w/${world}`, webhookUrl, controlToken }
    const fetch = (target: string, init: RequestInit) => this.#fetch(new Request(target, init))
    const ended = playScenario(play, { onEvent, fetch })
    const played = ended.finally(() => this.#end(world, keepWorld))
    const isKept = () => keepWorld && this.#worlds.has(world)
    return { ended: played.then((result) => ({ ...result, world: isKept() ? world : null })) }
  }

  async #end(world: string, keepWorld: boolean): Promise<void> {
    if (keepWorld) this.#kept.push(world)
    const rest = keepWorld ? this.#kept.splice(0, this.#kept.length - KEPT_MAX) : [world]
    for (const each of rest) await this.#worlds.delete(each).catch(ignoreUnused)
  }
}

/** A scenario that failed before its first call has no world to delete. */
function ignoreUnused(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'not-found')) throw error
}

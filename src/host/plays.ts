import { randomBytes } from 'node:crypto'
import { assertFilesCanBeOpened, failToLoad } from '../http/open-files.ts'
import type { NamedPlayRequest, Plays } from '../levers/plays.ts'
import { DomainError } from '../world/domain-error.ts'

/** Scenarios that play at once: each takes a thread. */
const PLAYS_MAX = 8
/** Worlds that stay to be looked at; the oldest goes for a new one. */
const KEPT_MAX = 5

const loadPlayer = () => import('../scenario/play.ts').catch(failToLoad)

interface PlaysOptions {
  hasWorld(name: string): boolean
  deleteWorld(name: string): Promise<void>
}

/** The code that plays is loaded on first use, as most sandboxes never play. */
export function createPlays({ hasWorld, deleteWorld }: PlaysOptions): Plays {
  let running = 0
  const kept: string[] = []
  return { list, begin }

  async function list() {
    const { listScenarios } = await loadPlayer()
    // Listing imports every scenario.
    assertFilesCanBeOpened()
    return listScenarios()
  }

  async function begin(request: NamedPlayRequest) {
    const { findNamedScenario, playScenario, UnknownScenario } = await loadPlayer()
    const { name, origin, webhookUrl, controlToken, keepWorld, onEvent } = request
    const found = findNamedScenario(name)
    if (found instanceof UnknownScenario)
      throw new DomainError('not-found', found.message, { field: 'name' })
    if (running >= PLAYS_MAX) throw tooMany()
    // Nobody types such a name, so no scenario resets or deletes a world that someone uses.
    const world = `${name}-${randomBytes(8).toString('hex')}`
    const play = { ...found, url: `${origin}/w/${world}`, webhookUrl, controlToken }
    running++
    const played = playScenario(play, { onEvent }).finally(async () => {
      running--
      if (keepWorld) kept.push(world)
      const rest = keepWorld ? kept.splice(0, kept.length - KEPT_MAX) : [world]
      for (const each of rest) await deleteWorld(each).catch(ignoreUnused)
    })
    const isKept = () => keepWorld && hasWorld(world)
    return { ended: played.then((result) => ({ ...result, world: isKept() ? world : null })) }
  }
}

function tooMany(): DomainError {
  const message = `At most ${PLAYS_MAX} scenarios may play at once; try again when one has ended.`
  return new DomainError('too-many-plays', message, { field: 'name' })
}

/** A scenario that failed before its first call has no world to delete. */
function ignoreUnused(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'not-found')) throw error
}

import { join } from 'node:path'
import { SandboxError } from '../client/error.ts'
import type { Json } from '../client/http.ts'
import { loadScenario } from '../scenario/load.ts'
import { findScenario, UnknownScenario } from '../scenario/play.ts'
import type { WorldAccess } from '../scenario/receiver-commands.ts'
import type { Scenario } from '../scenario/types.ts'
import { type Exploration, type ExplorerOptions, explore, type StoryToPlay } from './explore.ts'

export interface ExploreOptions {
  /** Makes the receiver forget everything. */
  reset(place: WorldAccess): unknown
  /** State of the receiver after the story, as JSON or text. */
  state(place: WorldAccess): unknown
  /** Lets the receiver ask for what it lost; `place.url` leads to the world of the run. */
  reconcile?: ((place: WorldAccess) => unknown) | undefined
  /** Default: where webhooks of the first integrator go. */
  webhookUrl?: string | undefined
  /** Fields of the state that differ each time: a name anywhere, or a path such as `orders.*.at`. */
  ignore?: readonly string[] | undefined
  /** 2 also tries every pair. Default: 1. */
  depth?: 1 | 2 | undefined
  /** Runs, at most. Default: 2,000. */
  max?: number | undefined
  /** How long the state may still change after a story, in ms. Default: 500. */
  settleMs?: number | undefined
}

/** A scenario's name, the path of its file, the scenario itself, or what happens from here on. */
export type ExploredStory = string | Scenario | Scenario['play']

type Site = Pick<ExplorerOptions, 'url' | 'fetch' | 'controlToken'> & { info(): Promise<Json> }

/** Explores a receiver of this process; throws an error whose message says what breaks it. */
export async function exploreReceiver(
  site: Site,
  given: ExploredStory,
  options: ExploreOptions,
): Promise<Exploration> {
  const { reset, state, reconcile, ignore, depth, max, settleMs } = options
  const { integrators } = options.webhookUrl === undefined ? await site.info() : {}
  const url: string | null = options.webhookUrl ?? integrators?.[0]?.webhookUrl
  if (!url) {
    const message = 'Webhooks go nowhere: configure them, or give a webhookUrl.'
    throw new SandboxError(message, { code: 'invalid' })
  }
  const exploration = await explore(await toStory(given), {
    ...site,
    ...{ ignore, depth, max, settleMs },
    receiver: {
      url,
      reset: async (place) => reset(place),
      // As JSON, so that it stays as it is now.
      state: async (place) => toJson(await state(place)),
      reconcile: reconcile && (async (place) => reconcile(place)),
    },
  })
  const { findings } = exploration
  if (findings.length === 0) return exploration
  throw new SandboxError(findings.map(({ sentence }) => sentence).join('\n'), { code: 'findings' })
}

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

async function toStory(given: ExploredStory): Promise<StoryToPlay> {
  if (typeof given === 'function') return given
  if (typeof given === 'object') {
    return { name: given.title, file: join(process.cwd(), 'story.js'), scenario: given }
  }
  const found = findScenario(given)
  if (found instanceof UnknownScenario) throw new SandboxError(found.message, { code: 'not-found' })
  return { ...found, scenario: await loadScenario(found.file) }
}

import { join } from 'node:path'
import { SandboxError } from '../client/error.ts'
import type { Json } from '../client/http.ts'
import type { WorldAccess } from '../scenario/receiver-commands.ts'
import type { Scenario } from '../scenario/types.ts'
import { type Exploration, explore } from './explore.ts'
import { loadStory, type StoryToPlay } from './runner.ts'
import type { Site } from './world-fork.ts'

export interface ExploreOptions {
  /** Makes the receiver forget everything. */
  reset(place: WorldAccess): unknown
  /** State of the receiver after the story, as JSON or text. */
  state(place: WorldAccess): unknown
  /** Lets the receiver ask for what it lost; `place.url` leads to the world of the run. */
  reconcile?: ((place: WorldAccess) => unknown) | undefined
  /** Default: where webhooks of the first integrator go. */
  webhookUrl?: string | undefined
  /** Also disturbs the calls that your own code makes to `place.url` during the story. */
  calls?: boolean | undefined
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

type StorySite = Site & { info(): Promise<Json> }

/** Explores a receiver of this process; throws an error whose message says what breaks it. */
export async function exploreReceiver(
  site: StorySite,
  given: ExploredStory,
  options: ExploreOptions,
): Promise<Exploration> {
  assertOptions(options)
  const { reset, state, reconcile, max } = options
  const exploration = await explore(await toStory(given), {
    ...site,
    ignore: options.ignore,
    depth: options.depth,
    max,
    settleMs: options.settleMs,
    calls: options.calls,
    receiver: {
      url: await findUrl(site, options),
      reset: async (place) => reset(place),
      // A copy, because the receiver may change the object later.
      state: async (place) => toJson(await state(place)),
      reconcile: reconcile && (async (place) => reconcile(place)),
    },
  })
  assertNothingFound(exploration, max !== undefined)
  return exploration
}

function assertNothingFound({ findings, unclear, leftOut, runs }: Exploration, isLimited: boolean) {
  if (findings.length > 0) {
    const message = findings.map(({ sentence }) => sentence).join('\n')
    throw new SandboxError(message, { code: 'findings' })
  }
  if (unclear.length > 0) {
    const message = `Not known whether it holds when ${unclear.join('; when ')}.`
    throw new SandboxError(message, { code: 'not-known' })
  }
  if (leftOut === 0 || isLimited) return
  const message = `Only ${runs} of ${runs + leftOut} runs were made: max allows more, or fewer on purpose.`
  throw new SandboxError(message, { code: 'left-out' })
}

const OPTIONS = {
  reset: 'function',
  state: 'function',
  reconcile: 'function',
  calls: 'boolean',
  webhookUrl: 'string',
  ignore: 'object',
  depth: 'number',
  max: 'number',
  settleMs: 'number',
} as const satisfies Record<keyof ExploreOptions, string>

/** Names what is missing or unknown, because a test in JavaScript has no types. */
function assertOptions(options: ExploreOptions): void {
  const types: Record<string, string> = OPTIONS
  const given = Object.assign({ reset: undefined, state: undefined }, options)
  const problems = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(types, name)) return [`there is no option ${name}`]
    if (value === undefined) return ['reset', 'state'].includes(name) ? [`${name} is missing`] : []
    return typeof value === types[name] ? [] : [`${name} must be a ${types[name]}`]
  })
  if (problems.length === 0) return
  throw new SandboxError(`explore: ${problems.join('; ')}.`, { code: 'invalid' })
}

async function findUrl(site: StorySite, { webhookUrl }: ExploreOptions): Promise<string> {
  const { integrators } = webhookUrl === undefined ? await site.info() : {}
  const url: string | null = webhookUrl ?? integrators?.[0]?.webhookUrl
  if (url) return url
  const message = 'Webhooks go nowhere: configure them, or give a webhookUrl.'
  throw new SandboxError(message, { code: 'invalid' })
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (name, part) => assertJson(name, part)))
}

/** JSON has nothing of a Map, a Set or a promise, so their changes would not show. */
function assertJson(name: string, part: unknown): unknown {
  if (!(part instanceof Map || part instanceof Set || part instanceof Promise)) return part
  const message =
    `explore: \`${name || 'state'}\` of the state is a ${part.constructor.name}, which JSON cannot ` +
    'show: give an object, a list, or what was awaited.'
  throw new SandboxError(message, { code: 'invalid' })
}

async function toStory(given: ExploredStory): Promise<StoryToPlay> {
  if (typeof given === 'function') return given
  if (typeof given === 'object') {
    return { name: given.title, file: join(process.cwd(), 'story.js'), scenario: given }
  }
  return await loadStory(given)
}

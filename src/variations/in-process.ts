import { SandboxError } from '../client/error.ts'
import type { Json } from '../client/http.ts'
import { loadScenario } from '../scenario/load.ts'
import { findScenario, UnknownScenario } from '../scenario/play.ts'
import type { Scenario } from '../scenario/types.ts'
import { exploreReceiver, type StoryToPlay } from './explore.ts'
import type { ExploredStory, ExploreOptions } from './options.ts'
import { type Report, toExitCode } from './report.ts'
import type { Site } from './world-fork.ts'

type StorySite = Site & { info(): Promise<Json> }

/** Explores a receiver of this process; throws an error whose message says what breaks it. */
export async function exploreInProcess(
  site: StorySite,
  given: ExploredStory,
  options: ExploreOptions,
): Promise<Report> {
  assertOptions(options)
  const { reset, state, reconcile } = options
  const report = await exploreReceiver({
    ...site,
    story: await toStory(given),
    ignore: options.ignore,
    calls: options.calls,
    only: options.only,
    receiver: {
      url: await findUrl(site, options),
      canReset: true,
      reset: async (place) => reset(place),
      // A copy, because the receiver may change the object later.
      state: async (place) => toJson(await state(place)),
      reconcile: reconcile && (async (place) => reconcile(place)),
    },
  })
  assertNothingFound(report)
  return report
}

function assertNothingFound(report: Report): void {
  const { findings, unclear, problem } = report
  if (toExitCode(report) === 0) return
  if (problem !== null) throw new SandboxError(problem, { code: 'not-known' })
  const found = findings.map(({ sentence }) => sentence)
  const missing = unclear.map(({ words, why }) => `Unclear: ${words} (${why}).`)
  const code = findings.length > 0 ? 'findings' : 'not-known'
  throw new SandboxError([...found, ...missing].join('\n'), { code })
}

const OPTIONS = {
  reset: 'function',
  state: 'function',
  reconcile: 'function',
  calls: 'boolean',
  webhookUrl: 'string',
  ignore: 'object',
  only: 'string',
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
  const message = 'No webhook URL is configured: set one, or pass webhookUrl.'
  throw new SandboxError(message, { code: 'invalid' })
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (name, part) => assertJson(name, part)))
}

/** JSON has nothing of a Map, a Set or a promise, so their changes would not show. */
function assertJson(name: string, part: unknown): unknown {
  if (!(part instanceof Map || part instanceof Set || part instanceof Promise)) return part
  const message =
    `explore: ${name ? `\`${name}\` of the state` : 'the state'} is a ${part.constructor.name}, which ` +
    'JSON cannot represent: return an object or array, and await promises.'
  throw new SandboxError(message, { code: 'invalid' })
}

async function toStory(given: ExploredStory): Promise<StoryToPlay> {
  if (typeof given === 'string') return await loadStory(given)
  if (typeof given === 'function') return { name: 'story', steps: [given] }
  return toScenarioStory(given.title, given, `${process.cwd()}/story.js`)
}

/** A scenario by its name, or by the path of its file. */
export async function loadStory(word: string): Promise<StoryToPlay> {
  const found = findScenario(word)
  if (found instanceof UnknownScenario) throw new SandboxError(found.message, { code: 'not-found' })
  return toScenarioStory(found.name, await loadScenario(found.file), found.file)
}

const toScenarioStory = (name: string, scenario: Scenario, file: string): StoryToPlay => ({
  name,
  steps: [(stage) => scenario.play(stage)],
  setup: { scenario, file },
})

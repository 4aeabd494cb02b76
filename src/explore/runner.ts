import { SandboxError } from '../client/error.ts'
import { createEvents, type SandboxEvent } from '../client/events.ts'
import { realTime } from '../real-time.ts'
import type { Disturbance } from '../scenario/disturbance.ts'
import { type Reference, type StoryEnd, StoryRun } from '../scenario/disturbed.ts'
import { loadScenario } from '../scenario/load.ts'
import { findScenario, UnknownScenario } from '../scenario/play.ts'
import type { StoryReceiver, WorldAccess } from '../scenario/receiver-commands.ts'
import type { Relay } from '../scenario/relay.ts'
import { setUp } from '../scenario/stage.ts'
import type { Scenario } from '../scenario/types.ts'
import type { NamedCall } from './findings.ts'
import { assertReset } from './preconditions.ts'
import { WorldFork } from './world-fork.ts'

/** A scenario, or a function that continues from the present state of a world. */
export type StoryToPlay = { name: string; file: string; scenario: Scenario } | Scenario['play']

/** The end of an undisturbed run, with what its world saw. */
export type UndisturbedEnd = StoryEnd & { events: SandboxEvent[]; namedCalls: NamedCall[] }

/** A scenario by its name, or by the path of its file. */
export async function loadStory(word: string) {
  const found = findScenario(word)
  if (found instanceof UnknownScenario) throw new SandboxError(found.message, { code: 'not-found' })
  return { ...found, scenario: await loadScenario(found.file) }
}

interface RunnerOptions {
  story: StoryToPlay
  relay: Relay
  /** World that all runs are forked from. */
  origin: WorldFork
  receiver: StoryReceiver
  ignore?: readonly string[] | undefined
  settleMs?: number | undefined
}

export interface RunOptions {
  reference?: Reference | undefined
  pauseMs?: number | undefined
  killShare?: number | undefined
}

const RUN_MAX_MS = 120_000

/** Plays one story again and again, each time in a new fork of one world. */
export class Runner {
  readonly #options: RunnerOptions
  readonly #access: Omit<WorldAccess, 'url'>

  private constructor(options: RunnerOptions, access: Omit<WorldAccess, 'url'>) {
    this.#options = options
    this.#access = access
  }

  /** Prepares the world that all runs are forked from. */
  static async of(options: RunnerOptions): Promise<Runner> {
    const { story, origin, relay } = options
    if (typeof story === 'function') {
      const { integrators } = await origin.controlApi.info()
      const { signingSecret } = await origin.controlApi.webhooks.set(relay.webhookUrl)
      const apiKey = integrators[0]?.apiKey ?? ''
      return new Runner(options, { apiKey, signingSecret: signingSecret ?? '' })
    }
    const { send, control, url } = origin
    const request = { file: story.file, url, webhookUrl: relay.webhookUrl }
    const { apiKey, webhooks } = await setUp(story.scenario, { send, unrecorded: control, request })
    return new Runner(options, { apiKey, signingSecret: webhooks.secret })
  }

  /** Plays the story with disturbances. */
  async run(disturbances: readonly Disturbance[], how: RunOptions): Promise<StoryEnd> {
    return await this.#inFork((world) => this.#play(world, disturbances, how))
  }

  /** Plays the story as it is, and reads what its world saw. */
  async runUndisturbed(): Promise<UndisturbedEnd> {
    return await this.#inFork(async (world) => {
      const end = await this.#play(world, [], {})
      const events = await createEvents(world.control).list()
      return { ...end, events, namedCalls: await nameCalls(end, world) }
    })
  }

  async #inFork<Result>(act: (world: WorldFork) => Promise<Result>): Promise<Result> {
    const world = await WorldFork.of(this.#options.origin)
    try {
      return await act(world)
    } finally {
      await world.delete()
    }
  }

  async #play(
    world: WorldFork,
    disturbances: readonly Disturbance[],
    { reference, pauseMs, killShare }: RunOptions,
  ): Promise<StoryEnd> {
    const { relay, receiver, ignore, settleMs } = this.#options
    relay.lead(world.url)
    const { apiKey, signingSecret } = this.#access
    const webhooks = { url: relay.webhookUrl, secret: signingSecret }
    const run = new StoryRun({
      stage: { send: world.send, apiKey, webhooks, step: () => undefined },
      play: this.#story,
      relay,
      receiver,
      place: { url: relay.url, apiKey, signingSecret },
      disturbances,
      ignore,
      settleMs,
      pauseMs,
      killShare,
      reference,
    })
    const end = await Promise.race([run.play(), giveUp()])
    if (reference !== undefined) assertReset(reference.initial, end)
    return end
  }

  get #story(): Scenario['play'] {
    const { story } = this.#options
    return typeof story === 'function' ? story : story.scenario.play.bind(story.scenario)
  }
}

async function nameCalls({ calls }: StoryEnd, { controlApi }: WorldFork): Promise<NamedCall[]> {
  const named = calls.made.map(async ({ journalId, method, path, step, status }) => {
    const row = journalId === undefined ? undefined : await controlApi.requests.get(journalId)
    return { operation: row?.operation ?? `${method} ${path}`, step, status }
  })
  return await Promise.all(named)
}

async function giveUp(): Promise<never> {
  await realTime.pause(RUN_MAX_MS, undefined, { ref: false })
  throw new SandboxError(`A run took longer than ${RUN_MAX_MS / 1_000} s.`, { code: 'timeout' })
}

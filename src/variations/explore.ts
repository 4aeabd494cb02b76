import { isDeepStrictEqual } from 'node:util'
import { SandboxError } from '../client/error.ts'
import { setUp } from '../scenario/stage.ts'
import type { Scenario } from '../scenario/types.ts'
import { plural } from '../world/plural.ts'
import { listCalls } from './calls.ts'
import { listDeliveries } from './deliveries.ts'
import { isRefused, isSlow, judge, type ReceiverRun } from './judge.ts'
import { NotJudged, type Outcome, type RunOptions, runVariations, type Subject } from './loop.ts'
import type { WorldAccess } from './options.ts'
import { ReceiverFailed, type StoryReceiver } from './receiver.ts'
import type { ReceiverVariation } from './receiver-variation.ts'
import { Relay } from './relay.ts'
import { createReport, type Report } from './report.ts'
import { Run, type StoryStep } from './run.ts'
import { Restless } from './states.ts'
import { type Site, WorldFork } from './world-fork.ts'

/** What happens in each run, in steps that can be played once more. */
export interface StoryToPlay {
  name: string
  steps: readonly StoryStep[]
  /** A scenario prepares a world of its own; others go on from the present state of one. */
  setup?: { scenario: Scenario; file: string } | undefined
}

export interface ReceiverRequest extends Site {
  story: StoryToPlay
  receiver: StoryReceiver
  /** Snapshot from which a story starts. Default: the present state of the world. */
  snapshot?: string | undefined
  /** Fields of the state that differ from run to run. */
  ignore?: readonly string[] | undefined
  /** Changes what happens to the calls of the integrator's own code, too. */
  calls?: boolean | undefined
  /** Only variations whose words contain these. */
  only?: string | undefined
  /** Port where the receiver finds the API; any free one by default. */
  port?: number | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { done: number; of: number; failed: number }) => void) | undefined
}

/** Further runs of a variation that failed: a kill may miss its moment. */
const REPEATS_MAX = 3
/** Runs in which an action may come too late. */
const TRIES_MAX = 3

/** Plays a story once for each variation of its deliveries and calls; says what breaks its receiver. */
export async function exploreReceiver(request: ReceiverRequest): Promise<Report> {
  const { receiver, signal, onProgress } = request
  const relay = await Relay.open(request.port ?? 0, request.fetch)
  try {
    const origin = await WorldFork.of(request, request.snapshot)
    try {
      const subject = await ReceiverSubject.of(request, { relay, origin })
      const outcome = await runVariations(subject, {
        signal,
        repeatsMax: REPEATS_MAX,
        onResult: (_, progress) => onProgress?.(progress),
      })
      return subject.report(outcome)
    } finally {
      await receiver.process?.kill()
      await origin.delete()
    }
  } finally {
    await relay.close()
  }
}

interface Place {
  relay: Relay
  /** World that all runs are forked from. */
  origin: WorldFork
}

/** A receiver and its story, played in a fork of one world each time. */
class ReceiverSubject implements Subject<ReceiverVariation, ReceiverRun> {
  readonly #request: ReceiverRequest
  readonly #place: Place
  readonly #access: WorldAccess
  readonly #notTried: string[] = []

  private constructor(request: ReceiverRequest, place: Place, access: WorldAccess) {
    this.#request = request
    this.#place = place
    this.#access = access
  }

  /** Prepares the world that all runs are forked from. */
  static async of(request: ReceiverRequest, place: Place): Promise<ReceiverSubject> {
    const { relay, origin } = place
    const access = { url: relay.url, ...(await prepare(request.story, place)) }
    return new ReceiverSubject(request, { relay, origin }, access)
  }

  async run(
    variation: ReceiverVariation | undefined,
    options: RunOptions<ReceiverRun>,
  ): Promise<ReceiverRun> {
    for (let tries = 1; ; tries++) {
      const run = await this.#runOnce(variation, options)
      if (!run.story.isLate || tries === TRIES_MAX) return run
    }
  }

  async #runOnce(
    variation: ReceiverVariation | undefined,
    { signal, baseline }: RunOptions<ReceiverRun>,
  ): Promise<ReceiverRun> {
    const world = await WorldFork.of(this.#place.origin)
    try {
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () =>
          reject(
            new NotJudged(
              'A run took longer than a minute, and over five times as long as the first.',
            ),
          ),
        )
      })
      return await Promise.race([this.#play(world, variation, baseline), late])
    } catch (error) {
      const isKnown = [ReceiverFailed, Restless, SandboxError].some((kind) => error instanceof kind)
      if (isKnown) throw new NotJudged(toSentence(error as Error, variation))
      throw error
    } finally {
      await world.delete()
    }
  }

  judge = judge

  async list(
    baseline: ReceiverRun,
    options: RunOptions<ReceiverRun>,
  ): Promise<ReceiverVariation[]> {
    const { receiver, calls, only } = this.#request
    const { story, named } = baseline
    if (story.arrivals.length === 0 && named.length === 0) {
      throw new NotJudged(
        `${this.#request.story.name} caused no webhooks, so there is nothing to vary.`,
      )
    }
    const unchanged = await this.#findUnchanged(baseline, options)
    if (unchanged !== undefined) return [unchanged]
    assertShown(baseline)
    const canReconcile = receiver.reconcile !== undefined
    const canKill = receiver.process !== undefined && receiver.canReset
    if (!canReconcile) this.#notTried.push('lost webhooks (no --reconcile)')
    if (!canKill) this.#notTried.push('killing the receiver (needs --run and --reset)')
    if (!calls) this.#notTried.push('your own calls (no --calls)')
    else if (named.length === 0) this.#notTried.push('your own calls (none reached the sandbox)')
    const shown = new Set(story.arrivals.flatMap(({ isShown }, at) => (isShown ? [at] : [])))
    for (const at of story.arrivals.keys()) {
      const name = `\`${baseline.names[at]}\``
      if (!shown.has(at))
        this.#notTried.push(
          `losing or forging ${name}, or killing the receiver at ${name} (it changes nothing visible)`,
        )
    }
    const { names, called } = baseline
    const all = [
      ...(story.arrivals.length > 0
        ? listDeliveries({ names, called, shown, canReconcile, canKill })
        : []),
      ...(calls ? listCalls(named) : []),
    ]
    return only === undefined ? all : choose(all, only)
  }

  report(outcome: Outcome<ReceiverVariation, ReceiverRun>): Report {
    const { name: story } = this.#request.story
    const { names } = outcome.baseline ?? {}
    const shown = names?.map((name) => `\`${name}\``).join(', ')
    const title = names
      ? `${story}: ${plural(names.length, 'webhook')}${shown && ` (${shown})`}`
      : story
    return createReport(outcome, { title, notTried: this.#notTried })
  }

  /** Finds what is wrong with a receiver before anything is changed. */
  async #findUnchanged(
    { story, problem, restless }: ReceiverRun,
    options: RunOptions<ReceiverRun>,
  ): Promise<ReceiverVariation | undefined> {
    if (problem !== undefined) throw new NotJudged(problem)
    if (restless !== undefined)
      throw new NotJudged(`${restless}: use --ignore for fields that always change`)
    const unchanged = { id: 'nothing is changed', words: 'nothing is changed', kind: 'unchanged' }
    const { responses } = story
    const refused = responses.filter(isRefused)
    if (refused.length > 0 && refused.length < responses.length) return unchanged
    if (responses.some(isSlow)) {
      this.#notTried.push('everything else (make the receiver respond before it does its work)')
      return unchanged
    }
    if (refused.length === 0) return undefined
    const compact = { ...unchanged, isCompact: true as const }
    const again = await this.run(compact, options)
    const statuses = [...new Set(refused.map(({ status }) => status || 'nothing'))].join(' or ')
    if (!again.story.responses.some(isRefused)) return { ...unchanged, kind: 're-serialised' }
    throw new NotJudged(
      `The receiver responds with ${statuses} to every webhook, so explore can’t detect problems. Is --webhook-url the ` +
        'right path? Does the receiver verify with the secret that it gets from --run ' +
        '(RAMP_SANDBOX_SIGNING_SECRET), or from --reset and --secret (signingSecret)?',
    )
  }

  async #play(
    world: WorldFork,
    variation: ReceiverVariation | undefined,
    baseline: ReceiverRun | undefined,
  ): Promise<ReceiverRun> {
    const { story, receiver, ignore, calls = false } = this.#request
    const run = new Run({
      steps: story.steps,
      receiver,
      ignore,
      isAudited: calls,
      relay: this.#place.relay,
      // A copy, by which the integrator's code can tell one run from another.
      access: { ...this.#access },
      world,
      variation,
      baseline,
    })
    return await run.play()
  }
}

/** Chooses variations by their kind, or by words of their description, whatever the case and quotes. */
function choose(all: readonly ReceiverVariation[], only: string): ReceiverVariation[] {
  const wanted = only.replaceAll('`', '').toLowerCase()
  const ofKind = all.filter(({ kind }) => kind === wanted)
  if (ofKind.length > 0) return ofKind
  const chosen = all.filter(({ id }) => id.toLowerCase().includes(wanted))
  if (chosen.length > 0) return chosen
  const known = all.map(({ id }) => `\n  ${id}`).join('')
  throw new NotJudged(`No variation matches “${only}”. These exist:${known}`)
}

const toSentence = ({ message }: Error, variation: ReceiverVariation | undefined): string =>
  variation === undefined ? message : `When ${variation.words}: ${message}`

/** A state that the story does not change cannot show the effect of a variation. */
function assertShown({ initial, state, story }: ReceiverRun): void {
  if (isDeepStrictEqual(initial, state)) {
    throw new NotJudged(
      'The state is the same before and after the run, so explore can’t detect problems. The receiver probably ' +
        'knows only orders that it placed itself: have it place them, with --from SNAPSHOT --do COMMAND. Or ' +
        '--state does not show what the run changed, or --reset does not clear what an earlier run left.',
    )
  }
  if (story.arrivals.length === 0 || story.arrivals.some(({ isShown }) => isShown)) return
  throw new NotJudged(
    'No webhook changes the state, so explore can’t detect problems: either the receiver ignores webhooks, or ' +
      '--state does not show what they changed.',
  )
}

/** Makes the world of a story, and configures where its webhooks go. */
async function prepare({ setup }: StoryToPlay, { relay, origin }: Place) {
  const { send, control, url, controlApi } = origin
  const { webhookUrl } = relay
  if (setup !== undefined) {
    const request = { file: setup.file, url, webhookUrl }
    const { apiKey, webhooks } = await setUp(setup.scenario, { send, unrecorded: control, request })
    return { apiKey, signingSecret: webhooks.secret }
  }
  const { integrators } = await controlApi.info()
  const { signingSecret } = await controlApi.webhooks.set(webhookUrl)
  return { apiKey: integrators[0]?.apiKey ?? '', signingSecret: signingSecret ?? '' }
}

import { isDeepStrictEqual } from 'node:util'
import { compareStates, type StateDifference } from '../scenario/expect.ts'
import { MUTATION_WORDS } from '../webhooks/mutation.ts'
import { type Audit, findExcess, type OwnCall } from './calls.ts'
import { describeChange } from './deliveries.ts'
import type { Verdict } from './loop.ts'
import type { ReceiverVariation } from './receiver-variation.ts'
import { describeDifference, showBoth, withoutOthers } from './states.ts'
import type { ReceiverResponse, Story, UnwantedChange } from './story.ts'

/** How one run of a story ended. */
export interface ReceiverRun {
  /** State of the receiver after its reset, and after the story. */
  initial: unknown
  state: unknown
  /** Names of the webhooks that came, and places of those that a call caused. */
  names: readonly string[]
  called: ReadonlySet<number>
  story: Pick<Story, 'arrivals' | 'responses' | 'responsesToOthers' | 'unwantedChange' | 'isLate'>
  /** Longest time for which the receiver worked after a response. */
  busyMs: number
  /** False where a webhook that an action needs never arrived. */
  isDone: boolean
  /** Why the story or the receiver failed. */
  problem?: string | undefined
  /** What was still changing when time was up. */
  restless?: string | undefined
  /** What names the order of somebody else, and its user. */
  others?: readonly string[] | undefined
  named: readonly OwnCall[]
  audit?: Audit | undefined
  /** Why what should be varied was not varied after all. */
  missed?: string | undefined
  /** Why the step in which the code gave up fails again with nothing changed. */
  replay?: string | undefined
}

/** Responding takes longer than that only where the work is done first. */
const SLOW_MS = 2_000

export const isSlow = ({ ms }: ReceiverResponse): boolean => ms > SLOW_MS

export const isRefused = ({ status }: { status: number }): boolean => status < 200 || status > 299

export function judge(
  run: ReceiverRun,
  variation: ReceiverVariation | undefined,
  baseline: ReceiverRun,
): Verdict {
  return new Judge(run, variation, baseline).judge()
}

class Judge {
  readonly #run: ReceiverRun
  readonly #variation: ReceiverVariation | undefined
  readonly #baseline: ReceiverRun

  constructor(run: ReceiverRun, variation: ReceiverVariation | undefined, baseline: ReceiverRun) {
    this.#run = run
    this.#variation = variation
    this.#baseline = baseline
  }

  judge(): Verdict {
    const { problem, restless, isDone } = this.#run
    const { call, kind, hasOthers } = this.#variation ?? {}
    if (call !== undefined) return this.#judgeCall()
    if (problem !== undefined) return this.#fail(problem)
    if (restless !== undefined) return { kind: 'unclear', why: restless }
    if (!isDone) {
      const depends = 'one webhook depends on another'
      return kind === 'order' || kind === 'together'
        ? { kind: 'not tried', why: depends }
        : { kind: 'unclear', why: 'a webhook never arrived' }
    }
    if (kind === 'unchanged' || kind === 're-serialised') return this.#judgeUnchanged()
    return hasOthers ? this.#judgeOthers() : this.#judgeDeliveries()
  }

  /** Counts what the code did too often; where it gave up, the step must work afterwards. */
  #judgeCall(): Verdict {
    const { audit, missed, replay } = this.#run
    const { audit: usual } = this.#baseline
    const { call } = this.#variation ?? {}
    if (missed !== undefined) return { kind: 'not tried', why: missed }
    if (call === undefined || audit === undefined || usual === undefined) return { kind: 'held' }
    const [excess] = findExcess(audit, usual, call)
    if (excess !== undefined) return this.#fail(excess.words, { cause: excess.cause })
    if (replay === undefined) return { kind: 'held' }
    const words = `the step still fails when repeated with nothing changed: ${replay}`
    return this.#fail(words, { cause: 'fails again' })
  }

  /** What is wrong before anything is changed. */
  #judgeUnchanged(): Verdict {
    const { responses } = this.#run.story
    const refused = responses.find(isRefused)
    const slow = responses.find(isSlow)
    if (refused !== undefined && this.#variation?.kind === 're-serialised') {
      const sentence =
        `The receiver responds with ${refused.status} to every webhook, but accepts them in JSON.stringify’s format: ` +
        'it verifies a re-serialised body. Verify the bytes as received.'
      return this.#fail('', { sentence })
    }
    if (refused !== undefined) {
      const sentence = `In the unchanged run, ${this.#describeRefusal(refused)}. The provider won’t resend that event.`
      return this.#fail('', { sentence })
    }
    if (slow === undefined) return { kind: 'held' }
    const name = this.#baseline.names[slow.at]
    const sentence = `The receiver takes ${Math.round(slow.ms / 1_000)} s to respond to \`${name}\`: respond first, then work.`
    return this.#fail('', { sentence })
  }

  /** An order of somebody else must be acknowledged, and change nothing of one's own. */
  #judgeOthers(): Verdict {
    const { state, others = [], story, missed } = this.#run
    if (missed !== undefined) return { kind: 'not tried', why: missed }
    const refused = story.responsesToOthers.find((status) => isRefused({ status }))
    if (refused !== undefined) {
      return this.#fail(`the receiver responds with ${refused || 'nothing'} to the order’s events`)
    }
    const own = namesIn(this.#baseline)
    const [left, usual] = [state, this.#baseline.state].map((each) =>
      withoutOthers(each, { others, own }),
    )
    // A number that belongs to nobody's order, such as their count, includes that order.
    const isOwn = ({ path, actual, expected }: StateDifference) =>
      typeof actual !== 'number' ||
      typeof expected !== 'number' ||
      own.some((name) => path.includes(name))
    return compareStates(left, usual).some(isOwn) ? this.#compare(left, usual) : { kind: 'held' }
  }

  #judgeDeliveries(): Verdict {
    const { story, state } = this.#run
    if (story.unwantedChange !== undefined) return this.#judgeUnwanted(story.unwantedChange)
    const compared = this.#compare(state, this.#baseline.state)
    if (compared.kind !== 'held') return compared
    if (!story.isLate) return this.#judgeResponses()
    const note = `Not tested (${this.#variation?.words}): in every run, the receiver had already responded by then.`
    return { kind: 'held', note }
  }

  /** A copy, or another event, changed something at once, whatever became of it later. */
  #judgeUnwanted({ at, as, before, after }: UnwantedChange): Verdict {
    const { kind = '' } = this.#variation ?? {}
    const name = `\`${this.#baseline.names[at]}\``
    const change = as && describeChange(as)
    const words =
      kind === 'forged'
        ? `a copy of ${name} with ${change} arrives`
        : `${name} ${change ? `is followed by another event with ${change}` : 'arrives again'}`
    const hasOwnCause = as && /^(timestamp|unknown)/.test(as)
    return this.#fail('', {
      sentence: `When ${words}, ${describeDifference(after, before, 'becomes')}.`,
      cause: hasOwnCause ? `${kind} ${as}` : kind,
      lines: showBoth(after, before),
    })
  }

  /** A genuine event in another form, and another event, must be acknowledged. */
  #judgeResponses(): Verdict {
    const refused = this.#run.story.responses.find((each) => isRefused(each) && each.as)
    if (refused?.as === undefined) return { kind: 'held' }
    const words = this.#describeRefusal(refused)
    if (refused.as !== 'unknown-type') return this.#fail(words, { cause: refused.as })
    // Its end is right, and the contract says nothing of such an event.
    const note = `${words} with ${MUTATION_WORDS[refused.as].name}, but its final state is correct. Respond with 2xx to avoid false alerts.`
    return { kind: 'held', note: `${note.slice(0, 1).toUpperCase()}${note.slice(1)}` }
  }

  #describeRefusal({ at, status, as }: ReceiverResponse): string {
    const event = as?.startsWith('unknown') ? 'an event' : `\`${this.#baseline.names[at]}\``
    return `the receiver responds with ${status || 'nothing'} to ${event}`
  }

  #compare(actual: unknown, expected: unknown): Verdict {
    if (isDeepStrictEqual(actual, expected)) return { kind: 'held' }
    return this.#fail(describeDifference(actual, expected), { lines: showBoth(actual, expected) })
  }

  #fail(
    what: string,
    given: { sentence?: string; cause?: string; lines?: string[] } = {},
  ): Verdict {
    const { words, kind = '', actions = [] } = this.#variation ?? {}
    const changed = actions.find((action) => action.do === 'send' && action.as)
    const form = changed?.do === 'send' ? ` ${changed.as}` : ''
    const unchanged = `${what}. The receiver is not deterministic, or --reset does not clear all its state. Use --ignore for fields that always differ, such as timestamps`
    const {
      sentence = words ? `When ${words}, ${what}.` : `${unchanged}.`,
      cause = `${kind}${form}`,
    } = given
    const lines = [...(given.lines ?? []), ...this.#showResponses()]
    return { kind: 'failed', failure: { sentence, cause, lines } }
  }

  #showResponses(): string[] {
    const { responses } = this.#run.story
    if (responses.length === 0) return []
    const shown = responses.map(({ at, status }) => {
      return `\`${this.#baseline.names[at] ?? at + 1}\` ${status || 'none'}`
    })
    return [`Responses: ${shown.join(', ')}`]
  }
}

/** What names the orders and users of a story. */
function namesIn({ story }: ReceiverRun): string[] {
  const payloads = story.arrivals.map(({ body }) => JSON.parse(body.toString()).payload ?? {})
  const names = payloads.flatMap(({ transactionId, userId, email }) => [
    transactionId,
    userId,
    email,
  ])
  return names.filter((name) => typeof name === 'string')
}

import { isDeepStrictEqual } from 'node:util'
import { SandboxError } from '../client/error.ts'
import type { StoryEnd } from '../scenario/disturbed.ts'
import { compareStates, formatValue } from '../scenario/expect.ts'

/** A receiver that accepts nothing ends in the same state whatever happens to its webhooks. */
export function assertTaken({ arrivals, calls }: StoryEnd): void {
  if (arrivals.length === 0 && calls.made.length === 0) {
    const message = 'The story sends no webhook, so there is nothing to disturb.'
    throw new SandboxError(message, { code: 'no-deliveries' })
  }
  if (arrivals.length === 0 || arrivals.some(({ response }) => response < 300)) return
  const statuses = [...new Set(arrivals.map(({ response }) => response))].join(', ')
  const message =
    `The receiver responded with ${statuses} to every webhook, so nothing can be found out. Is --webhook-url ` +
    'its path, and does it verify the bytes as received, with the secret that --run gives it as RAMP_SANDBOX_SIGNING_SECRET ' +
    'and that --reset posts as signingSecret?'
  throw new SandboxError(message, { code: 'not-taken' })
}

/** A state that still changes proves nothing. */
export function assertQuiet({ restless }: StoryEnd, settleMs: number): void {
  if (restless === undefined) return
  const message =
    `\`${restless}\` is still changing after ${settleMs} ms, so the receiver cannot be judged: ` +
    '--settle waits longer, and --ignore leaves out what always changes.'
  throw new SandboxError(message, { code: 'not-quiet' })
}

/** A state that the story does not change cannot show the effect of a disturbance. */
export function assertShown({ initial, state }: StoryEnd): void {
  if (!isDeepStrictEqual(initial, state)) return
  const message =
    'The state is the same before and after the story, so nothing can be found out: either --state ' +
    'does not show what the receiver made of the story, or --reset does not clear what an earlier run left.'
  throw new SandboxError(message, { code: 'not-shown' })
}

/** A story whose own calls make the state says nothing of what the receiver does with webhooks. */
export function assertWebhooksShown({ arrivals }: StoryEnd): void {
  if (arrivals.some(({ isShown }) => isShown)) return
  const message =
    'No webhook changes the state, so nothing can be found out: it is the same before and after each of them. ' +
    'Either the receiver drops them, or --state does not show what it made of them.'
  throw new SandboxError(message, { code: 'not-shown' })
}

/** A receiver that remembers an earlier run ignores what it has seen there. */
export function assertReset(before: unknown, { initial }: StoryEnd): void {
  const [difference] = compareStates(initial, before)
  if (difference === undefined) return
  const { path, expected, actual } = difference
  const message =
    `The receiver was not reset: \`${path || 'state'}\` begins as ${formatValue(actual)}, after ` +
    `${formatValue(expected)} in the first run. Let --reset clear its store, too; ` +
    'with --run alone, a receiver must keep nothing on disk.'
  throw new SandboxError(message, { code: 'not-reset' })
}

export function assertSame(what: string, state: unknown, shouldBe: unknown): void {
  const [difference] = compareStates(state, shouldBe)
  if (difference === undefined) return
  const { path, expected, actual } = difference
  const message =
    `${what}: \`${path || 'state'}\` is ${formatValue(expected)}, then ${formatValue(actual)}. The receiver is not ` +
    'deterministic, or --reset does not clear all that it remembers; --ignore leaves out what must differ, such as times.'
  throw new SandboxError(message, { code: 'not-deterministic' })
}

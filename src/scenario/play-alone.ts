import { isDeepStrictEqual } from 'node:util'
import { findContradictions } from './contradictions.ts'
import { describeMissed } from './disturbance.ts'
import { findRefusals, type StoryEnd, StoryRun } from './disturbed.ts'
import { compareStates, formatDifference, StillDisturbed } from './expect.ts'
import { toReceiver } from './receiver-commands.ts'
import { Relay } from './relay.ts'
import { QUICK_MS } from './relayed-story.ts'
import { HOLD_FACTOR, SETTLE_MS } from './settling.ts'
import { createStage, type StageOptions } from './stage.ts'
import type { Disturbed, Scenario } from './types.ts'

interface PlayAloneOptions {
  disturbed: Disturbed
  /** Base URL of the world. */
  url: string
  fetch(request: Request): Response | Promise<Response>
  webhookUrl: string | null
}

/** Plays a scenario that has disturbances of its own; fails if the receiver ends differently. */
export async function playAlone(
  { title, play }: Scenario,
  stage: StageOptions,
  { disturbed, url, fetch, webhookUrl }: PlayAloneOptions,
): Promise<void> {
  const {
    disturbances,
    expected,
    steps = [],
    audit,
    ignore,
    port,
    settleMs = SETTLE_MS,
  } = disturbed
  const relay = await Relay.open({ port: port ?? 0, send: fetch })
  relay.lead(url)
  const receiver = toReceiver({ ...disturbed, webhookUrl: webhookUrl ?? disturbed.webhookUrl })
  try {
    const { api } = createStage(stage)
    await api.put('/v2/webhook-configurations', { url: relay.webhookUrl })
    const place = { url: relay.url, apiKey: stage.apiKey, signingSecret: stage.webhooks.secret }
    // How long the receiver works after a response is not known here, so a right state must last.
    const busyMs = steps.length > 0 ? 0 : settleMs / HOLD_FACTOR
    const isAnyEnd = expected === undefined
    const reference = isAnyEnd ? undefined : { end: expected, steps, busyMs, audit }
    const run = new StoryRun({
      stage,
      play,
      relay,
      receiver,
      place,
      disturbances,
      ignore,
      settleMs,
      pauseMs: settleMs,
      reference,
    })
    const end = await run.play()
    const problems = findProblems(end, disturbed)
    if (problems.length > 0) throw new StillDisturbed(title, problems)
  } finally {
    await receiver.process?.kill()
    await relay.close()
  }
}

/** Lists what is wrong with the end of a disturbed story. */
function findProblems(end: StoryEnd, disturbed: Disturbed): string[] {
  const { disturbances, expected, audit, settleMs = SETTLE_MS } = disturbed
  const { state, reconciled, restless, forged, wrongStep } = end
  // Undisturbed, reconciling is what must change nothing.
  const ended = disturbances.length === 0 ? reconciled : state
  if (restless) return [`${restless}: still changing after ${settleMs} ms`]
  if (end.missed) {
    return [`nothing was disturbed: ${describeMissed(end.missed, (at) => `webhook ${at + 1}`)}`]
  }
  if (isKillMissed(end, disturbed)) return ['the receiver responded before it could be killed']
  if (isDeepStrictEqual(end.initial, expected)) {
    return [
      'the state is the same before and after the story: does the reset still clear the store?',
    ]
  }
  if (audit !== undefined) {
    if (end.audit === undefined) return ['nothing was disturbed: no call was made']
    const run = { audit: end.audit, state, calls: end.calls.made, disturbances }
    return findContradictions(run, { audit, state: expected })
  }
  return [
    ...(forged ? compareStates(forged.after, forged.before).map(formatDifference) : []),
    ...(wrongStep ? compareStates(wrongStep.state, wrongStep.expected).map(formatDifference) : []),
    ...(expected === undefined ? [] : compareStates(ended, expected).map(formatDifference)),
    ...findRefusals(end, disturbances).map(({ status }) => `the receiver responded with ${status}`),
  ]
}

/** Recognises a kill that came too late, unless the receiver is too quick or shows no change. */
const isKillMissed = ({ missedKillMs = 0 }: StoryEnd, { disturbances }: Disturbed): boolean =>
  missedKillMs > QUICK_MS &&
  !disturbances.some((each) => 'moment' in each && each.moment === 'first change')

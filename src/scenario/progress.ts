import { basename } from 'node:path'
import type { Cue, PlayedStep } from '../http/plays.ts'
import type { Collector } from './collect.ts'
import { locateCaller } from './locate.ts'
import type { Came, Recorder, Sent } from './recorder.ts'
import { SETTING_UP } from './types.ts'

export interface ProgressOptions {
  recorder: Recorder
  collector: Collector
  cue(cue: Cue): void
  /** The scenario, whose lines the steps are named with. */
  file: string
}

/** The steps of a scenario, one after the other. */
export interface Progress {
  readonly step: PlayedStep
  /** Where the step begins, as `buy-completes.js:12`. */
  readonly at: string
  /** Ends the step before, and begins another. */
  begin(title: string): void
  /** Sends within the step. */
  send(sent: Sent): Promise<Came>
  /** The last step has passed. */
  finish(): Promise<void>
}

export function createProgress({ recorder, collector, cue, file }: ProgressOptions): Progress {
  let step = recorder.open(SETTING_UP)
  let at = basename(file)
  let passed = Promise.resolve()
  cue({ kind: 'began', title: SETTING_UP, at })
  return {
    get step() {
      return step
    },
    get at() {
      return at
    },
    begin(title) {
      const before = step
      at = locateCaller(file)
      passed = passed.then(() => pass(before))
      step = recorder.open(title)
      cue({ kind: 'began', title, at })
    },
    /** Waits until the deliveries of the step before were read, so that each belongs to one step. */
    async send(sent) {
      await passed
      return recorder.send(sent)
    },
    async finish() {
      await passed
      await pass(step)
    },
  }

  async function pass(done: PlayedStep) {
    await collector.collect(done)
    cue({ kind: 'passed', step: done })
  }
}

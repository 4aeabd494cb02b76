import { basename } from 'node:path'
import type { HttpRequest } from '../client/http.ts'
import type { PlayEvent, PlayedStep } from '../http/plays.ts'
import type { Collector } from './collect.ts'
import { locateCaller } from './locate.ts'
import type { CallRecorder } from './recorder.ts'
import { SETTING_UP } from './types.ts'

export interface ProgressOptions {
  recorder: CallRecorder
  collector: Collector
  emit(event: PlayEvent): void
  /** The scenario, whose lines are named beside the steps. */
  file: string
}

export type Progress = ReturnType<typeof createProgress>

/** The steps of a scenario, one after the other. */
export function createProgress({ recorder, collector, emit, file }: ProgressOptions) {
  let step = recorder.open(SETTING_UP)
  let at = basename(file)
  let passed = Promise.resolve()
  emit({ kind: 'began', title: SETTING_UP, at })
  return {
    get step() {
      return step
    },
    /** Where the step begins, as `buy-completes.js:12`. */
    get at() {
      return at
    },
    begin(title: string) {
      const before = step
      at = locateCaller(file)
      passed = passed.then(() => pass(before))
      step = recorder.open(title)
      emit({ kind: 'began', title, at })
    },
    /** Waits until the deliveries of the step before were read, so that each belongs to one step. */
    async send(request: HttpRequest) {
      await passed
      return recorder.send(request)
    },
    async finish() {
      await passed
      await pass(step)
    },
  }

  async function pass(done: PlayedStep) {
    await collector.collect(done)
    emit({ kind: 'passed', step: done })
  }
}

import { readFixture } from '../client/fixture-file.ts'
import type { WorldState } from '../http/control/wire.ts'
import { messageOf } from '../world/domain-error.ts'
import { invalid } from './option-values.ts'
import { createRemote, post } from './remote.ts'

export const reset = createRemote({
  name: 'reset',
  about: 'Goes back to the state after the start, or to another fixture, seed or clock.',
  options: {
    fixture: { value: 'NAME|FILE', help: 'another starting world' },
    seed: { value: 'SEED', help: 'another text that all ids derive from' },
    clock: { value: 'CLOCK', help: 'running, frozen, an instant or running@INSTANT' },
    keep: { value: 'webhooks|clock', many: true, help: 'what stays as it is' },
  },
  call({ values: { fixture, seed, clock, keep } }) {
    const kept = keep.length > 0 ? keep : undefined
    return post('/reset', { fixture: read(fixture), seed, clock, keep: kept })
  },
  format: ({ world, fixture, seed, now, mode }: WorldState) =>
    `${world}: fixture ${fixture}, seed ${seed}, ${now}, ${mode}`,
})

function read(fixture: string | undefined) {
  try {
    return readFixture(fixture)
  } catch (error) {
    throw invalid('--fixture', messageOf(error))
  }
}

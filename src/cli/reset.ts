import { readFileSync } from 'node:fs'
import type { WorldState } from '../http/control/wire.ts'
import { orInvalid } from './option-values.ts'
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
  call: ({ values: { fixture, seed, clock, keep } }) =>
    post('/reset', {
      ...(fixture !== undefined && { fixture: readFixture(fixture) }),
      ...(seed !== undefined && { seed }),
      ...(clock !== undefined && { clock }),
      ...(keep.length > 0 && { keep }),
    }),
  format: ({ world, fixture, seed, now, mode }: WorldState) =>
    `${world}: fixture ${fixture}, seed ${seed}, ${now}, ${mode}`,
})

/** A file is read here, as the sandbox may run elsewhere. */
function readFixture(source: string): string | object {
  if (!/\.json$|[\\/]/.test(source)) return source
  const read = () => JSON.parse(readFileSync(source, 'utf8'))
  return orInvalid('--fixture', `The fixture ${source} cannot be read`, read)
}

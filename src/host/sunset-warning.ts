import type { Services } from '../http/services.ts'
import { describeSunset, isUnnoticed } from '../world/sunset.ts'

let isWarned = false

/** Says once per process, on stderr, that v1 responds though the provider has shut it down. */
export function warnOfSunset(services: Services): void {
  services.journal.watch((kind, entry) => {
    if (isWarned || kind !== 'request' || entry === undefined) return
    const { journal, world } = services
    const isV1 = journal.calls.at(entry.of)?.operation?.startsWith('v1') ?? false
    if (!isV1 || !isUnnoticed(world)) return
    isWarned = true
    const { sentence } = describeSunset(world)
    process.stderr.write(
      `ramp-sandbox: ${sentence} Setting it to any value silences this warning.\n`,
    )
  })
}

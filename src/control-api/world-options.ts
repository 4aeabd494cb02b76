import type { FixtureDocument } from '../fixture/format.ts'
import type { GivenSettings } from '../world/settings/index.ts'

/** A starting world that comes with the package, or the path of a file. */
export type FixtureName = 'default' | 'verified-user' | 'cast' | (string & {})

/** Clock: `running`, `frozen`, an instant (frozen there) or `running@<instant>`. */
export type ClockText = 'running' | 'frozen' | (string & {})

export interface WorldOptions {
  /** A fixture's name, the path of its file, or the fixture itself. A start without one has no users. */
  fixture?: FixtureName | FixtureDocument | undefined
  /** Text that ids derive from; `random` picks one. Default at start: the fixture's seed, or else a fixed one. */
  seed?: string | undefined
  /** `running` (the default of a start), `frozen`, an instant (frozen there) or `running@<instant>`. */
  clock?: ClockText | undefined
  /** Differences from the defaults, such as `{ 'quotes.ttl': '5m' }`. */
  settings?: GivenSettings | undefined
}

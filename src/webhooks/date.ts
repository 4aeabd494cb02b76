import { formatInstant } from '../world/duration.ts'

let last = { instant: 0, date: formatInstant(0) }

/** Formats an instant. The last one is kept: formatting is slow, and many rows share an instant. */
export function toDate(instant: number): string {
  if (last.instant !== instant) last = { instant, date: formatInstant(instant) }
  return last.date
}

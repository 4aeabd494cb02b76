import { type Disturbance, isSmallPrint } from './disturbance.ts'
import type { StoryEnd } from './disturbed.ts'

/** A response that was not 2xx, and to which delivery, unless it was to something else. */
export interface Refusal {
  status: number
  at?: number
}

/** Responses beyond 2xx where everything was genuine and the receiver was not killed. */
export function findRefusals(
  { refusals, arrivals }: Pick<StoryEnd, 'refusals' | 'arrivals'>,
  disturbances: readonly Disturbance[],
): Refusal[] {
  const others = refusals.map((status) => ({ status }))
  if (!disturbances.every(isSmallPrint)) return others
  const refused = arrivals.filter(({ response }) => response < 200 || response >= 300)
  return [...others, ...refused.map(({ response, at }) => ({ status: response, at }))]
}

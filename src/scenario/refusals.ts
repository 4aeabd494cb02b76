import { type Disturbance, isSmallPrint } from './disturbance.ts'
import type { StoryEnd } from './disturbed.ts'

/** A response that was not 2xx; `at` is the delivery, missing for test and unknown events. */
export interface Refusal {
  status: number
  at?: number
}

/** Finds responses other than 2xx to genuine events while the receiver was not killed. */
export function findRefusals(
  { refusals, arrivals }: Pick<StoryEnd, 'refusals' | 'arrivals'>,
  disturbances: readonly Disturbance[],
): Refusal[] {
  const others = refusals.map((status) => ({ status }))
  if (!disturbances.every(isSmallPrint)) return others
  const refused = arrivals.filter(({ response }) => response < 200 || response >= 300)
  return [...others, ...refused.map(({ response, at }) => ({ status: response, at }))]
}

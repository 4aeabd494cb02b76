import { CENT, type Micros } from '../../world/money.ts'

/** An amount as v1 writes those that it sends as text: with two decimals. */
export function toCents(micros: Micros): string {
  return (Math.round(micros / CENT) / 100).toFixed(2)
}

/** An instant as v1 writes it: without milliseconds. */
export function toSecond(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

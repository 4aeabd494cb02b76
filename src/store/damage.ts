import { Refusal } from '../world/domain-error.ts'

/** A data file that cannot be used as it is. */
export const damaged = (message: string): Refusal =>
  new Refusal('conflict', '--data', message, { code: 'data-file' })

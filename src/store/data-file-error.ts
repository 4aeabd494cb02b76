import { DomainError } from '../world/domain-error.ts'

/** A data file that cannot be used as it is. */
export const dataFileError = (message: string): DomainError =>
  new DomainError('conflict', '--data', message, { code: 'data-file' })

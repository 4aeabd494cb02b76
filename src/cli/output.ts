import { writeFileSync } from 'node:fs'
import { DomainError } from '../world/domain-error.ts'

/** Writes the file that an option names. */
export function writeOutput(option: string, file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new DomainError('invalid', option, `${option} cannot be written: ${why}.`)
  }
}

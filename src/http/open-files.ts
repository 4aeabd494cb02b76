import { closeSync, openSync } from 'node:fs'
import { HttpError } from './status.ts'

/** More files than importing the scenarios opens. */
const FILES_OF_AN_IMPORT = 24

/** Node remembers a failed import forever, so no import starts while file descriptors are short. */
export function assertFilesCanBeOpened(): void {
  const opened: number[] = []
  try {
    while (opened.length < FILES_OF_AN_IMPORT) opened.push(openSync(import.meta.filename, 'r'))
  } catch (error) {
    throw toReadError(error)
  } finally {
    opened.forEach(closeSync)
  }
}

const OUT_OF_DESCRIPTORS = ['EMFILE', 'ENFILE']

/** A response for a file that cannot be opened right now; any other error is a bug. */
export function toReadError(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!OUT_OF_DESCRIPTORS.includes(code)) return error
  const message = 'Too many files and connections are open. Close some, or raise `ulimit -n`.'
  return new HttpError(503, 'descriptors', message, { code, headers: { 'retry-after': '1' } })
}

/** Responds for a part of the program that could not be loaded. */
export function failToLoad(error: unknown): never {
  throw toReadError(error)
}

import { createRequire } from 'node:module'

/** Requires a file of the program, because to import it takes twice as long. */
export function load(path) {
  try {
    return createRequire(import.meta.url)(path)
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    throw new Error(
      'ramp-sandbox cannot be part of a bundle: mark it as external, as docs/testing.md of the package shows (esbuild --external:ramp-sandbox).',
      { cause: error },
    )
  }
}

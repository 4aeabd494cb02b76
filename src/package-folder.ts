import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

let found: string | undefined

/** Where the package lies, with its fixtures, scenarios and assets: above the sources or the bundle. */
export function packageFolder(): string {
  found ??= findFolder(import.meta.dirname)
  return found
}

function findFolder(from: string): string {
  const isRoot = existsSync(join(from, 'fixtures')) && existsSync(join(from, 'package.json'))
  if (isRoot) return from
  const above = dirname(from)
  if (above !== from) return findFolder(above)
  throw new Error('The folder fixtures/ of the package is missing; install it again.')
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

let found: string | undefined

/** Folder of the package: above the sources or the bundle. */
export function packageFolder(): string {
  found ??= findFolder(import.meta.dirname)
  return found
}

/** Reads a file of the package; undefined where there is none. */
export function readPackageFile(path: string): Buffer<ArrayBuffer> | undefined {
  const file = join(packageFolder(), path)
  return existsSync(file) ? readFileSync(file) : undefined
}

/** The names of the files of a kind in a folder of the package, without their ending. */
export function listPackageFolder(folder: string, ending: string): string[] {
  const files = readdirSync(join(packageFolder(), folder)).filter((file) => file.endsWith(ending))
  return files.map((file) => basename(file, ending)).sort()
}

function findFolder(from: string): string {
  const names = ['package.json', 'fixtures/verified-user.json', 'scenarios']
  if (names.every((name) => existsSync(join(from, name)))) return from
  const above = dirname(from)
  if (above !== from) return findFolder(above)
  throw new Error(
    'ramp-sandbox cannot find its own files. If it was bundled, mark it as external (docs/testing.md, Bundlers); otherwise, reinstall it.',
  )
}

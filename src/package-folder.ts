import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createTemporaryFolder } from './temporary-folder.ts'
import { DomainError } from './world/domain-error.ts'

/** Beside the program in a single executable: the paths of all other files in it. */
const LIST = 'files.json'
// Asked for in this way, because not every runtime that loads the package has it.
const sea = process.getBuiltinModule?.('node:sea')

let found: string | undefined

/**
 * Where the package lies, for what must run from files of its own: above the sources or the bundle.
 * A single executable unpacks itself into a folder that only its user can read.
 */
export function packageFolder(): string {
  found ??= sea?.isSea() ? unpack(sea) : findFolder(import.meta.dirname)
  return found
}

/** A file of the package; undefined where there is none. In a single executable it never left it. */
export function readPackageFile(path: string): Buffer<ArrayBuffer> | undefined {
  if (sea?.isSea()) return embedded(sea).includes(path) ? readEmbedded(sea, path) : undefined
  const file = join(packageFolder(), path)
  return existsSync(file) ? readFileSync(file) : undefined
}

/** The names of the files of a kind in a folder of the package, without their ending. */
export function listPackageFolder(folder: string, ending: string): string[] {
  const files = sea?.isSea()
    ? embedded(sea).filter((path) => dirname(path) === folder)
    : readdirSync(join(packageFolder(), folder))
  const names = files.filter((file) => file.endsWith(ending)).map((file) => basename(file, ending))
  return names.sort()
}

/**
 * Command that runs a JavaScript file as `node` would: a single executable does so after a word of
 * its own.
 */
export const nodeCommand = (file: string): [string, ...string[]] =>
  sea?.isSea() ? [process.execPath, RUN_FILE, file] : [process.execPath, file]
/** `scripts/binary-main.cjs` knows it too. */
const RUN_FILE = '--run-file'

type Sea = NonNullable<typeof sea>

const embedded = (from: Sea): string[] => JSON.parse(from.getAsset(LIST, 'utf8'))
const readEmbedded = (from: Sea, path: string) => Buffer.from(from.getAsset(path))

function unpack(from: Sea): string {
  try {
    const folder = createTemporaryFolder()
    for (const path of embedded(from)) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, readEmbedded(from, path))
    }
    return folder
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = `Scenarios need a folder for temporary files: ${why}.`
    const hint = 'TMPDIR names one that can be written to; a container can have a tmpfs at /tmp.'
    throw new DomainError('conflict', message, { field: 'TMPDIR', hint })
  }
}

function findFolder(from: string): string {
  const names = ['package.json', 'fixtures/verified-user.json', 'scenarios']
  if (names.every((name) => existsSync(join(from, name)))) return from
  const above = dirname(from)
  if (above !== from) return findFolder(above)
  throw new Error(
    'ramp-sandbox cannot find its own files. If it was bundled, mark it as external (docs/recipes.md, Bundlers); else install it again.',
  )
}

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import * as module from 'node:module'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'

/** Time after a start by which everything it needs has been compiled. */
const SAVE_AFTER_MS = 500
const FOLDER = import.meta.dirname
const FILES = ['main.cjs', 'core.cjs'].map((file) => join(FOLDER, file))

/**
 * Keeps compiled code from one start to the next. From 22.1 on Node does this; for older versions, a
 * file in the user's cache folder holds the code. Failures are ignored.
 * `RAMP_SANDBOX_CACHE=off` switches it off.
 */
export function enableCompileCache(): void {
  const { enableCompileCache: enable } = module as { enableCompileCache?: () => void }
  if (process.env.RAMP_SANDBOX_CACHE === 'off') return
  if (enable) enable()
  else require.extensions['.cjs'] = load
}

/** Compiles a file of the program as Node would, from the cache of an earlier start if possible. */
function load(target: NodeJS.Module, filename: string): void {
  if (!FILES.includes(filename)) {
    require.extensions['.js']?.(target, filename)
    return
  }
  const source = readFileSync(filename, 'utf8')
  const cache = toCacheFile(filename)
  const cachedData = readOwn(cache)
  const script = new Script(module.Module.wrap(source), {
    filename,
    ...(cachedData && { cachedData }),
  })
  if (!cachedData || script.cachedDataRejected) saveLater(script, cache, toPrefix(filename))
  const run = script.runInThisContext()
  const requireFrom = module.createRequire(filename)
  run.call(target.exports, target.exports, requireFrom, target, filename, dirname(filename))
}

/** Common prefix of the files of this Node version; only the newest build is kept. */
const toPrefix = (filename: string): string =>
  `${basename(filename)}-${process.versions.v8}-${process.arch}-`

/** The name holds everything that compiled code depends on. */
function toCacheFile(filename: string): string {
  const { size, mtimeMs } = statSync(filename)
  return join(cacheFolder(), `${toPrefix(filename)}${__VERSION__}-${size}-${mtimeMs}`)
}

function cacheFolder(): string {
  const { env, platform } = process
  const home = homedir()
  if (platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(home, 'AppData/Local'), 'ramp-sandbox')
  if (platform === 'darwin') return join(home, 'Library/Caches/ramp-sandbox')
  return join(env.XDG_CACHE_HOME || join(home, '.cache'), 'ramp-sandbox')
}

/** A file that another user could have written is not run. */
function readOwn(file: string): Buffer | undefined {
  try {
    const { uid, mode } = statSync(file)
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    return isOwn ? readFileSync(file) : undefined
  } catch {
    return undefined
  }
}

function saveLater(script: Script, file: string, prefix: string): void {
  setTimeout(() => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const unfinished = `${file}.${process.pid}`
      writeFileSync(unfinished, script.createCachedData(), { mode: 0o600, flag: 'wx' })
      renameSync(unfinished, file)
      removeOthers(dirname(file), prefix, basename(file))
    } catch {
      // The home folder may be read-only, or another start may be faster.
    }
  }, SAVE_AFTER_MS).unref()
}

function removeOthers(folder: string, prefix: string, kept: string): void {
  const others = readdirSync(folder).filter((name) => name.startsWith(prefix) && name !== kept)
  for (const name of others) rmSync(join(folder, name), { force: true })
}

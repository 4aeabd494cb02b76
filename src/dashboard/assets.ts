import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toReadError } from '../http/open-files.ts'
import { packageFolder } from '../package-folder.ts'

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const FILE = /^[a-z-]+\.(css|js|svg)$/
const read = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

/** A browser file from the build; undefined where there is none of that name. */
export async function findAsset(name: string): Promise<Response | undefined> {
  const [, kind] = FILE.exec(name) ?? []
  const path = join(packageFolder(), 'dist', 'assets', name)
  if (kind === undefined || !existsSync(path)) return undefined
  const bytes = await (read.get(path) ?? readAsset(path))
  const headers = {
    'content-type': TYPES[kind] ?? '',
    // Pages put the version in the query, so a new version has another URL.
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  }
  return new Response(bytes, { headers })
}

/** Kept once it was read; a file that could not be opened is tried again by the next call. */
function readAsset(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = readFile(path).catch((error) => {
    read.delete(path)
    throw toReadError(error)
  })
  read.set(path, bytes)
  return bytes
}

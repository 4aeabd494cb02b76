import { toReadError } from '../http/open-files.ts'
import { readPackageFile } from '../package-folder.ts'

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const FILE = /^[\w-]+\.(css|js|svg)$/
const kept = new Map<string, Buffer<ArrayBuffer>>()

/** Responds with a browser file from the build. */
export function findAsset(name: string): Response | undefined {
  const [, kind] = FILE.exec(name) ?? []
  const bytes = kind && readAsset(name)
  if (!bytes) return undefined
  const headers = {
    'content-type': TYPES[kind] ?? '',
    // Pages put the version in the query, so a new version has another URL.
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  }
  return new Response(bytes, { headers })
}

/** Reads each file once; a file that could not be opened is tried again by the next call. */
function readAsset(name: string): Buffer<ArrayBuffer> | undefined {
  try {
    const bytes = kept.get(name) ?? readPackageFile(`dist/assets/${name}`)
    if (bytes) kept.set(name, bytes)
    return bytes
  } catch (error) {
    throw toReadError(error)
  }
}

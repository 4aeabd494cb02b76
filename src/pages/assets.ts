import { createHash } from 'node:crypto'
import { toReadError } from '../http/open-files.ts'
import { readPackageFile } from '../package-folder.ts'

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const FILE = /^[\w-]+\.(css|js|svg)$/

interface Asset {
  bytes: Buffer<ArrayBuffer>
  /** Tells it from the file of another build. */
  tag: string
}

const kept = new Map<string, Asset>()

/** The name of a browser file with a query that is another one once its content is. */
export const tagged = (name: string): string => `${name}?${readAsset(name)?.tag ?? ''}`

/** Responds with a browser file from the build. */
export function findAsset(name: string): Response | undefined {
  const [, kind] = FILE.exec(name) ?? []
  const asset = kind && readAsset(name)
  if (!asset) return undefined
  const headers = {
    'content-type': TYPES[kind] ?? '',
    // A file with another content has another URL: the chunks of a script have a hash in their name.
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  }
  return new Response(asset.bytes, { headers })
}

/** Reads each file once; a file that could not be opened is tried again by the next call. */
function readAsset(name: string): Asset | undefined {
  try {
    const asset = kept.get(name) ?? open(name)
    if (asset) kept.set(name, asset)
    return asset
  } catch (error) {
    throw toReadError(error)
  }
}

function open(name: string): Asset | undefined {
  const bytes = readPackageFile(`dist/assets/${name}`)
  return bytes && { bytes, tag: createHash('sha256').update(bytes).digest('hex').slice(0, 12) }
}

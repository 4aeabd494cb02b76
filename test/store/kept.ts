import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worlds, type WorldsOptions } from '../../src/host/worlds.ts'
import { openStore, type StoreOptions } from '../../src/store/store.ts'
import { type Control, controlOf } from '../control/control.ts'
import { appOf, KEY, NOON } from '../helpers/app.ts'

/** A folder of its own for data files, which goes when it is disposed of. */
export interface Folder extends Disposable {
  readonly file: string
  path(name: string): string
  /** What a kill would leave of a data file at this moment, under another name. */
  copy(name: string, of?: string): string
  /** The bytes of everything that belongs to a data file. */
  bytes(file?: string): Record<string, string>
}

export function openFolder(): Folder {
  const folder = mkdtempSync(join(tmpdir(), 'ramp-sandbox-store-'))
  const path = (name: string) => join(folder, name)
  const file = path('worlds.json')
  return {
    file,
    path,
    copy(name, of = file) {
      cpSync(of, path(name))
      return path(name)
    },
    bytes(of = file) {
      const parts = readdirSync(folder).filter((name) => path(name).startsWith(of))
      return Object.fromEntries(
        parts.map((name) => [path(name).slice(of.length), readFileSync(path(name), 'base64')]),
      )
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface Kept extends Control, AsyncDisposable {
  /** The control API of another world of the same process. */
  world(name: string): Control
}

export type KeptOptions = WorldsOptions & StoreOptions

/** Worlds that live in a file. */
export async function openKept(file: string, options: KeptOptions = {}): Promise<Kept> {
  const { wallClock = Date.now, ...worldsOptions } = options
  const store = await openStore(file, { ...options, wallClock })
  const opened = new Worlds({
    fixture: 'verified-user',
    clock: NOON,
    wallClock,
    store,
    ...worldsOptions,
  })
  const fetch = async (request: Request) => opened.fetch(request)
  const app = appOf(fetch, '', () => opened.close())
  return {
    ...controlOf(app),
    world: (name) => controlOf(app.world(name)),
    [Symbol.asyncDispose]: () => opened.close(),
  }
}

/** Why a file is rejected. */
export async function rejectionOf(file: string, options: StoreOptions = {}): Promise<string> {
  try {
    const store = await openStore(file, options)
    await store.close()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The whole response, which may be a refusal. */
export const createUser = ({ app }: Kept, email: string) =>
  app.send('/v2/users', {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })

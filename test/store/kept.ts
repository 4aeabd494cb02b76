import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worlds, type WorldsOptions } from '../../src/host/worlds.ts'
import { openStore, type StoreOptions } from '../../src/store/store.ts'
import type { Saved } from '../../src/store/world-file.ts'
import { type Control, controlOf } from '../control/control.ts'
import { appOf, KEY, NOON, sendTo } from '../helpers/app.ts'
import { validKyb } from '../helpers/kyb.ts'
import { logIn, receiveFunds, register, settle } from '../helpers/story.ts'

/** A folder for `--data` that goes when it is disposed of. */
export interface Folder extends Disposable {
  readonly data: string
  /** A path beside the folder. */
  path(name: string): string
  /** Names of the files in the folder. */
  files(): string[]
  /** The content of a file. */
  read(file?: string): Saved
  /** What a kill would leave at this moment, in another folder; its process is gone. */
  copy(name: string): string
  /** Fills the disk for one file, until the result is called. */
  fill(file?: string): () => void
  /** Makes the next write of a file wait, until the result is called. */
  hold(file?: string): () => Promise<unknown>
}

export function openFolder(): Folder {
  const root = mkdtempSync(join(tmpdir(), 'ramp-sandbox-store-'))
  const path = (name: string) => join(root, name)
  const data = path('worlds')
  const draftOf = (file: string) => join(data, `.${file}.tmp`)
  return {
    data,
    path,
    files: () => readdirSync(data).sort(),
    read: (file = 'default.json') => JSON.parse(readFileSync(join(data, file), 'utf8')),
    copy(name) {
      cpSync(data, path(name), { recursive: true, filter: (from) => !/lock|tmp$/.test(from) })
      return path(name)
    },
    fill(file = 'default.json') {
      symlinkSync('/dev/full', draftOf(file))
      return () => rmSync(draftOf(file))
    },
    hold(file = 'default.json') {
      execFileSync('mkfifo', [draftOf(file)])
      return () => readFile(draftOf(file))
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

export interface Kept extends Control, AsyncDisposable {
  /** The control API of another world of the same process. */
  world(name: string): Control
}

export type KeptOptions = WorldsOptions & StoreOptions

/** Worlds that live in a folder. */
export async function openKept(data: string, options: KeptOptions = {}): Promise<Kept> {
  const { wallClock = Date.now } = options
  const store = await openStore(data, { ...options, wallClock })
  const opened = new Worlds({ fixture: 'verified-user', clock: NOON, ...options, wallClock, store })
  const fetch = async (request: Request) => opened.fetch(request)
  const app = appOf(fetch, '', () => opened.close())
  return {
    ...controlOf(app),
    world: (name) => controlOf(app.world(name)),
    [Symbol.asyncDispose]: () => opened.close(),
  }
}

/** A life in which every kind of row is made and changed. */
export async function live({ app, post, patch, put }: Kept) {
  const alice = await logIn(app)
  const bought = await alice.buy({ externalSessionId: 'é漢🙂' })
  await alice.sell()
  await receiveFunds(app, bought.id)
  await settle(app, bought.id)
  const bob = await register(app, { email: 'bob@example.com' })
  await sendTo(app, 'POST /submitKYB', { body: validKyb() })
  await sendTo(app, 'PATCH /webhooks', { body: { verifiedEmailUrl: 'https://example.com/v1' } })
  await app.call('GET /v2/users/{userId}/kyc-url', { path: { userId: bob } })
  await post('/simulate/users/bob@example.com/kyc', { status: 'verified', after: '2h' })
  await post('/simulate/users/alice@example.com/access', { accessibleBy: ['jwt', 'apiKey'] })
  await app.call('PUT /v2/webhook-configurations', { body: { url: 'https://example.com/hooks' } })
  await app.call('POST /v2/webhook-configurations/signing-secret/rotate')
  await app.call('DELETE /v2/webhook-configurations')
  await patch('/settings', { 'quotes.ttl': '5m' })
  await put('/rates', { USDC: { cad: 1.5 } })
  await alice.cancel((await alice.buy()).id)
  await post('/clock/advance', { by: '1h' })
}

/** Why a folder is rejected; empty if it is not. */
export async function rejectionOf(data: string, options: StoreOptions = {}): Promise<string> {
  try {
    const store = await openStore(data, options)
    await store.close()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The whole response, which may be a refusal. */
export const createUser = ({ app }: Pick<Control, 'app'>, email: string) =>
  app.send('/v2/users', {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })

export async function emailsIn({ get }: Pick<Control, 'get'>): Promise<string[]> {
  const { items } = await get('/users?limit=1000')
  return items.map(({ email }: { email: string }) => email)
}

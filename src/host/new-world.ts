import { randomBytes } from 'node:crypto'
import { assertControl, assertSameSite, findHostError } from '../http/control/index.ts'
import type { ProcessServices } from '../http/services.ts'
import { HttpError } from '../http/status.ts'
import { DomainError } from '../world/domain-error.ts'
import { countRows } from '../world/state-export.ts'
import { type MemoryGuard, ROW_BYTES } from './memory.ts'
import { createStarter, type StarterOptions } from './start-state.ts'

/** A call for a world that does not exist. */
export interface NewWorldCall {
  name: string
  request: Request
  /** Below the world's base URL. */
  path: string
}

export interface NewWorldsOptions {
  starting: StarterOptions
  control: ProcessServices
  memory: MemoryGuard
}

/** What needs no credentials: it is for those who have a link. */
const LINK_PATH = /^\/_sandbox\/(catch\/[^/?]*(\?|$)|kyc\/|bank\/)/
/** What a page needs before its user has signed in. */
const ASSET_PATH = /^\/_sandbox\/assets\//

/**
 * Says which calls make a world. It takes memory, so that is only for callers with credentials, and
 * never for a page of another site.
 */
export function createNewWorlds({ starting, control, memory }: NewWorldsOptions) {
  let known: { keys: ReadonlySet<string>; rows: number } | undefined
  return { decide, assertRoom }

  /** To open it, to answer without a world, or why it may not be made. */
  function decide(call: NewWorldCall): 'open' | 'no-world' | HttpError {
    const error = findError(() => assertMaker(call))
    if (needsNoWorld(call, error)) return 'no-world'
    return error ?? findError(() => assertRoom()) ?? 'open'
  }

  function assertRoom(rows = atStart().rows) {
    memory.assertRoom(ROW_BYTES * rows)
  }

  function findError(assert: () => void): HttpError | undefined {
    try {
      assert()
      return undefined
    } catch (error) {
      if (error instanceof HttpError) return error
      throw error
    }
  }

  function assertMaker(call: NewWorldCall) {
    const { path, request } = call
    const { method, url, headers } = request
    const header = (name: string) => headers.get(name) ?? undefined
    const host = header('host') ?? new URL(url).host
    if (LINK_PATH.test(path) || isPrivateName(call.name)) throw noWorld(call, 404)
    const isControl = path.startsWith('/_sandbox')
    if (!isControl && !isKnownKey(header('x-api-key'))) throw noWorld(call, 401)
    assertSameSite({ header }, control)
    if (isControl) return void assertControl({ method, host, header, isPrivate: false }, control)
    const foreign = findHostError(host, control)
    if (foreign) throw foreign
  }

  /** The keys of a fixture are public, so with a control token they are not enough. */
  function isKnownKey(apiKey: string | undefined): boolean {
    return control.token === undefined && apiKey !== undefined && atStart().keys.has(apiKey)
  }

  function noWorld({ name }: NewWorldCall, status: 401 | 404): HttpError {
    const orKey = control.token === undefined ? ', or one with an API key of the fixture' : ''
    const how = isPrivateName(name)
      ? 'A private world that has ended does not come back.'
      : `A control call makes it${orKey}.`
    const message = `There is no world ${name}. ${how}`
    const field = status === 401 ? 'x-api-key' : 'world'
    return new HttpError(status, field, message, { code: 'no-world' })
  }

  function atStart() {
    if (known) return known
    const state = createStarter(starting)({})
    const keys = new Set(state.integrators.map(({ apiKey }) => apiKey))
    known = { keys, rows: countRows(state) }
    return known
  }
}

/** Whether the answer shows no world: a page that asks to sign in, and what that page is made of. */
function needsNoWorld({ request, path }: NewWorldCall, error: HttpError | undefined): boolean {
  const isPage = request.method === 'GET' && request.headers.get('accept')?.includes('text/html')
  if (ASSET_PATH.test(path)) return true
  return isPage === true && (path === '/' || path === '' || error?.code === 'control-token')
}

/** A world that only those know who have its URL; without a call for `ttlMs` it ends. */
export interface PrivateWorld {
  readonly ttlMs: number
  /** Wall time. */
  endsAt: number
  /** The private world at whose URL it was forked, and with which it ends. */
  readonly owner: string | undefined
}

/** Forks of one private world that live at once, of those made by its URL alone. */
export const FORKS_MAX = 20

const INSTANCE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,30}$/
const PRIVATE_NAME = /^([A-Za-z0-9][A-Za-z0-9._-]{0,30}-)?[0-9a-f]{32}$/

/** 128 random bits, behind the name by which a proxy finds this process. */
export function newPrivateName(instance: string | undefined): string {
  const bits = randomBytes(16).toString('hex')
  return instance === undefined ? bits : `${instance}-${bits}`
}

/** Whether a name looks like one of these: no call makes such a world again once it has ended. */
const isPrivateName = (name: string): boolean => PRIVATE_NAME.test(name)

export function assertInstance(instance: string | undefined): void {
  if (instance === undefined || INSTANCE.test(instance)) return
  const message = `--instance takes 1 to 31 letters, digits, dots, dashes and underscores, not ${instance}.`
  throw new DomainError('invalid', message, { field: '--instance' })
}

/** Worlds that one process keeps; each is a copy of the start-up fixture and what it grew into. */
export const WORLDS_MAX = 2_000

export const BAD_NAME = new HttpError(
  400,
  'world',
  'A world is named with 1 to 64 letters, digits, dots, dashes and underscores, as in /w/worker-1.',
  { code: 'world-name' },
)
export const TOO_MANY = new HttpError(
  409,
  'world',
  `At most ${WORLDS_MAX} worlds may live at once; DELETE /_sandbox/worlds/{name} ends one.`,
  { code: 'too-many-worlds' },
)

export const TOO_MANY_FORKS = new HttpError(
  409,
  'from',
  `At most ${FORKS_MAX} forks of a private world may live at once; delete one.`,
  { code: 'too-many-forks' },
)

import { DomainError } from './domain-error.ts'
import { hex } from './random.ts'
import type { ShareTokenKind } from './words.ts'
import type { World } from './world.ts'

/** `_act-…-jwt-` and a JWT, whose signature part is empty unless the world has a secret. */
const SHARE_TOKEN = /^_act-(?:[A-Za-z0-9-]*-)?jwt-[\w-]+\.([\w-]+)\.([\w-]*)$/
/** Longer text is not matched, because that takes quadratic time. */
const LENGTH_MAX = 4_096

const REASONS: Record<Exclude<ShareTokenKind, 'valid'> | 'malformed', string> = {
  malformed: 'The provided share token is malformed or expired.',
  expired: 'The provided share token is malformed or expired.',
  'not-found': 'The applicant of the share token was not found.',
  incomplete: 'The verification of the applicant is not complete.',
}

export function makeShareToken(world: Signer, email: string, kind: ShareTokenKind): string {
  const marked = kind === 'valid' ? '' : `${kind}-`
  const payload = toBase64Url(JSON.stringify({ email }))
  const head = `_act-sbx-${marked}jwt-${toBase64Url('{"alg":"none"}')}`
  return `${head}.${payload}.${signatureOf(world, payload)}`
}

type Signer = Pick<World, 'secret' | 'secretRandom'>

/** Signs a share token if the world has a secret, so that others cannot forge it. */
function signatureOf(world: Signer, payload: string): string {
  return world.secret === '' ? '' : hex(world.secretRandom('share-token', payload, 1), 32)
}

/** The applicant of a share token, unless its text names a failure. */
export function readShareToken(world: Signer, token: string): { email: string | null } {
  for (const kind of ['expired', 'not-found', 'incomplete'] as const) {
    if (token.includes(kind)) throw newShareTokenError(kind)
  }
  const isShort = token.length <= LENGTH_MAX
  const [, payload, signature] = (isShort && SHARE_TOKEN.exec(token)) || []
  const claims = payload === undefined ? undefined : parsePayload(payload)
  const isForged = world.secret !== '' && signature !== signatureOf(world, payload ?? '')
  if (claims === undefined || isForged) throw newShareTokenError('malformed')
  const { email } = claims
  return { email: typeof email === 'string' ? email : null }
}

export function newShareTokenError(kind: keyof typeof REASONS): DomainError {
  return new DomainError('invalid-share-token', REASONS[kind], { remedy: 'make-share-token' })
}

function parsePayload(payload: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return parsed !== null && typeof parsed === 'object' ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

const toBase64Url = (text: string) => Buffer.from(text).toString('base64url')

import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../world/domain-error.ts'
import type { Session } from '../world/state.ts'
import type { World } from '../world/world.ts'

/** Verified tokens that are cached; their expiry is still checked each time. */
const TOKENS_MAX = 10_000

/** Access tokens of one world: HS256 JWTs. World time decides whether one has expired. */
export interface Tokens {
  issue(session: Session): string
  /** The session of a token; throws if it is malformed, foreign, of another life or expired. */
  read(token: string): Session
}

interface Claims {
  jti: string
  sub: string
  integrator: string
  world: string
  iat: number
  exp: number
}

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

export function createTokens(name: string, world: () => World): Tokens {
  const known = new Map<string, Session>()
  return {
    issue({ id, userId, integrator, iat, exp }) {
      const claims: Claims = { jti: id, sub: userId, integrator, world: name, iat, exp }
      const signed = `${HEADER}.${encode(claims)}`
      return `${signed}.${sign(signed, world())}`
    },
    read(token) {
      const session = known.get(token) ?? verify(token)
      if (world().now < session.issuedAt) {
        throw new DomainError('invalid-token', 'The access token is not valid yet.', {
          hint: `It was issued at ${new Date(session.issuedAt).toISOString()} of world time.`,
        })
      }
      if (world().now >= session.expiresAt) {
        throw new DomainError('expired-token', 'The access token has expired; log in again.', {
          hint: `It expired at ${new Date(session.expiresAt).toISOString()} of world time.`,
        })
      }
      return session
    },
  }

  function verify(token: string): Session {
    const end = token.lastIndexOf('.')
    const signed = token.slice(0, Math.max(end, 0))
    const claims = decode(signed.slice(signed.indexOf('.') + 1))
    // As text: decoding would also accept junk at the end and other spellings of the last character.
    if (!isSame(token.slice(end + 1), sign(signed, world())) || claims === undefined) {
      throw new DomainError('invalid-token', 'The access token is not one of this service.', {
        hint: 'Send what POST /v2/auth/login-codes/verify answered, unchanged.',
      })
    }
    if (claims.world !== name) {
      throw new DomainError('invalid-token', 'The access token is not one of this service.', {
        hint: `It was made in the world ${claims.world}, this is the world ${name}.`,
      })
    }
    const session = world().sessions.get(claims.jti)
    if (session === undefined) {
      throw new DomainError('invalid-token', 'The access token is not one of this service.', {
        hint: 'It is from before a reset, or from after the snapshot that was restored; log in again.',
      })
    }
    if (known.size >= TOKENS_MAX) known.clear()
    known.set(token, session)
    return session
  }
}

/** Without a secret of the world the key is public: a sandbox signs to be like the service. */
function sign(text: string, { seed, secret }: World): string {
  return createHmac('sha256', secret ? `${secret} ${seed}` : `ramp-sandbox ${seed}`)
    .update(text)
    .digest('base64url')
}

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string): Claims | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isClaims(claims) ? claims : undefined
  } catch {
    return undefined
  }
}

function isClaims(value: unknown): value is Claims {
  if (value === null || typeof value !== 'object') return false
  const { jti, sub, integrator, world, exp } = value as Partial<Claims>
  return (
    [jti, sub, integrator, world].every((claim) => typeof claim === 'string') && exp !== undefined
  )
}

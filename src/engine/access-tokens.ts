import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../world/domain-error.ts'
import type { Session } from '../world/state.ts'
import type { World } from '../world/world.ts'

/** Verified tokens that are cached; their expiry is still checked each time. */
const TOKENS_MAX = 10_000

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

export type Tokens = ReturnType<typeof createTokens>

/** Access tokens of one world: HS256 JWTs. World time decides whether one has expired. */
export function createTokens(name: string, world: () => World) {
  const known = new Map<string, Session>()
  return { issue, read }

  function issue({ id, userId, integrator, iat, exp }: Session): string {
    const claims = encode({ jti: id, sub: userId, integrator, world: name, iat, exp })
    return `${HEADER}.${claims}.${sign(`${HEADER}.${claims}`, world())}`
  }

  /** The session of a token; throws if it is malformed, foreign, of another life or expired. */
  function read(token: string): Session {
    const session = known.get(token) ?? verify(token)
    const { now } = world()
    if (now < session.issuedAt) {
      throw new DomainError('invalid-token', 'The access token is not valid yet.', {
        hint: `It was issued at ${new Date(session.issuedAt).toISOString()} of world time.`,
      })
    }
    if (now >= session.expiresAt) {
      throw new DomainError('expired-token', 'The access token has expired; log in again.', {
        hint: `It expired at ${new Date(session.expiresAt).toISOString()} of world time.`,
      })
    }
    return session
  }

  /** A token is valid if its session, which is looked up by its claims, would get the same one. */
  function verify(token: string): Session {
    const { jti, world: origin } = decode(token)
    if (typeof origin === 'string' && origin !== name) {
      throw notOurs(`It was made in the world ${origin}, this is the world ${name}.`)
    }
    const session = world().sessions.get(String(jti))
    if (session !== undefined && isSame(token, issue(session))) {
      if (known.size >= TOKENS_MAX) known.clear()
      known.set(token, session)
      return session
    }
    const isLost = session === undefined && origin === name
    throw notOurs(
      isLost
        ? 'It is from before a reset, or from after the snapshot that was restored; log in again.'
        : 'Send what POST /v2/auth/login-codes/verify returned, unchanged.',
    )
  }
}

const notOurs = (hint: string) =>
  new DomainError('invalid-token', 'The access token is not one of this service.', { hint })

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

/** Claims of a token, also of one that was not made here; none of what is not a token. */
function decode(token: string): { jti?: unknown; world?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    return {}
  }
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../world/domain-error.ts'
import type { Session } from '../world/state.ts'
import type { World } from '../world/world.ts'

/** Verified tokens that are cached; their expiry is still checked each time. */
const TOKENS_MAX = 10_000

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

/** Access tokens of one world: HS256 JWTs. World time decides whether one has expired. */
export class AccessTokens {
  readonly #name: string
  readonly #world: World
  readonly #verified = new Map<string, Session>()

  constructor(name: string, world: World) {
    this.#name = name
    this.#world = world
  }

  issue({ id, userId, integrator, iat, exp }: Session): string {
    const claims = encode({ jti: id, sub: userId, integrator, world: this.#name, iat, exp })
    const signed = `${HEADER}.${claims}`
    return `${signed}.${sign(signed, this.#world)}`
  }

  /** The session of a token; throws if it is malformed, foreign, expired or from before a reset. */
  read(token: string): Session {
    const session = this.#verified.get(token) ?? this.#verify(token)
    const { now } = this.#world
    if (now < session.issuedAt) {
      throw new DomainError('invalid-token', 'The access token is not valid yet.', {
        hint: `It was issued at ${new Date(session.issuedAt).toISOString()}, world time.`,
      })
    }
    if (now >= session.expiresAt) {
      throw new DomainError('expired-token', 'The access token has expired; log in again.', {
        hint: `It expired at ${new Date(session.expiresAt).toISOString()}, world time.`,
      })
    }
    return session
  }

  /**
   * Finds the session by its claims, and compares the token with the one that would be issued now.
   */
  #verify(token: string): Session {
    const { jti, world: origin } = decode(token)
    if (typeof origin === 'string' && origin !== this.#name) {
      throw notOurs(`It was issued in the world ${origin}; this is the world ${this.#name}.`)
    }
    const session = this.#world.sessions.get(String(jti))
    if (session !== undefined && isSame(token, this.issue(session))) {
      this.#remember(token, session)
      return session
    }
    const isLost = session === undefined && origin === this.#name
    throw notOurs(
      isLost ? LOST : 'Send the token exactly as POST /v2/auth/login-codes/verify returned it.',
    )
  }

  #remember(token: string, session: Session): void {
    if (this.#verified.size >= TOKENS_MAX) this.#verified.clear()
    this.#verified.set(token, session)
  }
}

const LOST = 'It was issued before a reset, or after the snapshot that was restored. Log in again.'

export const NOT_OURS = 'This service did not issue the access token.'

const notOurs = (hint: string) => new DomainError('invalid-token', NOT_OURS, { hint })

/** Signs as the service does. Without a secret of the world, the key is public. */
function sign(text: string, { seed, secret }: World): string {
  return createHmac('sha256', secret ? `${secret} ${seed}` : `ramp-sandbox ${seed}`)
    .update(text)
    .digest('base64url')
}

function isSame(actual: string, expected: string): boolean {
  const a = Buffer.from(actual)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Reads the claims of any token; returns none for text that is not a token. */
function decode(token: string): { jti?: unknown; world?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    return {}
  }
}

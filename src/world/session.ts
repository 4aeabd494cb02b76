export interface LoginCode {
  userId: string
  integrator: string
  code: string
  expiresAt: number
  attempts: number
  spent: boolean
}

/** What an access token stands for, so that only tokens of this life of the world count. */
export interface Session {
  /** From the seed; the token has it as `jti`. */
  id: string
  userId: string
  integrator: string
  /** What the token says, in seconds: by the world's clock or by the wall clock. */
  iat: number
  exp: number
  /** World time. */
  issuedAt: number
  expiresAt: number
  /** How many statuses the user had had. */
  statusCount: number
}

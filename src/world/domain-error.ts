export type DomainErrorKind =
  | 'invalid'
  | 'limit'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'rate-limit'

/** For people who look at the request journal. */
export interface DomainErrorDetail {
  code?: string
  /** Place in the contract, for example `Limits: Active transactions`. */
  rule?: string
  /** What would work, in a sentence. */
  hint?: string
  /** What would work, literally: a value, the name of a field, or a route. */
  nearest?: string
  from?: string
  allowed?: readonly string[]
}

/** What is wrong with a field. Hints are chosen by it, never by the sentence. */
export type ProblemCode = 'missing' | 'unknown-field' | 'wrong-type' | 'wrong-value'

export type Place = 'body' | 'query' | 'fixture'

export interface Problem {
  field: string
  message: string
  code?: ProblemCode
  /** Where the field was looked for. */
  place?: Place
  /** The type, or the values, that would have fitted. */
  expected?: readonly string[]
  /** What would work in its place. */
  nearest?: string
}

/** The one expected error: the world said no. Each dialect renders it in its own words. */
export class DomainError extends Error {
  readonly kind: DomainErrorKind
  readonly problems: readonly Problem[]
  readonly detail: DomainErrorDetail

  constructor(
    kind: DomainErrorKind,
    field: string,
    message: string,
    detail: DomainErrorDetail = {},
  ) {
    super(message)
    this.name = 'DomainError'
    this.kind = kind
    this.problems = [{ field, message }]
    this.detail = detail
  }

  /** Several things that are wrong with one request. */
  static ofMany(
    problems: readonly Problem[],
    { kind = 'invalid', ...detail }: DomainErrorDetail & { kind?: DomainErrorKind } = {},
  ): DomainError {
    const [first] = problems
    const error = new DomainError(kind, first?.field ?? 'body', first?.message ?? '', detail)
    return Object.assign(error, { problems })
  }
}

/** What an error says, whatever was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

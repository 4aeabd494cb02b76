import { findError } from './settings/errors.ts'

/** For people who look at the request journal. */
export interface DomainErrorDetail {
  /** The field at fault; by default the one that the table of errors names. */
  field?: string | undefined
  /** Place in the contract, for example `Limits: Active transactions`. */
  rule?: string
  hint?: string | undefined
  /** What would help; the dialect adds the call that does it. */
  remedy?: Remedy | undefined
  /** E-mail address of the user whom the remedy is for. */
  user?: string
  /** Literal that would work: a value, the name of a field, or a route. */
  nearest?: string
  from?: string
  allowed?: readonly string[]
}

export type Remedy =
  | 'find-user'
  | 'make-quote'
  | 'make-share-token'
  | 'read-login-code'
  | 'register-user'
  | 'send-login-code'
  | 'set-webhook-url'
  | 'verify-user'

interface CodedDetail extends DomainErrorDetail {
  /** Default: `invalid`. */
  code?: string | undefined
}

/** Kind of mistake in a field. Hints are chosen by it, never by the sentence. */
export type ProblemCode = 'missing' | 'unknown-field' | 'wrong-type' | 'wrong-value'

export type Place = 'body' | 'query' | 'fixture' | 'state'

export interface Problem {
  field: string
  message: string
  code?: ProblemCode
  /** Part of the request where the field was looked for. */
  place?: Place
  /** The type, or the values, that would have fitted. */
  expected?: readonly string[]
  nearest?: string
}

/** A field, and what is wrong with its value in words that continue after the name. */
export type Finding = readonly [field: string, wrong: string | undefined]

export const toProblems = (findings: readonly Finding[]): Problem[] =>
  findings.flatMap(([field, wrong]) =>
    wrong === undefined ? [] : [{ field, message: `${field} ${wrong}.` }],
  )

/**
 * The one expected error: the world said no. Its code is stable; an error of the contract API has a
 * row in the table of errors, which gives its status, and each dialect renders it in its own words.
 */
export class DomainError extends Error {
  readonly code: string
  readonly problems: readonly Problem[]
  readonly detail: DomainErrorDetail

  constructor(code: string, message: string, detail: DomainErrorDetail = {}) {
    super(message)
    this.name = 'DomainError'
    this.code = code
    const { field = findError(code)?.field ?? 'body' } = detail
    this.problems = [{ field, message }]
    this.detail = detail
  }

  /** Creates one error from several problems of a request. */
  static ofMany(
    problems: readonly Problem[],
    { code = 'invalid', ...detail }: CodedDetail = {},
  ): DomainError {
    const [first] = problems
    const error = new DomainError(code, first?.message ?? '', detail)
    return Object.assign(error, { problems })
  }
}

/** Puts the path of a field before a message, or in place of the field that the message begins with. */
export function atPlace(path: string, message: string): string {
  const [first = ''] = message.split(' ', 1)
  return path.endsWith(`.${first}`) ? path + message.slice(first.length) : `${path}: ${message}`
}

/** Throws one error for several problems, if there are any. */
export function assertNoProblems(problems: readonly Problem[], detail?: CodedDetail): void {
  if (problems.length > 0) throw DomainError.ofMany(problems, detail)
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

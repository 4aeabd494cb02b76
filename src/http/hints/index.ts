import type { CallProblem } from '../../engine/request-journal.ts'
import type { DomainError, Problem } from '../../world/domain-error.ts'
import { findError, NO_CATALOGUE } from '../../world/settings/errors.ts'
import { shorten } from '../../world/shorten.ts'
import { findBodyInQuery, findKey, findMisplaced } from './fields.ts'
import type { Hint, RejectedCall } from './rejected-call.ts'
import { findValue } from './values.ts'

/** Problems of one call that are looked into: a body may have thousands. */
const EXAMINED_MAX = 20
/** Hints of one call; a request of another shape altogether would fill pages. */
const HINTS_MAX = 5
/** What the journal keeps of one call, in problems and in characters. */
const PROBLEMS_MAX = 100
const PROBLEMS_LENGTH_MAX = 16 * 1024
const TEXT_LENGTH_MAX = 2_000

/**
 * An error with what would have worked. The caller is answered as the provider would answer; this
 * goes into the request journal, for the person who has to make the call work.
 */
export function explainError(error: DomainError, code: string, call: RejectedCall): CallProblem {
  try {
    return explain(error, code, { call, hints: findHints(error, call) })
  } catch (bug) {
    // A bug here must not change the answer, which does not depend on it.
    console.error(bug)
    return explain(error, code, { call, hints: [] })
  }
}

function findHints({ problems }: DomainError, call: RejectedCall): (Hint | undefined)[] {
  const isKey = problems[0]?.field === 'x-api-key'
  if (!isKey && call.record.sent === '' && call.operation?.body) return [findBodyInQuery(call)]
  return problems.slice(0, EXAMINED_MAX).map((problem) => findHint(problem, call))
}

function findHint(problem: Problem, call: RejectedCall): Hint | undefined {
  if (problem.field === 'x-api-key') return findKey(call)
  switch (problem.code) {
    case 'missing':
      return findMisplaced(problem, call)
    case 'wrong-type':
    case 'wrong-value':
      return findValue(problem, call)
    default:
      return undefined
  }
}

function explain(
  { message, problems, detail }: DomainError,
  code: string,
  { call, hints }: { call: RejectedCall; hints: readonly (Hint | undefined)[] },
): CallProblem {
  const found = hints.flatMap((hint) => hint?.hint ?? []).slice(0, HINTS_MAX)
  const hint = [...found, ...(detail.hint === undefined ? [] : [detail.hint])].join(' ')
  const kept = keepProblems(problems, hints)
  const nearest = detail.nearest ?? kept.find((problem) => problem.nearest)?.nearest
  return {
    code,
    message: shorten(message, TEXT_LENGTH_MAX),
    problems: kept,
    detail: {
      ...detail,
      rule: detail.rule ?? placeOf(code, call),
      ...(hint !== '' && { hint: shorten(hint, TEXT_LENGTH_MAX) }),
      ...(nearest !== undefined && { nearest: shorten(nearest, TEXT_LENGTH_MAX) }),
    },
  }
}

/** The place of the operation in the contract, where that of the error says only that it is open. */
function placeOf(code: string, { operation }: RejectedCall): string {
  const { ref } = findError(code) ?? { ref: NO_CATALOGUE }
  return ref === NO_CATALOGUE ? (operation?.ref ?? 'Endpoints') : ref
}

/** The first problems, each with what would have worked, as far as there is room for them. */
function keepProblems(
  problems: readonly Problem[],
  hints: readonly (Hint | undefined)[],
): Problem[] {
  const kept: Problem[] = []
  let length = 0
  for (const [index, problem] of problems.slice(0, PROBLEMS_MAX).entries()) {
    const field = shorten(problem.field, TEXT_LENGTH_MAX)
    const message = shorten(problem.message, TEXT_LENGTH_MAX)
    const nearest = shorten(problem.nearest ?? hints[index]?.nearest ?? '', TEXT_LENGTH_MAX)
    length += field.length + message.length + nearest.length
    if (length > PROBLEMS_LENGTH_MAX) break
    kept.push({ field, message, ...(nearest !== '' && { nearest }) })
  }
  return kept
}

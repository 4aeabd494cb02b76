import type { CallProblem } from '../../engine/request-journal.ts'
import type { DomainError, DomainErrorDetail, Problem } from '../../world/domain-error.ts'
import type { Asked, Repair } from './asked.ts'
import { repairBody } from './body.ts'
import { repairCredentials } from './credentials.ts'
import { repairId } from './ids.ts'
import { noteStrangers, repairName } from './names.ts'
import { repairPlace } from './places.ts'
import { shorten } from './shorten.ts'
import { repairValue } from './values.ts'

/** The mistakes that integrators make, the likeliest first; the first that fits explains a problem. */
const REPAIRS = [repairCredentials, repairId, repairBody, repairPlace, repairName, repairValue]

/**
 * Finds the mistake behind a refusal. The caller is answered as the provider would answer; what is
 * found here goes into the request journal, for the person who has to make the call work.
 */
export function explain(refusal: DomainError, asked: Asked): CallProblem {
  try {
    return clip(explainRefusal(refusal, asked))
  } catch (error) {
    // A bug here must not spoil the answer, which does not depend on it.
    console.error(error)
    return clip(explainPlainly(refusal, asked))
  }
}

/** What the refusal says by itself. */
function explainPlainly(
  { kind, message, problems, detail }: DomainError,
  asked: Asked,
): CallProblem {
  return { kind, message, problems, detail: { ...detail, rule: ruleOf(detail, asked) } }
}

const ruleOf = ({ rule }: DomainErrorDetail, { operation }: Asked) =>
  rule ?? operation?.ref ?? 'Endpoints'

/** What the journal keeps of a call that was wrong at length, in problems and in characters. */
const PROBLEMS_MAX = 100
const PROBLEMS_LENGTH_MAX = 16 * 1024
const TEXT_LENGTH_MAX = 2_000

function clip({ kind, message, problems, detail }: CallProblem): CallProblem {
  const { hint, nearest } = detail
  return {
    kind,
    message: shorten(message, TEXT_LENGTH_MAX),
    problems: clipProblems(problems),
    detail: {
      ...detail,
      ...(hint !== undefined && { hint: shorten(hint, TEXT_LENGTH_MAX) }),
      ...(nearest !== undefined && { nearest: shorten(nearest, TEXT_LENGTH_MAX) }),
    },
  }
}

function clipProblems(problems: readonly Problem[]): Problem[] {
  const kept: Problem[] = []
  let length = 0
  for (const problem of problems.slice(0, PROBLEMS_MAX)) {
    const clipped = clipProblem(problem)
    length += lengthOf(clipped)
    if (length > PROBLEMS_LENGTH_MAX) break
    kept.push(clipped)
  }
  return kept
}

const lengthOf = ({ field, message, nearest = '' }: Problem) =>
  field.length + message.length + nearest.length

function clipProblem({ field, message, nearest }: Problem): Problem {
  return {
    field: shorten(field, TEXT_LENGTH_MAX),
    message: shorten(message, TEXT_LENGTH_MAX),
    ...(nearest !== undefined && { nearest: shorten(nearest, TEXT_LENGTH_MAX) }),
  }
}

function explainRefusal(refusal: DomainError, asked: Asked): CallProblem {
  const { kind, message, detail } = refusal
  noteStrangers(asked)
  const looked = refusal.problems.slice(0, REPAIRED_MAX)
  const repairs = looked.map((problem) => findRepair(problem, asked))
  const problems = refusal.problems.map((problem, i) => {
    const nearest = problem.nearest ?? repairs[i]?.nearest
    return nearest === undefined ? problem : { ...problem, nearest }
  })
  const nearest = detail.nearest ?? problems.find((problem) => problem.nearest)?.nearest
  const found = repairs.flatMap((repair) => repair?.hint ?? []).slice(0, HINTS_MAX)
  const hint = [...found, detail.hint ?? []].flat().join(' ')
  return {
    kind,
    message,
    problems,
    detail: {
      ...detail,
      rule: ruleOf(detail, asked),
      ...(hint !== '' && { hint }),
      ...(nearest !== undefined && { nearest }),
    },
  }
}

/** Problems of one refusal that are looked into: each compares names, and a body may have hundreds. */
const REPAIRED_MAX = 20
/** Hints that one refusal gives; a request of another shape altogether would fill pages. */
const HINTS_MAX = 5

function findRepair(problem: Problem, asked: Asked): Repair | undefined {
  for (const repair of REPAIRS) {
    const found = repair(problem, asked)
    if (found) return found
  }
  return undefined
}

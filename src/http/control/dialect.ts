import * as z from 'zod'
import type { ActionKind } from '../../engine/timeline.ts'
import { findError } from '../../world/settings/errors.ts'
import type { Dialect } from '../dialect.ts'
import {
  type Authentication,
  type Operation,
  type OperationOptions,
  operationIn,
} from '../operation.ts'
import type { Method } from '../operation-description.ts'
import { titled } from '../titled.ts'
import { type ControlCaller, requireControl } from './auth.ts'
import {
  describeProblemCodes,
  isProblemCode,
  PROBLEM_CODE_NAMES,
  PROBLEM_CODES,
} from './problem-codes.ts'
import { findRoute, type LeverName } from './routes.ts'

/** The control API: bare JSON, and errors as problem+json. */
export const control: Dialect = {
  name: 'control',
  journalled: false,
  checksUnknownFields: false,
  errorType: 'application/problem+json',
  success: (data) => data,
  describe: { success: (data) => data, error: ControlProblem },
  statusOf: (code) => (isProblemCode(code) ? PROBLEM_CODES[code][0] : findError(code)?.status),
  error(error, status): ControlProblem {
    const { code, message, problems, detail } = error
    const { from, allowed, hint } = detail
    return {
      type: 'about:blank',
      title: message,
      status,
      code,
      detail: hint ?? message,
      errors: problems.map(({ field, message }) => ({ field, message })),
      ...(from !== undefined && { from }),
      ...(allowed !== undefined && { allowed }),
    }
  },
}

/** Errors of the control API (RFC 9457), with a stable `code`. */
function ControlProblem() {
  return titled('Problem', {
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({
      enum: PROBLEM_CODE_NAMES,
      description: `Stable; what to branch on.\n\n${describeProblemCodes()}`,
      examples: ['not-found'],
    }),
    detail: z.string(),
    errors: z.array(z.strictObject({ field: z.string(), message: z.string() })),
    from: z.string().optional(),
    allowed: z.array(z.string()).readonly().optional(),
  })
}
export type ControlProblem = z.output<ReturnType<typeof ControlProblem>>

/** An operation that has no name outside HTTP. */
type Nameless = Operation & { as?: undefined }

/** An operation as it stands, without what `operation` adds. */
const makeOperation = operationIn(control)
export const bareOperation = makeOperation as (...row: Parameters<typeof makeOperation>) => Nameless

const Nothing = () => z.strictObject({})
const TAKES_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

interface ControlOptions<Who, Query extends Schema, Body extends Schema, Answer extends Schema>
  extends Omit<
    OperationOptions<Who, z.output<Query>, z.output<Body>, Answer>,
    'auth' | 'query' | 'body'
  > {
  /** Who may call it; `requireControl` by default. */
  auth?: Authentication<Who>
  query?: () => Query
  body?: () => Body
}

type Schema = z.ZodType

/** An operation of the control API, which rejects fields that it does not know. */
export function operation<
  Who = ControlCaller,
  Query extends Schema = z.ZodUndefined,
  Body extends Schema = z.ZodUndefined,
  Answer extends Schema = z.ZodVoid,
>(method: Method, path: string, options: ControlOptions<Who, Query, Body, Answer>): Nameless {
  const body = TAKES_BODY.has(method) ? { body: Nothing } : {}
  return makeOperation<unknown, unknown, unknown, Answer>(method, path, {
    auth: requireControl,
    query: Nothing,
    ...body,
    action: findActionKind(method, path),
    ...options,
  } as unknown as OperationOptions<unknown, unknown, unknown, Answer>)
}

/** What the library, the command line and agents call an operation. */
export interface LeverNames {
  /** Its words on the command line; a capital word is a field, renamed as `WORD=field`. */
  words?: string
  /** Former and shorter words, which help does not list, with what they send. */
  also?: Readonly<Record<string, object>>
  /** A whole command line, without the name of the program. */
  example?: string
  /** Whether agents have it as a tool. */
  tool?: true
}

/** An operation that makes something happen or shows what did, by its name in `ROUTES`. */
export interface Lever<
  Name extends LeverName = LeverName,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> extends Omit<Operation, 'query' | 'body' | 'answer'>,
    LeverNames {
  as: Name
  query?: () => Query
  body?: () => Body
  answer?: () => Answer
}

export function lever<
  const Name extends LeverName,
  Who = ControlCaller,
  Query extends Schema = z.ZodUndefined,
  Body extends Schema = z.ZodUndefined,
  Answer extends Schema = z.ZodVoid,
>(
  as: Name,
  options: ControlOptions<Who, Query, Body, Answer> & LeverNames,
): Lever<Name, Query, Body, Answer> {
  const { method, path } = findRoute(as)
  const made = operation(method, `/_sandbox${path}`, options)
  return { ...made, as } as Lever<Name, Query, Body, Answer>
}

/** What is an action on the timeline, by the start of its path. */
const ACTIONS: readonly (readonly [start: string, kind: ActionKind])[] = [
  ['/_sandbox/simulate/', 'simulation'],
  ['/_sandbox/users', 'simulation'],
  ['/_sandbox/kyc/', 'simulation'],
  ['/_sandbox/bank/', 'simulation'],
  ['/_sandbox/clock/', 'clock'],
  ['/_sandbox/settings', 'change'],
  ['/_sandbox/rates', 'change'],
  ['/_sandbox/chain/send', 'simulation'],
  ['/_sandbox/faults', 'change'],
  ['/_sandbox/webhooks/deliveries/', 'change'],
  ['/_sandbox/webhooks/settings', 'change'],
]

function findActionKind(method: Method, path: string) {
  if (method === 'GET') return undefined
  return ACTIONS.find(([start]) => path.startsWith(start))?.[1]
}

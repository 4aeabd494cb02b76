import * as z from 'zod'
import { FieldError } from '../../control-api/fields.ts'
import {
  type ControlOperationName,
  type ControlSchemas,
  getControlOperation,
  type SchemaOf,
  toInput,
} from '../../control-api/index.ts'
import type { Form } from '../../control-api/row.ts'
import { named } from '../../control-api/schema.ts'
import { ERROR_CODES, findError } from '../../world/settings/errors.ts'
import { shorten } from '../../world/shorten.ts'
import type { ActionKind } from '../../world/state.ts'
import type { Dialect } from '../dialect.ts'
import {
  type Authentication,
  type Operation,
  type OperationOptions,
  operationIn,
  type Schema,
} from '../operation.ts'
import type { Method } from '../operation-description.ts'
import { hintOf } from '../remedies.ts'
import { type ControlCaller, requireControl } from './auth.ts'

/** Status and meaning of each problem code. The codes are public and must not change. */
const PROBLEM_CODES = {
  invalid: [400, 'The request has a malformed or invalid value; `errors` names each field.'],
  'not-found': [404, 'The resource or path does not exist.'],
  conflict: [409, 'Not possible in the current state.'],
  bug: [500, 'The sandbox failed; its log has the stack trace.'],
  'control-off': [404, 'The control API is switched off (`--no-control`).'],
  'control-token': [401, 'The control token is missing or wrong.'],
  'host-not-allowed': [403, 'The host is neither loopback nor allowed with `--allow-host`.'],
  'cross-site': [403, 'A page on another site sent the call.'],
  'world-name': [400, 'The name in `/w/{name}` is not valid for a world.'],
  'no-world': [404, 'There is no such world, or it has ended, and this call cannot create it.'],
  'private-world': [403, 'This URL opens only its private world; send the control token.'],
  'world-full': [507, 'The world is full; a reset empties it.'],
  'too-many-worlds': [409, 'The limit on worlds has been reached; delete one.'],
  'too-many-snapshots': [
    409,
    'The limit on snapshots or their bytes has been reached; delete one.',
  ],
  'state-too-large': [507, 'The state is too large to be sent over HTTP; use `--data`.'],
  'too-many-faults': [409, 'The limit on faults has been reached; delete some.'],
  'too-many-tasks': [
    400,
    'The limit on scheduled identity checks has been reached; advance the clock.',
  ],
  'too-many-waiters': [
    429,
    'The limit on calls that are waiting in this world has been reached; end some.',
  ],
  'illegal-transition': [
    409,
    'The transaction cannot change from `from` to this status, only to those in `allowed`.',
  ],
  'clock-busy': [409, 'The clock is being advanced by another call.'],
  'not-forward': [400, 'Time only moves forward.'],
  'nothing-due': [409, 'Nothing is scheduled, so there is no next instant.'],
  'too-far': [400, 'The clock cannot go beyond the year 9699.'],
  reset: [409, 'The world was replaced while the call was running.'],
  'cursor-ahead': [400, 'The cursor does not belong to this world, which may have been reset.'],
  'format-version': [400, 'The state was exported by another version of the sandbox.'],
  'no-socket': [
    409,
    'The sandbox is not listening on a port, so webhooks of a scenario cannot arrive.',
  ],
  'data-file': [507, 'The change was applied, but is not yet on disk.'],
} as const

const isProblemCode = (code: string): code is keyof typeof PROBLEM_CODES =>
  Object.hasOwn(PROBLEM_CODES, code)

/** Calls that act for a user fail with the errors of the contract as well. */
const PROBLEM_CODE_NAMES = [...Object.keys(PROBLEM_CODES), ...ERROR_CODES]

/** Most characters of a text in a problem, which may repeat a value of a megabyte. */
const TEXT_LENGTH_MAX = 2_000

/** The control API: bare JSON, and errors as problem+json. */
export const control: Dialect = {
  name: 'control',
  isContract: false,
  checksUnknownFields: false,
  errorType: 'application/problem+json',
  success: (data) => data,
  describe: { success: (data = {}) => data, error: ControlProblem },
  statusOf: (code) => (isProblemCode(code) ? PROBLEM_CODES[code][0] : findError(code)?.status),
  error({ code, message, problems, detail }, status): ControlProblem {
    const { from, allowed } = detail
    const title = shorten(message, TEXT_LENGTH_MAX)
    return {
      type: 'about:blank',
      title,
      status,
      code,
      detail: hintOf(detail) ?? title,
      errors: problems.map(({ field, message }) => ({
        field: shorten(field, TEXT_LENGTH_MAX),
        message: shorten(message, TEXT_LENGTH_MAX),
      })),
      ...(from !== undefined && { from }),
      ...(allowed !== undefined && { allowed }),
    }
  },
}

/** Errors of the control API (RFC 9457), with a stable `code`. */
function ControlProblem() {
  const meanings = PROBLEM_CODE_NAMES.map((code) => {
    const means = isProblemCode(code) ? PROBLEM_CODES[code][1] : findError(code)?.says
    return `- \`${code}\`: ${means}`
  })
  return named('Problem', {
    type: z
      .literal('about:blank')
      .describe('`type` as defined in RFC 9457; `code` is more specific.'),
    title: z.string().describe('What is wrong, in a sentence.'),
    status: z.int().describe('Status code of the response.'),
    code: z.string().meta({
      enum: PROBLEM_CODE_NAMES,
      description: `Stable code to branch on.\n\n${meanings.join('\n')}`,
      examples: ['not-found'],
    }),
    detail: z
      .string()
      .describe('What would work, if the sandbox knows; otherwise the same as `title`.'),
    errors: z.array(FieldError()).describe('Everything that is wrong, by field.'),
    from: z.string().optional().describe('For an illegal transition: the current status.'),
    allowed: z
      .array(z.string())
      .readonly()
      .optional()
      .describe('For an illegal transition: the possible next statuses.'),
  })
}
export type ControlProblem = z.output<ReturnType<typeof ControlProblem>>

/** Creates an operation without the defaults of `operation`. */
export const bareOperation = operationIn(control)

interface ControlOptions<Who, Query extends Form, Body extends Form, Output extends Schema>
  extends Omit<
    OperationOptions<Who, SchemaOf<Query>, SchemaOf<Body>, Output>,
    'id' | 'auth' | 'query' | 'body'
  > {
  /** Default: `requireControl`. */
  auth?: Authentication<Who>
  query?: () => Query
  body?: () => Body
}

/** Creates an operation under `/_sandbox` that has no row in control-api/. It rejects unknown fields. */
export function operation<
  Who = ControlCaller,
  Query extends Form = z.ZodUndefined,
  Body extends Form = z.ZodUndefined,
  Output extends Schema = z.ZodVoid,
>(
  method: Method,
  path: string,
  id: string,
  { query, body, ...options }: ControlOptions<Who, Query, Body, Output>,
): Operation {
  const input = toInput(method, { query, body })
  return makeOperation(method, path, { ...options, id, ...input } as unknown as Made)
}

type Handler<Who, Schemas extends ControlSchemas[ControlOperationName]> = OperationOptions<
  Who,
  Schemas['query'],
  Schemas['body'],
  Schemas['response']
>['handle']

/** Creates an operation from its row of the control API and a handler. */
export function implement<Name extends ControlOperationName, Who = ControlCaller>(
  name: Name,
  handle: Handler<Who, ControlSchemas[Name]>,
  auth?: Authentication<Who>,
): Operation {
  const { as, method, path, ...row } = getControlOperation(name)
  const action = row.done == null ? undefined : kindOf(as)
  const made = { ...row, action, handle, ...(auth && { auth }) }
  return makeOperation(method, `/_sandbox${path}`, made as unknown as Made)
}

type Made = OperationOptions<unknown, Schema, Schema, Schema>

function makeOperation(method: Method, path: string, { about, ...options }: Made): Operation {
  return bareOperation(method, path, {
    success: method === 'GET' ? 'The requested data.' : 'The state after the call.',
    ...options,
    auth: options.auth ?? requireControl,
    about: [`${options.summary}.`, about].filter(Boolean).join(' '),
  })
}

/** Kind of the action that a use of an operation is. */
function kindOf(name: ControlOperationName): ActionKind {
  if (name.startsWith('clock.')) return 'clock'
  return /^(simulate|users|buy|sell)\b/.test(name) ? 'simulation' : 'change'
}

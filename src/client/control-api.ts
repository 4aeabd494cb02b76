import {
  CONTROL_OPERATIONS,
  type ControlOperation,
  type ControlOperationName,
  type RowOf,
} from '../control-api/index.ts'
import type { InputOf, Wire } from '../control-api/wire.ts'
import { assertObject } from './assert-options.ts'
import { type ControlClient, readAll } from './control.ts'
import { invalidValue } from './error.ts'
import { fillPath, type Query } from './http.ts'

/** An argument for the name in the path; an id may be given as the record that has it. */
type PathArgs<Row> = Row extends { readonly params: infer Params }
  ? [keyof Params extends 'id' | 'user' ? string | { readonly id: string } : string]
  : []

type ArgNames<Row> = Row extends { readonly args: infer Names extends readonly string[] }
  ? Names
  : readonly []

/** An argument for each field; optional fields are optional arguments. */
type FieldArgs<Names extends readonly string[], Input> = Names extends readonly [
  infer Name extends keyof Input,
  ...infer Rest extends readonly string[],
]
  ? undefined extends Input[Name]
    ? [value?: Input[Name], ...rest: FieldArgs<Rest, Input>]
    : [value: Input[Name], ...rest: FieldArgs<Rest, Input>]
  : []

/** The other fields as one object, which may be left out where it may be empty. */
type LastArg<Options> = keyof Options extends never
  ? []
  : Partial<Options> extends Options
    ? [options?: Options]
    : [options: Options]

/** Omits as `Omit` does, for each member of a union by itself. */
type Without<Input, Names> = Input extends unknown
  ? { [Name in keyof Input as Name extends Names ? never : Name]: Input[Name] }
  : never

/** Paging fields, which the client sets itself to read the whole list. */
type Paging<Row> = Row extends { readonly isPaged: true } ? 'after' | 'limit' : never

type ResultOf<Row, Response> = Row extends { readonly result: infer Name extends keyof Response }
  ? Response[Name]
  : Response

type Method<Name extends ControlOperationName, Row = RowOf<Name>, Input = InputOf<Name>> = (
  ...args: [
    ...PathArgs<Row>,
    ...FieldArgs<ArgNames<Row>, Input>,
    ...LastArg<Without<Input, ArgNames<Row>[number] | Paging<Row>>>,
  ]
) => Promise<ResultOf<Row, Wire[Name]['response']>>

type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : Name

/** Every operation of the control API as a method: `clock.advance` is `advance` of `clock`. */
export type ControlApi = {
  [Group in GroupOf<ControlOperationName>]: Group extends ControlOperationName
    ? Method<Group>
    : {
        [Name in ControlOperationName as Name extends `${Group}.${infer Own}`
          ? Own
          : never]: Method<Name>
      }
}

type Page = Record<string, unknown>

/** The control API of one world. */
export function createControlApi({ call }: Pick<ControlClient, 'call'>): ControlApi {
  const api: Record<string, unknown> = {}
  for (const operation of CONTROL_OPERATIONS) {
    const method = createMethod(call, operation)
    const [group = '', name] = operation.as.split('.')
    if (name === undefined) api[group] = method
    else api[group] = { ...(api[group] as object | undefined), [name]: method }
  }
  return api as ControlApi
}

function createMethod(call: ControlClient['call'], operation: ControlOperation) {
  const { params = {}, args: fields = [], result, isPaged } = operation
  const inPath = Object.keys(params)
  const names = [...inPath, ...fields]
  return async (...args: unknown[]) => {
    const given = args.map((arg, at) => (at < inPath.length ? toId(arg) : arg))
    const named = Object.fromEntries(names.map((name, at) => [name, given[at]]))
    const rest = args[names.length] ?? {}
    assertObject(operation.as, rest)
    const input = { ...named, ...rest }
    if (isPaged && result !== undefined) {
      return await readAll(call, operation.path, { field: result, query: input as Query })
    }
    const response = await callOperation<Page>(call, operation, input)
    return result === undefined ? response : response[result]
  }
}

const toId = (arg: unknown): unknown =>
  typeof arg === 'object' && arg !== null && 'id' in arg ? arg.id : arg

/**
 * Calls an operation with its input. Values for the path are filled in. The rest becomes the query of a
 * GET, or the body of another method; a DELETE sends neither.
 */
export function callOperation<Result>(
  call: ControlClient['call'],
  { as, method, path, params = {}, limitMs }: ControlOperation,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Result> {
  for (const name of Object.keys(params)) assertGiven(as, name, input[name])
  const rest = Object.entries(input).filter(([name]) => !(name in params))
  const content = Object.fromEntries(rest)
  return call<Result>(method, fillPath(path, input), {
    ...(method === 'GET' && { query: content as Query }),
    ...(method !== 'GET' && method !== 'DELETE' && { body: content }),
    signal,
    limitMs,
  })
}

/** Rejects a missing value, without which the call would be another one. */
export function assertGiven(as: string, name: string, value: unknown): void {
  if (value !== undefined && value !== null && value !== '') return
  throw invalidValue(name, `${as} needs ${name}, not ${JSON.stringify(value)}.`)
}

import { type ControlOperationName, isRoute, ROUTES, type Route } from '../control-api/routes.ts'
import type { InputOf, Wire } from '../control-api/wire.ts'
import type { ControlClient } from './control.ts'
import { fillPath, type Query } from './http.ts'

/** An id may be given as the record that has it. */
type PathArg<Name> = Name extends 'id' | 'user' ? string | { readonly id: string } : string

/** An argument for each name in the path. */
type PathArgs<Endpoint> = Endpoint extends {
  readonly params: infer Names extends readonly string[]
}
  ? { -readonly [At in keyof Names]: PathArg<Names[At]> }
  : []

type ArgNames<Endpoint> = Endpoint extends { readonly args: infer Names extends readonly string[] }
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
type Paging<Endpoint> = Endpoint extends { readonly isPaged: true } ? 'after' | 'limit' : never

type ResultOf<Endpoint, Response> = Endpoint extends {
  readonly result: infer Name extends keyof Response
}
  ? Response[Name]
  : Response

type Method<Endpoint, Input, Response> = (
  ...args: [
    ...PathArgs<Endpoint>,
    ...FieldArgs<ArgNames<Endpoint>, Input>,
    ...LastArg<Without<Input, ArgNames<Endpoint>[number] | Paging<Endpoint>>>,
  ]
) => Promise<ResultOf<Endpoint, Response>>

type MethodNamed<Endpoint, Name> = Name extends ControlOperationName
  ? Method<Endpoint, InputOf<Name>, Wire[Name]['response']>
  : never

type Routes = typeof ROUTES

/** Every control operation as a method, its arguments and its result taken from its row. */
export type ControlApi = {
  [Group in keyof Routes]: Routes[Group] extends Route
    ? MethodNamed<Routes[Group], Group>
    : {
        [Name in keyof Routes[Group]]: MethodNamed<Routes[Group][Name], `${Group}.${Name & string}`>
      }
}

const ROWS_PER_PAGE = 1_000

type Call = Pick<Route, 'method' | 'path' | 'params'>
type Page = Record<string, unknown>

/** The control API of one world. */
export function createControlApi({ call }: Pick<ControlClient, 'call'>): ControlApi {
  const toMethod = (route: Route) => createMethod(call, route)
  const groups = Object.entries(ROUTES).map(([name, group]) => [
    name,
    isRoute(group)
      ? toMethod(group)
      : Object.fromEntries(Object.entries(group).map(([own, route]) => [own, toMethod(route)])),
  ])
  return Object.fromEntries(groups)
}

function createMethod(call: ControlClient['call'], route: Route) {
  const { params = [], args: fields = [], result, isPaged } = route
  const names = [...params, ...fields]
  return async (...args: unknown[]) => {
    const given = args.map((arg, at) => (at < params.length ? toId(arg) : arg))
    const named = Object.fromEntries(names.map((name, at) => [name, given[at]]))
    const input = { ...named, ...(args[names.length] as object | undefined) }
    if (isPaged && result !== undefined) return await readAll(call, route, { field: result, input })
    const response = await callRoute<Page>(call, route, input)
    return result === undefined ? response : response[result]
  }
}

const toId = (arg: unknown): unknown =>
  typeof arg === 'object' && arg !== null && 'id' in arg ? arg.id : arg

interface List {
  /** Field of a page with its rows. */
  field: string
  input: object
}

/** Reads a list page by page, to its end. */
async function readAll(call: ControlClient['call'], route: Call, { field, input }: List) {
  const all: unknown[] = []
  let after: unknown
  for (;;) {
    const page = await callRoute<Page>(call, route, { ...input, after, limit: ROWS_PER_PAGE })
    const rows = page[field] as unknown[]
    for (const row of rows) all.push(row)
    if (!page.more) return all
    after = page.cursor
  }
}

/**
 * Calls a route with its input. Values for the path are filled in. The rest becomes the query of a
 * GET, or the body of another method; a DELETE sends neither.
 */
export function callRoute<Result>(
  call: ControlClient['call'],
  { method, path, params = [] }: Call,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Result> {
  const rest = Object.entries(input).filter(([name]) => !params.includes(name))
  const content = Object.fromEntries(rest)
  return call<Result>(method, fillPath(path, input), {
    ...(method === 'GET' && { query: content as Query }),
    ...(method !== 'GET' && method !== 'DELETE' && { body: content }),
    signal,
  })
}

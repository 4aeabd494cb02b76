import { type LeverRoutes, ROUTES, type Route, readRoute } from '../http/control/routes.ts'
import type { Wire } from '../http/control/wire.ts'
import type { ControlClient } from './control.ts'
import { fillPath, type Query } from './http.ts'

type Shape = { query: unknown; body: unknown; response: unknown }

/** The texts between spaces. */
type Split<Text extends string> = Text extends `${infer Head} ${infer Tail}`
  ? [Head, ...Split<Tail>]
  : [Text]

type PathArgs<Path extends string> = Path extends `${string}:${string}/${infer Rest}`
  ? [string, ...PathArgs<`/${Rest}`>]
  : Path extends `${string}:${string}`
    ? [string]
    : []

type Bare<Name> = Name extends `${infer Own}?` ? Own : Name

type FieldArgs<Names extends string[], Input> = Names extends [
  infer Name,
  ...infer Rest extends string[],
]
  ? Name extends `${infer Own}?`
    ? [value?: Input[Own & keyof Input], ...rest: FieldArgs<Rest, Input>]
    : [value: Input[Name & keyof Input], ...rest: FieldArgs<Rest, Input>]
  : []

type InputOf<Each extends Shape> = Each['body'] extends undefined
  ? Each['query'] extends undefined
    ? object
    : Each['query']
  : Each['body']

/** Rest for the last argument, which may be left out where it may be empty. */
type LastArg<Options> = keyof Options extends never
  ? []
  : Partial<Options> extends Options
    ? [options?: Options]
    : [options: Options]

/** Omits as `Omit` does, for each member of a union by itself. */
type Without<Input, Names> = Input extends unknown
  ? { [Name in keyof Input as Name extends Names ? never : Name]: Input[Name] }
  : never

/** The fields of a list that the client itself sends, to read all of it. */
type Paging = 'after' | 'limit'

type Method<
  Text extends string,
  Each extends Shape,
> = Text extends `${infer Call} >> ${infer Result}`
  ? (...args: Args<Split<Call>, Without<InputOf<Each>, Paging>>) => Picked<Each, Result>
  : Text extends `${infer Call} > ${infer Result}`
    ? (...args: Args<Split<Call>, InputOf<Each>>) => Picked<Each, Result>
    : (...args: Args<Split<Text>, InputOf<Each>>) => Promise<Each['response']>

type Picked<Each extends Shape, Result> = Promise<Each['response'][Result & keyof Each['response']]>

type Args<Parts extends string[], Input> = Parts extends [
  string,
  infer Path extends string,
  ...infer Names extends string[],
]
  ? [...PathArgs<Path>, ...FieldArgs<Names, Input>, ...LastArg<Without<Input, Bare<Names[number]>>>]
  : never

/** Every lever as a method, its arguments and its result taken from its row. */
export type Levers = {
  [Group in keyof LeverRoutes]: LeverRoutes[Group] extends string
    ? Method<LeverRoutes[Group], Wire[Group & keyof Wire]>
    : {
        [Name in keyof LeverRoutes[Group]]: Method<
          LeverRoutes[Group][Name] & string,
          Wire[`${Group}.${Name & string}` & keyof Wire]
        >
      }
}

const ROWS_PER_PAGE = 1_000

/** The levers of one world. */
export function createLevers({ call }: Pick<ControlClient, 'call'>): Levers {
  const groups = Object.entries(ROUTES).map(([name, group]) => [
    name,
    typeof group === 'string'
      ? toMethod(group)
      : Object.fromEntries(Object.entries(group).map(([own, text]) => [own, toMethod(text)])),
  ])
  return Object.fromEntries(groups)

  function toMethod(text: string) {
    const { fields, result, isPaged, ...route } = readRoute(text)
    const names = [...namesIn(route.path), ...fields]
    return async (...args: unknown[]) => {
      const named = Object.fromEntries(names.map((name, at) => [name, args[at]]))
      const input = { ...named, ...(args[names.length] as object | undefined) }
      if (isPaged) return await readAll(route, result ?? '', input)
      const response = await callRoute<Row>(call, route, input)
      return result === undefined ? response : response[result]
    }
  }

  async function readAll(route: Call, field: string, filter: object): Promise<unknown[]> {
    const all: unknown[] = []
    for (let after: unknown; ; ) {
      const page = await callRoute<Row>(call, route, { ...filter, after, limit: ROWS_PER_PAGE })
      const rows = page[field] as unknown[]
      for (const row of rows) all.push(row)
      if (!(page.more ?? rows.length > 0)) return all
      after = page.cursor
    }
  }
}

type Row = Record<string, unknown>

type Call = Pick<Route, 'method' | 'path'>

const namesIn = (path: string) => Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)

/**
 * Makes the call of a route with what it takes: what its path names, and of the rest a GET carries a
 * query, a DELETE nothing, any other one a body.
 */
export function callRoute<Result>(
  call: ControlClient['call'],
  { method, path }: Call,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Result> {
  const inPath = namesIn(path)
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name))
  const content = Object.fromEntries(rest)
  return call<Result>(method, fillPath(path, input), {
    ...(method === 'GET' && { query: content as Query }),
    ...(method !== 'GET' && method !== 'DELETE' && { body: content }),
    signal,
  })
}

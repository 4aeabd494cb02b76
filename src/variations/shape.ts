import type { HttpResponse, Json } from '../client/http.ts'

/** A response without its values: status, media type, headers and fields, each with what it is. */
export type Shape = ReadonlyMap<string, string>

export interface ShapeDifference {
  /** The status, the media type, a header or the path of a field. */
  what: string
  /** What the provider has there; undefined where it has nothing. */
  provider: string | undefined
  sandbox: string | undefined
}

/** Headers of the connection, of proxies and of the sandbox alone. */
const OF_THE_WAY =
  /^(date|connection|keep-alive|content-(length|encoding|type)|transfer-encoding|vary|x-sandbox-.*)$/

/** Objects whose names are data: limits by currency. */
const BY_NAME = /(^|\.)leftSideCurrency$/

export function shapeOf({ status, headers, body }: HttpResponse): Shape {
  const mediaType = headers['content-type']?.split(';')[0] ?? 'none'
  const names = Object.keys(headers).filter((name) => !OF_THE_WAY.test(name))
  return new Map([
    ['status', String(status)],
    ['content type', mediaType],
    ...names.map((name): [string, string] => [`header ${name}`, 'there']),
    ...fieldsOf(body, 'body'),
  ])
}

function fieldsOf(value: Json, path: string): Map<string, string> {
  const kind = kindOf(value)
  const fields = new Map([[path, kind]])
  if (kind === 'a list') addAll(fields, commonOf(value, `${path}[]`))
  if (kind !== 'an object') return fields
  if (BY_NAME.test(path)) addAll(fields, commonOf(Object.values(value), `${path}.*`))
  else
    for (const [name, part] of Object.entries(value)) {
      addAll(fields, fieldsOf(part, `${path}.${name}`))
    }
  return fields
}

/** What all items have in common: a field that only some have depends on what they are about. */
function commonOf(items: Json[], path: string): Map<string, string> {
  const [first, ...others] = items.map((item) => fieldsOf(item, path))
  const common = [...(first ?? [])].flatMap(([name, kind]): [string, string][] => {
    const kinds = [kind, ...others.map((other) => other.get(name))]
    if (kinds.includes(undefined)) return [[name, 'sometimes']]
    const known = kinds.find((each) => each !== 'null') ?? 'null'
    return [[name, kinds.every((each) => each === known || each === 'null') ? known : 'sometimes']]
  })
  const rare = others
    .flatMap((other) => [...other.keys()])
    .map((name) => [name, 'sometimes'] as const)
  return new Map([...rare, ...common])
}

function addAll(fields: Map<string, string>, more: Map<string, string>): void {
  for (const [name, kind] of more) fields.set(name, kind)
}

function kindOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Differences of two responses to the same call, as far as they do not depend on what is stored. */
export function compareShapes(provider: Shape, sandbox: Shape): ShapeDifference[] {
  const isOther = isSuccess(provider) !== isSuccess(sandbox)
  const names = isOther ? ['status'] : [...new Set([...sandbox.keys(), ...provider.keys()])]
  return names.flatMap((what) => {
    const [has, had] = [provider.get(what), sandbox.get(what)]
    if (has === had || isUnknown(what, has, had) || isInside(what, provider, sandbox)) return []
    return [{ what, provider: has, sandbox: had }]
  })
}

const isSuccess = (shape: Shape) => Number(shape.get('status')) < 400

/** Recognises what says nothing: null, a field of some items only, a header of a proxy, an empty list. */
function isUnknown(what: string, has: string | undefined, had: string | undefined): boolean {
  if ([has, had].some((kind) => kind === 'null' || kind === 'sometimes')) return true
  if (had === undefined && what.startsWith('header ')) return true
  return (has === undefined || had === undefined) && /(\[\]|\.\*)$/.test(what)
}

/** Recognises a field of something that differs itself. */
function isInside(what: string, one: Shape, other: Shape): boolean {
  const parent = what.startsWith('body') ? what.replace(/(\[\]|\.[^.[\]]+)$/, '') : what
  if (parent === what) return false
  return one.get(parent) !== other.get(parent) || isInside(parent, one, other)
}

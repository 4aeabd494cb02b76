// Draws calls, most of which succeed, from the documents of the earlier build, from values.json and
// from what that build has returned so far; some of them are then spoilt.
import { bodies, fields, first, inputs, KEYS, pools, weights } from './values.mjs'

const SPOILT_SHARE = 0.2
const ODD = [null, '', 'x'.repeat(600), 1e21, -1, 0.1234567, [], {}, '\u0000', true, '100']
const STRAY = [
  '/',
  '/v2',
  '/v2/nope',
  '/v3/users',
  '/favicon.ico',
  '/v2/%2e%2e/users',
  '/v2//users',
]
STRAY.push('/_sandbox/nope', '/w/', '/w/-/v2/quotes', '/V2/users', '/v2/users/x/y/z')
const METHODS = ['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']
const TYPES = ['text/plain', 'application/vnd.api+json', '', 'APPLICATION/JSON; charset=utf-8']
const PATHS = ['x', 'é', '00000000-0000-4000-8000-000000000000', 'a%b', '-', '..x']
const QUERIES = ['', 'x', '-1', '1e3', '999999999', ['1', '2'], 'a b+c@example.com']

export class Draw {
  constructor({ dice, known, operations, settings }) {
    Object.assign(this, { dice, known, operations, settings })
    this.hat = [...operations.values()].flatMap(({ id, isSought }) =>
      Array(Math.round((weights[id] ?? 1) * (isSought ? 200 : 10))).fill(id),
    )
  }

  /** Ids of what to call next, often after calls that give it something to work on. */
  next() {
    const id = this.dice.pick(this.hat)
    this.choose()
    return this.dice.chance(0.7) ? [...(first[id] ?? []), id] : [id]
  }

  /** The user and integrator of the calls that follow. */
  choose() {
    this.actor = this.known.find(this.dice, 'token', { key: KEYS.main, userId: 'x' })
  }

  /** A call of an operation, perhaps spoilt, or something else that may be sent. */
  any(id) {
    const { dice } = this
    const call = dice.chance(0.02) ? this.#stray() : this.of(id)
    return dice.chance(SPOILT_SHARE) ? this.#spoil(call) : call
  }

  /** A well-formed call of an operation that both builds have, with what is given of it. */
  of(id, given = {}) {
    if (!this.operations.has(id)) return undefined
    const { method, template, parameters, body, example, isControl } = this.operations.get(id)
    this.operation = id
    const inside = (place) => {
      const isIn = (each) => each.in === place && (each.required || this.dice.chance(0.2))
      return Object.fromEntries(
        parameters.filter(isIn).map(({ name, schema }) => [name, this.#value(schema, name)]),
      )
    }
    const input = inputs[id]?.(this) ?? (bodies[id] && this.dice.pick(bodies[id]))
    const { key, token } = this.actor
    return {
      ...{ operation: id, method, template, path: inside('path') },
      query: (!body && input) || inside('query'),
      headers: isControl
        ? {}
        : { 'x-api-key': key, ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: input ?? this.#body(body, example) }),
      type: body || (isControl && method !== 'GET') ? 'application/json' : '',
      ...given,
    }
  }

  /** The example of the document with some other values, and some more fields. */
  #body(schema, example = {}) {
    const { dice } = this
    const { properties = {}, required = [] } = schema
    const names = Object.keys({ ...properties, ...example })
    const isIn = (name) => required.includes(name) || dice.chance(name in example ? 0.97 : 0.25)
    const toValue = (name) => {
      const isExample = name in example && !pools[name] && dice.chance(0.7)
      return isExample ? example[name] : this.#value(properties[name] ?? {}, name)
    }
    return Object.fromEntries(names.filter(isIn).map((name) => [name, toValue(name)]))
  }

  /** A value that a schema permits, or one that fits the field of that name. */
  #value(schema, name) {
    const { dice } = this
    const names = [`${this.operation}.${name}`, name]
    for (const each of names) {
      if (pools[each]) return pools[each](this)
      if (fields[each]) return dice.pick(fields[each])
    }
    if ('const' in schema) return schema.const
    if (schema.enum) return dice.pick(schema.enum)
    const ways = schema.anyOf ?? schema.oneOf
    if (ways) return this.#value(dice.pick(ways), '')
    const type = [schema.type].flat()[0]
    if (type === 'object') return this.#body(schema)
    if (type === 'array') return [this.#value(schema.items ?? {}, '')]
    if (type === 'boolean') return dice.chance(0.5)
    if (type === 'integer') return Math.max(schema.minimum ?? 0, dice.below(5))
    if (type === 'number') return dice.below(20_000) / 100
    return type === 'null' ? null : dice.pick(schema.examples ?? ['x', 'é漢🙂', '1'])
  }

  #stray() {
    const { dice, operations } = this
    const template = dice.chance(0.7) ? dice.pick(STRAY) : this.of(dice.pick(this.hat)).template
    const method = dice.pick(METHODS)
    const known = [...operations.values()].find(
      (each) => each.method === method && each.template === template,
    )
    const headers = { 'x-api-key': KEYS.main }
    return {
      operation: known?.id ?? 'other paths',
      method,
      template,
      path: {},
      query: {},
      headers,
    }
  }

  /** One thing wrong with it. */
  #spoil(call) {
    const ways = [this.#spoilHeaders, this.#spoilPath, this.#spoilQuery]
    const isSpoilable = call.body && !(call.body instanceof PerBuild)
    if (isSpoilable) ways.push(this.#spoilBody, this.#spoilBody, this.#spoilText)
    return { ...call, ...this.dice.pick(ways).call(this, call) }
  }

  #spoilHeaders({ headers }) {
    const { dice } = this
    const { 'x-api-key': key, authorization = 'Bearer x', ...rest } = headers
    const { token: other = 'x' } = this.known.find(dice, 'token', {})
    const tokens = [`Bearer ${other}`, 'Bearer undefined', 'Bearer ', 'Basic YTpi', other]
    const keys = [[KEYS.main, KEYS.second], KEYS.second, 'x', '', 'SANDBOX-KEY']
    const changes = [
      { 'x-api-key': key },
      { authorization },
      { ...headers, 'x-api-key': dice.pick(keys) },
      {
        ...headers,
        'x-api-key': key ?? KEYS.main,
        authorization: dice.pick([...tokens, authorization.toUpperCase()]),
      },
      { ...headers, origin: 'https://evil.example.com' },
      { ...headers, host: 'evil.example.com' },
    ]
    const changed = Object.entries({ ...rest, ...dice.pick(changes) })
    return { headers: Object.fromEntries(changed.filter(([, value]) => value !== undefined)) }
  }

  #spoilPath({ path, template }) {
    const { dice } = this
    const name = Object.keys(path)[0]
    if (name !== undefined && dice.chance(0.6)) {
      const value = dice.chance(0.3) ? String(path[name]).toUpperCase() : dice.pick(PATHS)
      return { path: { ...path, [name]: value } }
    }
    if (dice.chance(0.5)) return { method: dice.pick(METHODS) }
    return { template: dice.pick([`${template}/`, template.toUpperCase()]) }
  }

  #spoilQuery({ query }) {
    const name = this.dice.chance(0.3) ? 'page' : (Object.keys(query)[0] ?? 'nope')
    return { query: { ...query, [name]: this.dice.pick(QUERIES) } }
  }

  #spoilBody({ body }) {
    const { dice } = this
    const name = dice.pick(Object.keys(body))
    const added = dice.pick(['first_name', 'toString', '__proto__', 'userId', 'gasId', 'é'])
    if (name === undefined || dice.chance(0.2))
      return { body: { ...body, [added]: dice.pick(ODD) } }
    const { [name]: value, ...others } = body
    if (dice.chance(0.3)) return { body: others }
    return { body: { ...others, [name]: dice.chance(0.2) ? [value] : dice.pick(ODD) } }
  }

  #spoilText({ body }) {
    const json = JSON.stringify(body)
    const texts = ['', '[]', 'null', '"x"', '{', `${json}x`, json.replace('{', '{"a":1,"a":2,')]
    return this.dice.chance(0.5) ? { text: this.dice.pick(texts) } : { type: this.dice.pick(TYPES) }
  }
}

/** A value that each build returned for itself, such as its state. */
export class PerBuild {
  constructor(before, after) {
    Object.assign(this, { before, after })
  }
}

/** A call as one build gets it: with its own ids, as text. */
export function toWire(call, { base, side, ids }) {
  ids.operation = call.operation
  const own = (value, field) => {
    if (value instanceof PerBuild) return value[side]
    if (value !== null && typeof value === 'object') {
      const entries = Object.entries(value).map(([name, each]) => [name, own(each, name)])
      return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
    }
    return side === 'after' ? ids.translate(value, field) : value
  }
  const { method, template, type, text } = call
  const [path, query, headers, body] = [call.path, call.query, call.headers, call.body].map(own)
  const toText = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
  const filled = template.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(toText(path[name] ?? 'x')),
  )
  const search = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${encodeURIComponent(toText(each))}`),
  )
  const { 'x-api-key': key = body?.integrator ?? 'main' } = headers
  const sent = Object.entries({ ...(type && { 'content-type': type }), ...headers })
  return {
    method,
    path: own(base) + filled + (search.length > 0 ? `?${search.join('&')}` : ''),
    headers: sent.flatMap(([name, value]) => [value].flat().flatMap((each) => [name, each])),
    ...(method !== 'GET' &&
      body && { body: text ?? JSON.stringify(body).replaceAll('{key}', key) }),
  }
}

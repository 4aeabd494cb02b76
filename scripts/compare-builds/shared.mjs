// What both builds have: only that is called, and what only one has is a difference.

/** Operations with the fields of their queries and bodies, and settings with their options. */
export async function findShared({ before, after, report }) {
  const [left, right] = await Promise.all([readOperations(before), readOperations(after)])
  const operations = new Map()
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const [one, other] = [left.get(key), right.get(key)]
    const { id } = one ?? other
    if (!one || !other) reportOne(report, id, 'operation', [one, other])
    else operations.set(id, share(report, one, other))
  }
  const settings = await findSettings({ before, after, report })
  return { operations, settings }
}

const getJson = async (build, path) => {
  const { status, text } = await build.send({ method: 'GET', path, headers: [] })
  return status === 200 ? JSON.parse(text) : {}
}

async function readOperations(build) {
  const found = new Map()
  for (const path of ['/openapi.json', '/_sandbox/openapi.json']) {
    const document = await getJson(build, path)
    for (const [template, item] of Object.entries(document.paths ?? {})) {
      for (const [method, operation] of Object.entries(item)) {
        const { operationId: id, parameters = [], requestBody } = resolve(operation, document)
        const { schema = {}, example } = Object.values(requestBody?.content ?? {})[0] ?? {}
        const isControl = template.startsWith('/_sandbox')
        const key = `${method} ${template.replace(/\{\w+\}/g, '{}')}`
        found.set(key, {
          ...{ id, template, parameters, isControl, method: method.toUpperCase() },
          ...(requestBody && { body: schema, example }),
        })
      }
    }
  }
  return found
}

/** A part of a document without references. */
function resolve(part, document) {
  if (Array.isArray(part)) return part.map((each) => resolve(each, document))
  if (part === null || typeof part !== 'object') return part
  if (part.$ref) {
    const steps = part.$ref.slice(2).split('/')
    return resolve(
      steps.reduce((value, step) => value[step], document),
      document,
    )
  }
  const { responses: _, ...rest } = part
  return Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [name, resolve(each, document)]),
  )
}

/** An operation without the fields that only one build knows. */
function share(report, one, other) {
  const namesOf = ({ parameters }) => new Set(parameters.map(({ name }) => name))
  const parameters = common(report, one.id, 'query field', namesOf(one), namesOf(other))
  const fieldsOf = ({ body }) => new Set(Object.keys(body?.properties ?? {}))
  const fields = common(report, one.id, 'body field', fieldsOf(one), fieldsOf(other))
  const only = (values = {}, names) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
  const { properties, required = [] } = one.body ?? {}
  const shared = {
    ...one,
    parameters: one.parameters.filter(({ name }) => parameters.includes(name)),
  }
  if (!properties) return shared
  const body = { ...one.body, properties: only(properties, fields) }
  const isShared = (name) => fields.includes(name)
  return {
    ...shared,
    body: { ...body, required: required.filter(isShared) },
    example: only(one.example, fields),
  }
}

function common(report, operation, what, one, other) {
  for (const name of new Set([...one, ...other])) {
    const sides = [one.has(name), other.has(name)]
    if (!sides.every(Boolean)) reportOne(report, operation, `${what} ${name}`, sides)
  }
  return [...one].filter((name) => other.has(name))
}

/** Settings that are a choice, with the options that both builds know. */
async function findSettings({ before, after, report }) {
  const [one, other] = await Promise.all([before, after].map(readSettings))
  const [ids, otherIds] = [one, other].map((all) => new Set(all.keys()))
  return common(report, 'settings', 'setting', ids, otherIds).flatMap((id) => {
    const options = one.get(id).filter((option) => other.get(id).includes(option))
    return options.length > 1 ? [{ id, options }] : []
  })
}

async function readSettings(build) {
  const listed = await getJson(build, '/_sandbox/assumptions')
  const { items = [] } = listed.items ? listed : await getJson(build, '/_sandbox/settings')
  return new Map(items.map(({ id, options }) => [id, Array.isArray(options) ? options : []]))
}

const reportOne = (report, operation, difference, sides) =>
  report.add({
    ...{ operation, difference },
    before: sides[0] ? 'there' : 'not there',
    after: sides[1] ? 'there' : 'not there',
  })

import type { Resolve, Schema } from './document.ts'

const partsOf = ({ anyOf, oneOf, allOf }: Schema): readonly Schema[] =>
  anyOf ?? oneOf ?? allOf ?? []

/** The object schemas of a value: its own, or those of its items and variants. */
export function objectsIn(schema: Schema, resolve: Resolve): Schema[] {
  const own = resolve(schema)
  if (own.properties) return Object.keys(own.properties).length > 0 ? [own] : []
  return [own.items, own.additionalProperties, ...partsOf(own)].flatMap((part) =>
    typeof part === 'object' ? objectsIn(part, resolve) : [],
  )
}

/** The type in words, such as `array of string, uuid`. */
export function typeOf(schema: Schema, resolve: Resolve): string {
  const own = resolve(schema)
  const parts = partsOf(own)
  if (parts.length > 0) {
    return [...new Set(parts.map((part) => typeOf(part, resolve)))].join(' or ')
  }
  if ('const' in own) return JSON.stringify(own.const)
  if (own.enum) return own.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (own.type === 'array') return `array of ${typeOf(own.items ?? {}, resolve)}`
  if (own.type === 'object' && own.propertyNames) return 'object with some of these keys'
  const type = [own.type ?? 'anything'].flat().join(' or ')
  if (own.format) return `${type}, ${own.format}`
  return own.type === 'object' && own.title ? `${type} ${own.title}` : type
}

export function limitsOf(schema: Schema): string[] {
  const range = (min: unknown, max: unknown, unit = '') => {
    if (min === undefined) return max === undefined ? [] : [`At most ${max}${unit}`]
    return [max === undefined ? `At least ${min}${unit}` : `${min} to ${max}${unit}`]
  }
  return [
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minimum, schema.maximum),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...(schema.pattern === undefined ? [] : [`Matches ${schema.pattern}`]),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} by default`]),
    ...partsOf(schema).flatMap(limitsOf),
  ]
}

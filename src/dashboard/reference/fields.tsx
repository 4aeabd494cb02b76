import type { Resolve, Schema } from './documents.ts'
import { Prose } from './prose.tsx'

/** Deeper than any document is; it ends what refers to itself. */
const DEPTH_MAX = 8
/** Examples longer than this say less than the whole example beside them. */
const EXAMPLE_MAX = 120

interface FieldsProps {
  schema: Schema
  resolve: Resolve
  /** Of the elements on the page. */
  id: string
  depth?: number
}

/** The fields of a schema, each with those inside it. */
export const SchemaFields = ({ schema, resolve, id, depth = 0 }: FieldsProps) => {
  const variants = depth < DEPTH_MAX ? objectsIn(schema, resolve) : []
  return (
    <>
      {variants.map(({ properties = {}, required = [] }, index) => (
        <ul class="schema">
          {variants.length > 1 && (
            <li class="quiet">{`Form ${index + 1} of ${variants.length}`}</li>
          )}
          {Object.entries<Schema>(properties).map(([name, field]) => (
            <SchemaField
              name={name}
              field={resolve(field)}
              isRequired={required.includes(name)}
              resolve={resolve}
              id={`${id}-${index}-${name}`}
              depth={depth}
            />
          ))}
        </ul>
      ))}
    </>
  )
}

interface FieldProps {
  name: string
  field: Schema
  isRequired: boolean
  resolve: Resolve
  id: string
  depth: number
}

const SchemaField = ({ name, field, isRequired, resolve, id, depth }: FieldProps) => {
  const hasInner = objectsIn(field, resolve).length > 0
  return (
    <li>
      <FieldHead name={name} type={typeOf(field, resolve)} isRequired={isRequired} />
      <Prose text={field.description ?? ''} />
      <FieldLimits schema={field} />
      {hasInner && (
        <details id={id} open={depth === 0}>
          <summary class="quiet">{`Fields of ${name}`}</summary>
          <SchemaFields schema={field} resolve={resolve} id={id} depth={depth + 1} />
        </details>
      )}
    </li>
  )
}

interface FieldHeadProps {
  name: string
  type: string
  isRequired: boolean
}

export const FieldHead = ({ name, type, isRequired }: FieldHeadProps) => (
  <p class="field-head">
    <code>{name}</code>
    <span class="quiet">{type}</span>
    {isRequired && <span class="required">required</span>}
  </p>
)

/** Limits, values and an example of a field. */
export const FieldLimits = ({ schema, example }: { schema: Schema; example?: unknown }) => {
  const values = valuesOf(schema)
  const isSaid = values.length > 0 || 'const' in schema || 'default' in schema
  const shown = example ?? (isSaid ? undefined : schema.examples?.[0])
  const text = shown === undefined ? '' : JSON.stringify(shown)
  return (
    <>
      {limitsOf(schema).map((limit) => (
        <p class="hint">{limit}</p>
      ))}
      {values.length > 0 && (
        <p class="hint">
          {'One of '}
          {values.map((value) => (
            <>
              <code>{value}</code>{' '}
            </>
          ))}
        </p>
      )}
      {text !== '' && text.length <= EXAMPLE_MAX && (
        <p class="hint">
          {'Example '}
          <code>{text}</code>
        </p>
      )}
    </>
  )
}

const partsOf = ({ anyOf, oneOf, allOf }: Schema): Schema[] => anyOf ?? oneOf ?? allOf ?? []

/** The schemas with fields that a value may have: its own, those of its items, or of each form. */
function objectsIn(schema: Schema, resolve: Resolve): Schema[] {
  const own = resolve(schema)
  if (own.properties) return Object.keys(own.properties).length > 0 ? [own] : []
  const inner = [own.items, own.additionalProperties, ...partsOf(own)]
  return inner
    .filter((part) => part !== null && typeof part === 'object')
    .flatMap((part) => objectsIn(part, resolve))
}

export function typeOf(schema: Schema, resolve: Resolve): string {
  const own = resolve(schema)
  const parts = partsOf(own)
  if (parts.length > 0) {
    return [...new Set(parts.map((part) => typeOf(part, resolve)))].join(' or ')
  }
  if ('const' in own) return JSON.stringify(own.const)
  if (own.type === 'array') return `array of ${typeOf(own.items ?? {}, resolve)}`
  if (own.type === 'object' && own.propertyNames) return 'object with any of some keys'
  const type = [own.type ?? 'anything'].flat().join(' or ')
  if (own.format) return `${type}, ${own.format}`
  return own.type === 'object' && own.title ? `${type} ${own.title}` : type
}

/** The values of an enumeration, of a field or of its items. */
function valuesOf(schema: Schema): string[] {
  const inner: Schema[] = [schema, schema.items ?? {}, ...partsOf(schema)]
  return inner.flatMap(({ enum: values = [] }) => values).map((value) => JSON.stringify(value))
}

function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema
  const { pattern, default: standard } = schema
  const range = (least: unknown, most: unknown, unit: string) => {
    if (least === undefined && most === undefined) return []
    if (most === undefined) return [`at least ${least}${unit}`]
    return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`]
  }
  const own = [
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...range(minItems, maxItems, ' items'),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...(standard === undefined ? [] : [`${JSON.stringify(standard)} by default`]),
  ]
  return [...own, ...partsOf(schema).flatMap(limitsOf)].map(capitalise)
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

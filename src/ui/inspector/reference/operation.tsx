import type { ComponentChildren } from 'preact'
import { world } from '../../lib/page.ts'
import { Badge, Card, Copy, DetailHead, Fold, Json, Quiet, Ticked } from '../../lib/parts.tsx'
import {
  type Body,
  contentOf,
  credentialsOf,
  type Operation,
  type Resolve,
  type Schema,
} from './document.ts'
import { TryIt } from './try-it.tsx'

const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  accessToken: 'access token',
  controlToken: 'control token, if there is one',
}

export const OperationDetail = ({ operation }: { operation: Operation }) => {
  const { id, method, path, isWebhook, summary, resolve, parameters = [] } = operation
  const responses = Object.entries(operation.responses)
  const isFailure = ([status]: [string, Body]) => status >= '400' && status <= '599'
  const needed = credentialsOf(operation).flatMap((name) => CREDENTIALS[name] ?? [])
  const content = (title: string, body: Body) => (
    <Content key={title} title={title} body={body} resolve={resolve} />
  )
  return (
    <div class="operation" id={`operation-${id}`}>
      <DetailHead
        title={summary}
        badge={operation.deprecated && <Badge status="deprecated" tone="warn" />}
      >
        <Method method={method} />
        <code>{path}</code>
        {!isWebhook && <Copy text={`${location.origin}${world.prefix}${path}`} what="the URL" />}
        <span>{id}</span>
        {needed.length > 0 && <span>{`Needs: ${needed.join(', ')}`}</span>}
      </DetailHead>
      <div class="stack">
        <Prose text={operation.description} />
      </div>
      {!isWebhook && <TryIt operation={operation} />}
      <ListCard title="Parameters">
        {parameters.map(({ name, schema, description, example, required = false, in: place }) => (
          <FieldRow
            key={name}
            name={name}
            schema={{ ...schema, examples: [example], ...(description && { description }) }}
            resolve={resolve}
            where={`, in the ${place}`}
            isRequired={required}
          />
        ))}
      </ListCard>
      {operation.requestBody && content(isWebhook ? 'Webhook body' : 'Body', operation.requestBody)}
      {responses
        .filter((response) => !isFailure(response))
        .map(([status, response]) =>
          content(`${isWebhook ? 'Expected response' : 'Response'} ${status}`, response),
        )}
      <ListCard title="Errors">
        {responses.filter(isFailure).map(([status, failure]) => (
          <Failure key={status} status={status} body={failure} />
        ))}
      </ListCard>
    </div>
  )
}

const TONES: Readonly<Record<string, string>> = {
  GET: 'good',
  PUT: 'warn',
  PATCH: 'warn',
  DELETE: 'bad',
}

export const Method = ({ method }: { method: string }) => (
  <span class={`method ${TONES[method] ?? method.toLowerCase()}`}>{method}</span>
)

const ListCard = ({ title, children }: { title: string; children: ComponentChildren[] }) =>
  children.length > 0 ? (
    <Card title={title}>
      <ul class="schema">{children}</ul>
    </Card>
  ) : null

const Content = ({ title, body, resolve }: { title: string; body: Body; resolve: Resolve }) => {
  const { media, schema, example } = contentOf(body)
  return (
    <Card title={title} aside={<Quiet text={media} />}>
      <Prose text={body.description} />
      {schema && <FieldList schema={schema} resolve={resolve} depth={0} />}
      <Example value={example} what={`an example of the ${title.toLowerCase()}`} />
    </Card>
  )
}

const Failure = ({ status, body }: { status: string; body: Body }) => {
  const { media, example } = contentOf(body)
  return (
    <li>
      <p class="field-head">
        <Badge status={status} tone="warn" />
        <Quiet text={media} />
      </p>
      <Prose text={body.description} />
      {example !== undefined && (
        <Fold title={`Example of ${status}`}>
          <Example value={example} what={`an example of the response ${status}`} />
        </Fold>
      )}
    </li>
  )
}

const Example = ({ value, what }: { value: unknown; what: string }) =>
  value === undefined ? null : <Json text={JSON.stringify(value)} what={what} />

/** Longer examples are left to the whole example beside them. */
const EXAMPLE_MAX = 120

interface FieldRowProps {
  name: string
  schema: Schema
  resolve: Resolve
  /** Where it is sent, for a parameter. */
  where?: string
  isRequired: boolean
  depth?: number
}

/** A parameter, or a field of a body, with its own fields below it. */
const FieldRow = ({ name, schema, resolve, where = '', isRequired, depth = 0 }: FieldRowProps) => {
  const isSaid = ['enum', 'const', 'default'].some((keyword) => keyword in schema)
  const example = isSaid ? undefined : JSON.stringify(schema.examples?.[0])
  return (
    <li>
      <p class="field-head">
        <code>{name}</code>
        <Quiet text={typeOf(schema, resolve) + where} />
        {isRequired && <span class="required">required</span>}
      </p>
      <Prose text={schema.description} />
      {limitsOf(schema).map((limit) => (
        <p key={limit} class="hint">
          {limit}
        </p>
      ))}
      {example && example.length <= EXAMPLE_MAX && (
        <p class="hint">
          Example <code>{example}</code>
        </p>
      )}
      {objectsIn(schema, resolve).length > 0 && (
        <Fold title={`Fields of ${name}`} open={depth === 0}>
          <FieldList schema={schema} resolve={resolve} depth={depth + 1} />
        </Fold>
      )}
    </li>
  )
}

interface FieldListProps {
  schema: Schema
  resolve: Resolve
  depth: number
}

/** Ends schemas that refer to themselves. */
const DEPTH_MAX = 8

const FieldList = ({ schema, resolve, depth }: FieldListProps) => {
  const variants = depth < DEPTH_MAX ? objectsIn(schema, resolve) : []
  return (
    <>
      {variants.map(({ properties = {}, required = [] }, index) => (
        <ul key={index} class="schema">
          {variants.length > 1 && (
            <li class="quiet">{`Option ${index + 1} of ${variants.length}`}</li>
          )}
          {Object.entries(properties).map(([name, inside]) => (
            <FieldRow
              key={name}
              name={name}
              schema={resolve(inside)}
              resolve={resolve}
              isRequired={required.includes(name)}
              depth={depth}
            />
          ))}
        </ul>
      ))}
    </>
  )
}

/** Text with paragraphs, lists, and code in backticks. */
const Prose = ({ text = '' }: { text?: string | undefined }) => (
  <>
    {text
      .split('\n\n')
      .filter(Boolean)
      .map((part) =>
        part.startsWith('- ') ? (
          <ul key={part} class="list">
            {part.split('\n').map((line) => (
              <li key={line}>
                <Ticked text={line.slice(2)} />
              </li>
            ))}
          </ul>
        ) : (
          <p key={part}>
            <Ticked text={part} />
          </p>
        ),
      )}
  </>
)

const partsOf = ({ anyOf, oneOf, allOf }: Schema): readonly Schema[] =>
  anyOf ?? oneOf ?? allOf ?? []

/** The object schemas of a value: its own, or those of its items and variants. */
function objectsIn(schema: Schema, resolve: Resolve): Schema[] {
  const own = resolve(schema)
  if (own.properties) return Object.keys(own.properties).length > 0 ? [own] : []
  return [own.items, own.additionalProperties, ...partsOf(own)].flatMap((part) =>
    typeof part === 'object' ? objectsIn(part, resolve) : [],
  )
}

/** The type in words, such as `array of string, uuid`. */
function typeOf(schema: Schema, resolve: Resolve): string {
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

function limitsOf(schema: Schema): string[] {
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

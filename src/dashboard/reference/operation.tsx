import type { Child } from 'hono/jsx'
import type { Json } from '../../client/http.ts'
import { type SettingId, settingOf, settingsOn } from '../../world/settings/index.ts'
import {
  Badge,
  Card,
  Copy,
  DetailHead,
  Fold,
  Json as JsonText,
  linkTo,
  Quiet,
  Ticked,
} from '../parts.tsx'
import type { View } from '../view.ts'
import { contentOf, credentialsOf, type ReferenceOperation } from './documents.ts'
import { limitsOf, objectsIn, typeOf, valuesOf } from './schema.ts'
import { TryIt } from './try-it.tsx'

const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  accessToken: 'access token',
  controlToken: 'control token, if there is one',
}

export function showOperation(view: View, operation: ReferenceOperation) {
  const { id, method, path, isWebhook, said, resolve } = operation
  const { parameters = [], requestBody } = said
  const responses = Object.entries<Json>(said.responses)
  const isFailure = ([status]: [string, Json]) => status >= '400' && status <= '599'
  const failures = responses.filter(isFailure)
  const needed = credentialsOf(operation).flatMap((name) => CREDENTIALS[name] ?? [])
  return (
    <div class="operation" id={`operation-${id}`}>
      <DetailHead
        title={said.summary}
        badge={said.deprecated && <Badge status="deprecated" tone="warn" />}
      >
        <Method method={method} />
        <code>{path}</code>
        {!isWebhook && <Copy text={`${view.baseUrl}${path}`} what="the URL" />}
        <span>{id}</span>
        {needed.length > 0 && <span>{`Needs: ${needed.join(', ')}`}</span>}
      </DetailHead>
      <div class="stack">
        <Prose text={said.description} />
      </div>
      {!isWebhook && <TryIt view={view} operation={operation} />}
      {showList(
        'Parameters',
        parameters.map((parameter: Json) => showParameter(parameter, resolve)),
      )}
      {requestBody && showContent(operation, isWebhook ? 'Webhook body' : 'Body', requestBody)}
      {responses
        .filter((response) => !isFailure(response))
        .map(([status, response]) =>
          showContent(
            operation,
            `${isWebhook ? 'Expected response' : 'Response'} ${status}`,
            response,
          ),
        )}
      {showList(
        'Errors',
        failures.map(([status, failure]) => showFailure(id, status, failure)),
      )}
      {showList(
        'Settings that affect it',
        settingsOn(id).map((setting) => showSetting(view, setting)),
      )}
    </div>
  )
}

const TONES: Record<string, string> = { GET: 'good', PUT: 'warn', PATCH: 'warn', DELETE: 'bad' }

export const Method = ({ method }: { method: string }) => (
  <span class={`method ${TONES[method] ?? method.toLowerCase()}`}>{method}</span>
)

const showList = (title: string, items: Child[]) =>
  items.length > 0 && (
    <Card title={title}>
      <ul class="schema">{items}</ul>
    </Card>
  )

function showParameter(parameter: Json, resolve: ReferenceOperation['resolve']) {
  const { name, schema, required, description, example, in: place } = parameter
  return (
    <li>
      {showFieldHead(name, `${typeOf(schema, resolve)}, in the ${place}`, required)}
      <Prose text={description} />
      {showLimits(schema, schema.enum ? undefined : example)}
    </li>
  )
}

function showSetting(view: View, id: SettingId) {
  const { question, format } = settingOf(id)
  return (
    <li>
      <p class="field-head">
        {linkTo(view, `settings?q=${id}`, <code>{id}</code>)}
        <Quiet text={String(format(view.world.settings[id]))} />
      </p>
      <p>
        <Ticked text={question} />
      </p>
    </li>
  )
}

function showContent({ id, resolve }: ReferenceOperation, title: string, body: Json) {
  const { media, schema, example } = contentOf(body)
  return (
    <Card title={title} aside={<Quiet text={media} />}>
      <Prose text={body.description} />
      {schema &&
        showFields(schema, { resolve, id: `${id}-${title}`.replaceAll(' ', '-'), depth: 0 })}
      {showExample(example, `an example of ${title}`)}
    </Card>
  )
}

function showFailure(id: string, status: string, failure: Json) {
  const { media, example } = contentOf(failure)
  return (
    <li>
      <p class="field-head">
        <Badge status={status} tone="warn" />
        <Quiet text={media} />
      </p>
      <Prose text={failure.description} />
      {example !== undefined && (
        <Fold title={`Example of ${status}`} id={`${id}-${status}-example`}>
          {showExample(example, `an example of the response ${status}`)}
        </Fold>
      )}
    </li>
  )
}

const showExample = (example: unknown, what: string) =>
  example !== undefined && <JsonText text={JSON.stringify(example)} what={what} />

const showFieldHead = (name: string, type: string, isRequired: boolean) => (
  <p class="field-head">
    <code>{name}</code>
    <span class="quiet">{type}</span>
    {isRequired && <span class="required">required</span>}
  </p>
)

/** Longer examples are left to the whole example beside them. */
const EXAMPLE_MAX = 120

function showLimits(schema: Json, example?: unknown): Child {
  const values = valuesOf(schema)
  const isSaid = values.length > 0 || 'const' in schema || 'default' in schema
  const shown = JSON.stringify(example ?? (isSaid ? undefined : schema.examples?.[0])) ?? ''
  const isShown = shown !== '' && shown.length <= EXAMPLE_MAX
  const lines: Child[] = [
    ...limitsOf(schema),
    values.length > 0 && ['One of ', ...values.flatMap((value) => [<code>{value}</code>, ' '])],
    isShown && ['Example ', <code>{shown}</code>],
  ]
  return lines.filter(Boolean).map((line) => <p class="hint">{line}</p>)
}

interface FieldContext {
  resolve: ReferenceOperation['resolve']
  id: string
  depth: number
}

/** Ends schemas that refer to themselves. */
const DEPTH_MAX = 8

function showFields(schema: Json, { resolve, id, depth }: FieldContext): Child {
  const variants = depth < DEPTH_MAX ? objectsIn(schema, resolve) : []
  return variants.map(({ properties, required = [] }, index) => (
    <ul class="schema">
      {variants.length > 1 && <li class="quiet">{`Form ${index + 1} of ${variants.length}`}</li>}
      {Object.entries<Json>(properties).map(([name, inside]) => {
        const field = resolve(inside)
        const own = { resolve, id: `${id}-${index}-${name}`, depth: depth + 1 }
        return (
          <li>
            {showFieldHead(name, typeOf(field, resolve), required.includes(name))}
            <Prose text={field.description} />
            {showLimits(field)}
            {objectsIn(field, resolve).length > 0 && (
              <Fold title={`Fields of ${name}`} id={own.id} open={depth === 0}>
                {showFields(field, own)}
              </Fold>
            )}
          </li>
        )
      })}
    </ul>
  ))
}

/** Text with paragraphs, lists, and code in backticks. */
const Prose = ({ text = '' }: { text?: string | undefined }) => (
  <>
    {text
      .split('\n\n')
      .filter(Boolean)
      .map((part) =>
        part.startsWith('- ') ? (
          <ul class="list">
            {part.split('\n').map((line) => (
              <li>
                <Ticked text={line.slice(2)} />
              </li>
            ))}
          </ul>
        ) : (
          <p>
            <Ticked text={part} />
          </p>
        ),
      )}
  </>
)

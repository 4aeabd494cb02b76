import { Json } from '../json.tsx'
import { Badge, Card, Copy, DetailHead, Ticked } from '../parts.tsx'
import type { View } from '../view.ts'
import type { Answer, Parameter, ReferenceOperation } from './documents.ts'
import { FieldHead, FieldLimits, SchemaFields, typeOf } from './fields.tsx'
import { Prose } from './prose.tsx'
import { TryIt } from './try-it.tsx'

interface Props {
  view: View
  operation: ReferenceOperation
}

/** Everything that the documents say about one operation, and a form that calls it. */
export const OperationDetail = ({ view, operation }: Props) => {
  const { id, isWebhook, description } = operation
  const failures = operation.answers.filter(({ status }) => status >= '400' && status <= '599')
  const successes = operation.answers.filter((answer) => !failures.includes(answer))
  return (
    <div class="operation" id={`operation-${id}`}>
      <Head view={view} operation={operation} />
      <div class="stack">
        <Prose text={description} />
      </div>
      {!isWebhook && <TryIt view={view} operation={operation} />}
      <Parameters operation={operation} />
      <Body operation={operation} />
      {successes.map((answer) => (
        <AnswerCard operation={operation} answer={answer} />
      ))}
      <Failures operation={operation} failures={failures} />
      <Assumptions view={view} operation={operation} />
    </div>
  )
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  accessToken: 'access token',
  controlToken: 'control token, if there is one',
}

const Head = ({ view, operation }: Props) => {
  const { id, method, path, summary, deprecated, isWebhook, credentials } = operation
  const needed = credentials.flatMap((name) => CREDENTIALS[name] ?? [])
  return (
    <DetailHead title={summary} badge={deprecated && <Badge status="deprecated" tone="warn" />}>
      <Method method={isWebhook ? 'EVENT' : method} />
      <code>{path}</code>
      {!isWebhook && <Copy text={`${view.baseUrl}${path}`} what="the URL" />}
      <span>{id}</span>
      {needed.length > 0 && <span>{`Needs: ${needed.join(', ')}`}</span>}
    </DetailHead>
  )
}

export const Method = ({ method }: { method: string }) => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
)

const Parameters = ({ operation: { parameters, resolve } }: { operation: ReferenceOperation }) =>
  parameters.length > 0 ? (
    <Card title="Parameters">
      <ul class="schema">
        {parameters.map((parameter) => (
          <li>
            <FieldHead
              name={parameter.name}
              type={`${typeOf(parameter.schema, resolve)}, in the ${parameter.in}`}
              isRequired={parameter.required}
            />
            <Prose text={parameter.description} />
            <FieldLimits schema={parameter.schema} example={exampleOf(parameter)} />
          </li>
        ))}
      </ul>
    </Card>
  ) : null

const exampleOf = ({ schema, example }: Parameter) => (schema.enum ? undefined : example)

const Body = ({ operation }: { operation: ReferenceOperation }) => {
  const { id, body, resolve, isWebhook } = operation
  if (!body?.schema) return null
  return (
    <Card title={isWebhook ? 'What is sent' : 'Body'} aside={<Quiet text={body.media} />}>
      <SchemaFields schema={body.schema} resolve={resolve} id={`${id}-body`} />
      <ExampleCode example={body.example} what="an example of the body" />
    </Card>
  )
}

interface AnswerProps {
  operation: ReferenceOperation
  answer: Answer
}

const AnswerCard = ({ operation: { id, resolve, isWebhook }, answer }: AnswerProps) => {
  const { status, description, schema, media, example } = answer
  return (
    <Card
      title={isWebhook ? `Expected answer ${status}` : `Answer ${status}`}
      aside={<Quiet text={media} />}
    >
      <Prose text={description} />
      {schema && <SchemaFields schema={schema} resolve={resolve} id={`${id}-${status}`} />}
      <ExampleCode example={example} what={`an example of the answer ${status}`} />
    </Card>
  )
}

const Quiet = ({ text }: { text: string | undefined }) =>
  text ? <span class="quiet">{text}</span> : null

interface FailuresProps {
  operation: ReferenceOperation
  failures: readonly Answer[]
}

const Failures = ({ operation: { id }, failures }: FailuresProps) =>
  failures.length > 0 ? (
    <Card title="Errors">
      <ul class="schema">
        {failures.map(({ status, description, media, example }) => (
          <li>
            <p class="field-head">
              <Badge status={status} tone="warn" />
              <Quiet text={media} />
            </p>
            <Prose text={description} />
            {example !== undefined && (
              <details id={`${id}-${status}-example`}>
                <summary class="quiet">{`Example of ${status}`}</summary>
                <ExampleCode example={example} what={`an example of the answer ${status}`} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </Card>
  ) : null

const ExampleCode = ({ example, what }: { example: unknown; what: string }) =>
  example === undefined ? null : <Json text={JSON.stringify(example)} what={what} />

const Assumptions = ({ view, operation: { assumptions } }: Props) =>
  assumptions.length > 0 ? (
    <Card title="Settings it rests on">
      <ul class="schema">
        {assumptions.map(({ id, question, value }) => (
          <li>
            <p class="field-head">
              <a href={view.page('settings', { q: id })}>
                <code>{id}</code>
              </a>
              <span class="quiet">{String(value)}</span>
            </p>
            <p>
              <Ticked text={question} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  ) : null

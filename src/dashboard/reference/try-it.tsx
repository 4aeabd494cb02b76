import type { Child } from 'hono/jsx'
import { fromMicros } from '../../world/money.ts'
import { Field } from '../forms.tsx'
import { proposedUsers, UserField } from '../new-transaction.tsx'
import { Card } from '../parts.tsx'
import type { View } from '../view.ts'
import type { Parameter, ReferenceOperation } from './documents.ts'

interface Props {
  view: View
  operation: ReferenceOperation
}

/** A form that makes the call; client code sends it and shows the answer. */
export const TryIt = ({ view, operation }: Props) => {
  const { id, method, path, parameters, body, credentials, answers } = operation
  if (answers.some(({ media }) => media === 'text/event-stream')) return null
  const values = findValues(view)
  const isForUser = credentials.includes('accessToken')
  return (
    <Card title="Try it">
      <div id={`try-${id}`} class="halves try" data-keep>
        <form
          method="post"
          class="stack"
          aria-label="Try it"
          data-try
          data-method={method}
          data-path={path}
        >
          {(isForUser || credentials.includes('apiKey')) && (
            <Field name="key" label="API key" options={keysOf(view)} />
          )}
          {isForUser && (
            <UserField
              view={view}
              label="User who logs in for the access token; empty sends none"
            />
          )}
          {parameters.map((parameter) => (
            <ParameterField parameter={parameter} values={values} />
          ))}
          {body && <BodyField text={toText(withQuote(view, body.example))} />}
          <div class="row">
            <button type="submit" class="button primary">
              Send
            </button>
            <span class="hint" data-hint role="status" />
          </div>
        </form>
        <div class="stack">
          <nav class="choices" aria-label="Language">
            {['curl', 'Node', 'Python'].map((name) => (
              <button type="button" data-language={name}>
                {name}
              </button>
            ))}
          </nav>
          <section class="stack" aria-label="Request as code" data-code />
          <section class="stack" aria-label="Response" data-answer hidden />
        </div>
      </div>
    </Card>
  )
}

/** Lines that the field for the body shows at once. */
const LINES_MAX = 16

const BodyField = ({ text }: { text: string }) => (
  <label class="field">
    Body, as JSON
    <textarea
      name="body"
      rows={Math.min(text.split('\n').length + 1, LINES_MAX)}
      spellcheck={false}
    >
      {text}
    </textarea>
  </label>
)

const keysOf = ({ world }: View) =>
  world.integrators.map(({ name, apiKey }) => [apiKey, `${name}: ${apiKey}`] as const)

interface ParameterProps {
  parameter: Parameter
  values: Values
}

const ParameterField = ({ parameter, values }: ParameterProps): Child => {
  const { name, required, schema } = parameter
  const known = values[name] ?? parameter.example
  const field = { name: `${parameter.in}.${name}`, label: `${name}${required ? ', required' : ''}` }
  if (schema.enum) {
    return <Field {...field} options={[...(required ? [] : ['']), ...schema.enum]} />
  }
  const value = required && known !== undefined ? String(known) : ''
  return <Field {...field} required={required} value={value} />
}

type Values = Readonly<Record<string, unknown>>

/** What this world has, in place of what the examples name. */
function findValues(view: View): Values {
  const { world } = view
  const user = proposedUsers(view)[0] ?? world.users.at(-1)
  const transaction = world.transactions.at(-1)
  return {
    ...(user && { userId: user.id, user: user.email, email: user.email }),
    ...(transaction && { txId: transaction.id }),
  }
}

/** An example that names a quote, with the newest quote of this world. */
function withQuote({ world }: View, example: unknown): unknown {
  const quote = world.quotes.get(world.nextQuoteId - 1)
  const isAsked = example !== null && typeof example === 'object' && 'quoteId' in example
  if (!isAsked || quote === undefined) return example
  const { quoteId, leftSideLabel, rightSideLabel } = quote
  const leftSideValue = fromMicros(quote.leftSide)
  return { ...example, leftSideLabel, leftSideValue, rightSideLabel, quoteId }
}

const toText = (example: unknown): string =>
  example === undefined ? '{}' : JSON.stringify(example, null, 2)

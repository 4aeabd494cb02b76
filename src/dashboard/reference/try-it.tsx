import type { Json } from '../../client/http.ts'
import { fromMicros } from '../../world/money.ts'
import { Field } from '../forms.tsx'
import { proposedUsers, UserField } from '../new-transaction.tsx'
import { Card } from '../parts.tsx'
import type { View } from '../view.ts'
import { contentOf, credentialsOf, type ReferenceOperation } from './documents.ts'

export const TryIt = ({ view, operation }: { view: View; operation: ReferenceOperation }) => {
  const { id, method, path, said } = operation
  const { parameters = [], requestBody } = said
  const isStream = (body: Json) => contentOf(body).media === 'text/event-stream'
  if (Object.values<Json>(said.responses).some(isStream)) return null
  const values = findValues(view)
  const credentials = credentialsOf(operation)
  const isForUser = credentials.includes('accessToken')
  return (
    <Card title="Try it">
      <div id={`try-${id}`} class="grid try" data-keep>
        <form
          method="post"
          class="stack"
          aria-label="Try it"
          data-try
          data-method={method}
          data-path={path}
          data-keys={JSON.stringify(keysOf(view))}
        >
          {(isForUser || credentials.includes('apiKey')) && (
            <Field
              name="key"
              label="API key"
              options={Object.entries(keysOf(view)).map(([name, key]) => [name, `${name}: ${key}`])}
            />
          )}
          {isForUser && (
            <UserField view={view} label="User to log in for the access token (optional)" />
          )}
          {parameters.map((parameter: Json) => showParameter(parameter, values))}
          {requestBody && showBody(withQuote(view, contentOf(requestBody).example))}
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
          <section class="stack" aria-label="Response" data-response hidden />
        </div>
      </div>
    </Card>
  )
}

const LINES_MAX = 16

function showBody(example: unknown = {}) {
  const text = JSON.stringify(example, null, 2)
  const rows = Math.min(text.split('\n').length + 1, LINES_MAX)
  return (
    <label class="field">
      Body, as JSON
      <textarea name="body" rows={rows} spellcheck={false}>
        {text}
      </textarea>
    </label>
  )
}

const keysOf = ({ world }: View) =>
  Object.fromEntries(world.integrators.map(({ name, apiKey }) => [name, apiKey]))

function showParameter({ name, in: place, required, schema, example }: Json, values: Values) {
  const field = { name: `${place}.${name}`, label: `${name}${required ? ', required' : ''}` }
  if (schema.enum) return <Field {...field} options={[...(required ? [] : ['']), ...schema.enum]} />
  const known = required ? (values[name] ?? example) : undefined
  return <Field {...field} required={required} value={known === undefined ? '' : String(known)} />
}

type Values = Readonly<Record<string, unknown>>

/** Values of this world that replace those of the examples. */
function findValues(view: View): Values {
  const { world } = view
  const user = proposedUsers(view)[0] ?? world.users.at(-1)
  const transaction = world.transactions.at(-1)
  return {
    ...(user && { userId: user.id, user: user.email, email: user.email }),
    ...(transaction && { txId: transaction.id }),
  }
}

/** Puts the newest quote of this world into an example that names one. */
function withQuote({ world }: View, example: unknown): unknown {
  const quote = world.quotes.get(world.nextQuoteId - 1)
  const isAsked = example !== null && typeof example === 'object' && 'quoteId' in example
  if (!isAsked || quote === undefined) return example
  const { quoteId, leftSideLabel, rightSideLabel } = quote
  const leftSideValue = fromMicros(quote.leftSide)
  return { ...example, leftSideLabel, leftSideValue, rightSideLabel, quoteId }
}

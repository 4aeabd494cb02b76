import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Wire } from '../../../control-api/wire.ts'
import { control, messageOf } from '../../lib/api.ts'
import { toCurl } from '../../lib/curl.ts'
import { readFields } from '../../lib/fields.ts'
import { Field, Form, UserField } from '../../lib/form.tsx'
import { refresh } from '../../lib/live.ts'
import { controlPath, withQuery, world } from '../../lib/page.ts'
import { Card, Code, Copy, Fields as FieldList, HttpStatus, Json, Quiet } from '../../lib/parts.tsx'
import { urlOf } from '../../lib/router.ts'
import { toast } from '../../lib/toast.tsx'
import { info } from '../info.ts'
import { requestToken } from '../token.ts'
import { contentOf, credentialsOf, type Operation, type Parameter } from './document.ts'

interface Sent {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

interface Received {
  sent: Sent
  response: Response
  text: string
  ms: number
}

/** A form that makes the call, its command for a shell, and the response. */
export const TryIt = ({ operation }: { operation: Operation }) => {
  const responses = Object.values(operation.responses)
  const isStream = responses.some((body) => contentOf(body).media === 'text/event-stream')
  const values = useValues(operation)
  if (isStream || !values || !info.value) return null
  return (
    <Card title="Try it">
      <Try operation={operation} values={values} />
    </Card>
  )
}

const Try = ({ operation, values }: { operation: Operation; values: Values }) => {
  const place = useRef<HTMLDivElement>(null)
  const response = useRef<HTMLElement>(null)
  const [request, setRequest] = useState<Sent>()
  const [received, setReceived] = useState<Received>()
  const read = () => {
    const form = place.current?.querySelector('form')
    if (form) setRequest(toRequest(operation, readFields(form, true)))
  }
  useLayoutEffect(read, [operation])
  useEffect(() => response.current?.scrollIntoView({ block: 'nearest' }), [received])
  const attempt = async (fields: Fields) => {
    let sent = toRequest(operation, fields)
    try {
      sent = await withToken(sent, fields)
    } catch (error) {
      return [{ field: 'user', message: messageOf(error) }]
    }
    try {
      setReceived(await send(sent))
    } catch (error) {
      setReceived(undefined)
      toast({ text: `No response: ${messageOf(error)}`, ok: false, curl: toCurl(sent) })
    }
    // The call is in the journal now, and may have changed the world.
    await refresh()
    return []
  }
  return (
    <div class="grid try" ref={place} onInput={read}>
      <Form class="stack" label="Try it" submit="Send" kind="primary" flat onSend={attempt}>
        <Credentials operation={operation} emails={values.emails} />
        {operation.parameters?.map((parameter) => (
          <ParameterField key={parameter.name} of={parameter} values={values.known} />
        ))}
        {operation.requestBody && <BodyField example={exampleOf(operation, values)} />}
      </Form>
      <div class="stack">
        <section class="stack" aria-label="Request as code">
          {request && <Code text={toCurl(request)} what="the call as curl" />}
        </section>
        {received && (
          <section ref={response} class="stack" aria-label="Response">
            <ResponseOf {...received} />
          </section>
        )}
      </div>
    </div>
  )
}

const Credentials = ({
  operation,
  emails,
}: {
  operation: Operation
  emails: readonly string[]
}) => {
  const names = credentialsOf(operation)
  const isForUser = names.includes('accessToken')
  const keys = (info.value?.integrators ?? []).map(({ apiKey, name }) => {
    return [apiKey, `${name}: ${apiKey}`] as const
  })
  return (
    <>
      {(isForUser || names.includes('apiKey')) && (
        <Field name="key" label="API key" options={keys} />
      )}
      {isForUser && (
        <UserField label="User to log in for the access token (optional)" emails={emails} />
      )}
    </>
  )
}

const ParameterField = ({ of, values }: { of: Parameter; values: Fields }) => {
  const { name, required, schema, example } = of
  const field = { name: `${of.in}.${name}`, label: `${name}${required ? ', required' : ''}` }
  if (schema.enum) {
    const options = [...(required ? [] : ['']), ...schema.enum.map(String)]
    return <Field {...field} options={options} />
  }
  const known = required ? (values[name] ?? example) : undefined
  return <Field {...field} required={required} value={known === undefined ? '' : String(known)} />
}

const LINES_MAX = 16

const BodyField = ({ example }: { example: unknown }) => {
  const text = JSON.stringify(example, null, 2)
  const rows = Math.min(text.split('\n').length + 1, LINES_MAX)
  return <Field label="Body, as JSON" name="body" rows={rows} value={text} />
}

/** Values of this world that replace those of examples. */
interface Values {
  emails: readonly string[]
  known: Fields
}

/** Read once for each operation, so that nothing that is typed is overwritten. */
function useValues(operation: Operation): Values | undefined {
  const [values, setValues] = useState<Values>()
  useEffect(() => {
    void readValues().then(setValues)
  }, [operation])
  return values
}

async function readValues(): Promise<Values> {
  const read = <Name extends 'users.list' | 'transactions.list' | 'requests.list'>(path: string) =>
    control<Wire[Name]['response']>('GET', controlPath(path))
  const [users, transactions, quotes] = await Promise.all([
    read<'users.list'>('/users?last=100'),
    read<'transactions.list'>('/transactions?last=1'),
    read<'requests.list'>('/requests?operation=createQuote&refused=false&last=1'),
  ])
  const newest = [...users.items].reverse()
  const verified = newest.filter(({ status }) => status === 'verified')
  const user = verified[0] ?? newest[0]
  const { data = {} } = Object(quotes.requests.at(-1)?.response?.body) as { data?: object }
  return {
    emails: verified.map(({ email }) => email),
    known: {
      ...data,
      ...(user && { userId: user.id, user: user.email, email: user.email }),
      txId: transactions.items.at(-1)?.id,
    },
  }
}

/** The example of a body; a transaction repeats the fields of the newest quote. */
function exampleOf({ requestBody }: Operation, { known }: Values): unknown {
  const { example = {} } = contentOf(requestBody)
  const fields = Object.entries(example as object)
  if (!fields.some(([name]) => name === 'quoteId')) return example
  return Object.fromEntries(fields.map(([name, value]) => [name, known[name] ?? value]))
}

type Fields = Readonly<Record<string, unknown>>

function toRequest({ method, path }: Operation, fields: Fields): Sent {
  const { key, user, body = '' } = fields as Readonly<Record<string, string>>
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith('query.')) query.set(name.slice(6), String(value))
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(fields[`path.${name}`] ?? '')),
  )
  const hasBody = method !== 'GET' && method !== 'DELETE'
  return {
    method,
    url: location.origin + world.prefix + withQuery(filled, query),
    headers: {
      ...(key && { 'x-api-key': key }),
      // The control API insists on it, also without a body.
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...(user && { authorization: 'Bearer $TOKEN' }),
    },
    ...(hasBody && { body: body.trim() || '{}' }),
  }
}

/** Puts a fresh token of the named user in place of the variable. */
async function withToken(request: Sent, { user, key }: Fields): Promise<Sent> {
  if (!user) return request
  const integrator = info.value?.integrators.find(({ apiKey }) => apiKey === key)?.name
  try {
    const token = await requestToken(String(user), integrator)
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
  } catch (error) {
    throw new Error(`No access token for ${user}: ${messageOf(error)}`)
  }
}

async function send(sent: Sent): Promise<Received> {
  const { url, ...options } = sent
  const before = performance.now()
  const response = await fetch(url, options)
  const text = await response.text()
  return { sent, response, text, ms: Math.round(performance.now() - before) }
}

/** Headers worth showing; the rest is about the connection. */
const HEADERS = /^(content-type|retry-after|deprecation|sunset|location|allow|x-sandbox-.*)$/

const ResponseOf = ({ sent, response, text, ms }: Received) => {
  const id = response.headers.get('x-sandbox-request')
  const shown = [...response.headers].filter(([name]) => HEADERS.test(name))
  return (
    <>
      <div class="row">
        <HttpStatus status={response.status} />
        <Quiet text={`${ms} ms`} />
        {id && <a href={urlOf(`requests/${id}`)}>Open this request</a>}
        <Copy text={toCurl(sent)} what="the call" label="Copy curl" />
      </div>
      <FieldList
        rows={Object.fromEntries(
          shown.map(([name, value]) => [name, <code key={name}>{value}</code>]),
        )}
      />
      {text !== '' && <Json text={text} what="the response body" />}
    </>
  )
}

import { signWebhook } from '../webhooks/mutate.ts'
import type { Mutation } from '../webhooks/mutation.ts'
import type { Forgery } from './disturbance.ts'

/** A webhook as it goes to a receiver. */
export interface Copy {
  headers: Record<string, string>
  body: Buffer
}

/** A copy that a receiver must not accept, and what is wrong with it. */
interface ForgedCopy {
  flaw: string
  copy: Copy
}

/** Makes copies that a receiver must not accept. */
export function forge(copy: Copy, how: Forgery, secret: string): ForgedCopy[] {
  const change = (mutation: Mutation) => mutate(copy, mutation, secret)
  if (how === 'body') return [{ flaw: 'with a changed body', copy: change('body') }]
  if (how === 'timestamp') {
    return [
      { flaw: 'with an old timestamp', copy: change('timestamp') },
      { flaw: 'with a timestamp an hour ahead', copy: change('timestamp-ahead') },
    ]
  }
  const { headers, body } = copy
  const name = headerOf(headers, '-signature')
  const { [name]: _, ...others } = headers
  return [
    { flaw: 'with a bad signature', copy: change('signature') },
    { flaw: 'with an empty signature', copy: { headers: { ...others, [name]: 'v1=' }, body } },
    { flaw: 'without a signature', copy: { headers: others, body } },
  ]
}

/** Changes a webhook as `webhook resend` does, and signs it again. */
export function mutate({ headers, body }: Copy, mutation: Mutation, secret: string): Copy {
  const timestamp = headerOf(headers, '-timestamp')
  const unsigned = { body: body.toString(), seconds: Number(headers[timestamp]), secret }
  const signed = signWebhook(unsigned, mutation)
  return {
    headers: {
      ...headers,
      'content-type': signed.contentType,
      [timestamp]: signed.timestamp,
      [headerOf(headers, '-signature')]: signed.signature ?? '',
    },
    body: Buffer.from(signed.body),
  }
}

const headerOf = (headers: Copy['headers'], end: string) =>
  Object.keys(headers).find((name) => name.endsWith(end)) ?? ''

import type { Json } from '../../client/http.ts'
import { parseTarget } from '../operations.ts'
import type { RecordedCall } from '../recording.ts'

export const bearerOf = ({ request }: RecordedCall): string | undefined =>
  /^Bearer +(\S+)$/.exec(request.headers.authorization ?? '')?.[1]

export const queryOf = ({ target }: RecordedCall, name: string): string | undefined =>
  parseTarget(target).searchParams.get(name) ?? undefined

export const emailOf = (call: RecordedCall): string | undefined => {
  const email = call.request.body?.email ?? queryOf(call, 'email')
  return typeof email === 'string' ? email : undefined
}

/** What a v2 success holds, or the bare answer of v1. */
export const dataOf = ({ response }: RecordedCall): Json => {
  const body = response?.body
  return body?.success === true ? body.data : body
}

export const isSuccess = ({ response }: RecordedCall): boolean =>
  response !== null && response.status >= 200 && response.status < 300

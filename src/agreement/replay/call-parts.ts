import type { Json } from '../../client/http.ts'
import { decodePart, parseTarget } from '../operations.ts'
import type { RecordedCall } from '../recording.ts'

export const bearerOf = ({ request }: RecordedCall): string | undefined =>
  /^Bearer +(\S+)$/.exec(request.headers.authorization ?? '')?.[1]

export const queryOf = ({ target }: RecordedCall, name: string): string | undefined =>
  parseTarget(target).searchParams.get(name) ?? undefined

export const emailOf = (call: RecordedCall): string | undefined => {
  const email = call.request.body?.email ?? queryOf(call, 'email')
  return typeof email === 'string' ? email : undefined
}

export function userIdOf({ target }: RecordedCall): string | undefined {
  const [, id] = /^\/v2\/users\/([^/?]+)/.exec(target) ?? []
  return id && decodePart(id)
}

/** What a v2 success holds, or the bare answer of v1. */
export const dataOf = ({ response }: RecordedCall): Json => {
  const body = response?.body
  return body?.success === true ? body.data : body
}

export const isSuccess = ({ response }: RecordedCall): boolean =>
  response !== null && response.status >= 200 && response.status < 300

const isLogin = ({ operation }: Pick<RecordedCall, 'operation'>): boolean =>
  operation === 'verifyLoginCode' || operation === 'v1VerifyLoginCode'

interface Login {
  email?: string | undefined
  token?: string | undefined
  code?: string
}

/** Who logs in with which code, and the token that a success answers with. */
export function loginOf(call: RecordedCall): Login {
  if (!isLogin(call)) return {}
  const code = String(call.request.body?.code ?? queryOf(call, 'login_code'))
  const data = dataOf(call)
  const token = isSuccess(call) ? (data?.accessToken ?? data?.token) : undefined
  return { email: emailOf(call), token, ...(/^\d{4}$/.test(code) && { code }) }
}

export function shareTokenOf(call: RecordedCall): string | undefined {
  const token = call.request.body?.shareToken ?? call.request.body?.share_token
  return typeof token === 'string' && isSuccess(call) ? token : undefined
}

/** What a coin cost, as a quote shows it; the market is outside. */
export function findRate(call: RecordedCall): { coin: string; rate: number } | undefined {
  if (!/^(createQuote|v1PriceQuote)$/.test(call.operation ?? '')) return undefined
  const data = dataOf(call)
  const rate = data?.rate ?? data?.cadusd
  const labels = [data?.leftSideLabel, data?.rightSideLabel].map(String)
  const coin = labels.map((label) => label.split('-')[0]).find((label) => label !== 'CAD')
  return typeof rate === 'number' && coin ? { coin, rate } : undefined
}

import createClient from 'openapi-fetch'
import type { paths as ContractPaths } from './generated/contract.ts'
import type { paths as ControlPaths } from './generated/control.ts'

const PAIR = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7'
const PROFILE = {
  firstName: 'Alice',
  lastName: 'Tremblay',
  dob: '1990-04-12',
  phone: '4165550101',
  addressLine1: '100 Example Street',
  city: 'Toronto',
  province: 'ON',
  postalCode: 'M5V 3L9',
  occupation: 'Teacher',
  pep: false,
  tpd: false,
} as const

/** Both clients that openapi-typescript generates. Nothing of ours is imported here: their types alone count. */
export function openClients(fetch: (request: Request) => Promise<Response>) {
  const options = { baseUrl: 'http://127.0.0.1:4100', fetch }
  const headers = { 'x-api-key': 'sandbox-key' }
  return {
    api: createClient<ContractPaths>({ ...options, headers }),
    control: createClient<ControlPaths>(options),
  }
}

type Clients = ReturnType<typeof openClients>

/** Takes a user from registration to the access token of a login. */
export async function enter({ api, control }: Clients, email: string) {
  const created = await api.POST('/v2/users', { body: { email, ...PROFILE } })
  const id = created.data?.data.id ?? ''
  await control.POST('/_sandbox/simulate/users/{user}/kyc', {
    params: { path: { user: id } },
    body: { status: 'verified' },
  })
  await api.POST('/v2/auth/login-codes', { body: { email } })
  const inbox = await control.GET('/_sandbox/inbox', { params: { query: { email } } })
  const code = inbox.data?.messages.find(({ kind }) => kind === 'login-code')?.code ?? ''
  const login = await api.POST('/v2/auth/login-codes/verify', { body: { email, code } })
  const { accessToken, tokenType, expiresIn } = login.data?.data ?? {}
  return { accessToken, tokenType, expiresIn }
}

/** Creates a buy and cancels it, and lists what there is then. */
export async function cancelBuy({ api }: Clients, accessToken = '') {
  const quote = await api.GET('/v2/quotes', { params: { query: PAIR } })
  const quoteId = quote.data?.data.quoteId ?? 0
  const headers = { authorization: `Bearer ${accessToken}` }
  const body = { ...PAIR, wallet: WALLET, quoteId }
  const bought = await api.POST('/v2/transactions', { headers, body })
  const txId = bought.data?.data.id ?? ''
  const params = { path: { txId } }
  const cancelled = await api.PUT('/v2/transactions/{txId}/cancel', { headers, params })
  const page = await api.GET('/v2/transactions', { headers, params: { query: { limit: 5 } } })
  return { txId, cancelled: cancelled.data?.data, page: page.data?.data }
}

/** Registers with something that is no address, and reads the error. */
export async function misspell({ api }: Clients) {
  const { error, response } = await api.POST('/v2/users', { body: { email: 'alice' } })
  return { status: response.status, fields: error?.errors.map(({ field }) => field) }
}

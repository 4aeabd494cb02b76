import type { Sandbox } from '../../src/index.ts'

export const ALICE = 'alice@example.com'
const SIDES = { leftSideLabel: 'CAD', leftSideValue: 1000, rightSideLabel: 'USDC-ETH' }
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

/** What an integrator's own client does: it knows the contract and nothing of the sandbox. */
export async function logIn(sandbox: Sandbox, email = ALICE): Promise<string> {
  await callApi(sandbox, 'POST', '/auth/login-codes', { email })
  const code = await sandbox.inbox.loginCode(email)
  const session = await callApi(sandbox, 'POST', '/auth/login-codes/verify', { email, code })
  return session.accessToken
}

/** The id of a new buy of alice, who must be in the fixture. */
export async function buy(sandbox: Sandbox): Promise<string> {
  const token = await logIn(sandbox)
  const query = new URLSearchParams({ ...SIDES, leftSideValue: '1000' })
  const { quoteId } = await callApi(sandbox, 'GET', `/quotes?${query}`)
  const order = { ...SIDES, quoteId, wallet: WALLET }
  return (await callApi(sandbox, 'POST', '/transactions', order, token)).id
}

export async function callApi(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: object,
  token?: string,
) {
  const response = await sandbox.fetch(`/v2${path}`, {
    method,
    headers: {
      'x-api-key': sandbox.apiKey,
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data } = (await response.json()) as { data: Record<string, string> }
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
  return data as { accessToken: string; quoteId: string; id: string; signingSecret: string }
}

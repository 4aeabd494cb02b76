import { expect } from 'vitest'
import { KEY, type RawCall, sendTo, type TestApp } from '../helpers/app.ts'
import { EVM_WALLET, readCode } from '../helpers/story.ts'
import { V1_RESPONSES, V1Error, type V1ResponseOf, type V1Route } from './contract.ts'

/** Calls v1 and parses the success strictly. */
export async function callV1<R extends V1Route>(
  app: TestApp,
  route: R,
  call: RawCall = {},
): Promise<V1ResponseOf<R>> {
  const response = await sendTo(app, route, call)
  expect(response.status, response.text).toBe(200)
  return V1_RESPONSES[route].parse(JSON.parse(response.text)) as V1ResponseOf<R>
}

/** Calls v1, which must refuse with a status and words; the body is parsed strictly. */
export async function refusedV1(
  app: TestApp,
  route: V1Route,
  call: RawCall,
  [expected, words = '']: readonly [status: number, words?: string],
) {
  const { status, headers, text } = await sendTo(app, route, call)
  expect([status, headers.get('content-type')], text).toEqual([expected, 'application/json'])
  const body = V1Error.parse(JSON.parse(text))
  expect(body.message).toContain(words)
  return { headers, body }
}

export const API_LINK = {
  email: 'alice@example.com',
  first_name: 'Alice',
  last_name: 'Tremblay',
  dob: '1990-04-12',
  phone: '4165550101',
  address1: '100 Example Street',
  address2: 'Unit 5',
  city: 'Toronto',
  province: 'ON',
  postal: 'M5V 3L9',
  occupation: 'Teacher',
  pep: false,
  tpd: false,
}

/** Logs in by v1 alone. */
export async function logInV1(app: TestApp, { email = 'alice@example.com', key = KEY } = {}) {
  await callV1(app, 'POST /loginCodeSend', { key, query: { email } })
  const login_code = await readCode(app, email)
  const { token } = await callV1(app, 'POST /loginCodeVerify', {
    key,
    query: { email, login_code },
  })
  return token
}

export const BUY = { leftSideLabel: 'CAD', leftSideValue: '100', rightSideLabel: 'USDC-ETH' }
export const SELL = { leftSideLabel: 'USDC-ETH', leftSideValue: '100', rightSideLabel: 'CAD' }

/** The body of a transaction that was quoted just now. */
export async function ordered(app: TestApp, pair: typeof BUY = BUY) {
  const { quoteId, gasId } = await callV1(app, 'GET /priceQuote', { query: pair })
  const { leftSideLabel, rightSideLabel } = pair
  const leftSideValue = Number(pair.leftSideValue)
  return { leftSideLabel, leftSideValue, rightSideLabel, wallet: EVM_WALLET, quoteId, gasId }
}

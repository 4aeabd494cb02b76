import { expect, it } from 'vitest'
import { openApp, type TestApp } from './helpers/app.ts'

const email = 'alice@example.com'
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

const order = (left: string, value: number, right: string) => ({
  leftSideLabel: left,
  leftSideValue: value,
  rightSideLabel: right,
})

async function trade(app: TestApp, token: string, pair: ReturnType<typeof order>) {
  const { quoteId } = await app.call('GET /v2/quotes', { query: pair })
  const body = { ...pair, wallet: WALLET, quoteId }
  return app.call('POST /v2/transactions', { token, body })
}

it('writes to customers as people do, with dollars, networks and whole words', async () => {
  const app = openApp({ fixture: 'verified-user' })
  const read = async () => (await app.control('GET', `/inbox?email=${email}`)).messages.at(-1)
  await app.call('POST /v2/auth/login-codes', { body: { email } })
  const { code, text } = await read()
  expect(text).toBe(`Your login code is ${code}. It expires in 10 minutes.`)
  const login = await app.call('POST /v2/auth/login-codes/verify', { body: { email, code } })
  const { accessToken: token } = login
  const buy = await trade(app, token, order('CAD', 1_250.5, 'USDC-ETH'))
  expect(await read()).toMatchObject({
    subject: 'Request for $1,250.50',
    text: `You have a request for $1,250.50. To pay, approve request ${buy.rmtId} at your bank.`,
  })
  await app.control('POST', `/simulate/transactions/${buy.id}/bank-refused`)
  expect((await read()).text).toContain(`Your bank declined to pay request ${buy.rmtId}.`)
  const sell = await trade(app, token, order('USDC-BASE', 100, 'CAD'))
  expect(await read()).toMatchObject({
    subject: 'Send your 100 USDC',
    text: `To complete your sale, send exactly 100 USDC on Base to ${sell.depositAddress}.`,
  })
  await app.control('POST', `/simulate/transactions/${sell.id}/settled`, { through: true })
  const payout = await read()
  expect(payout.text).toMatch(
    /^We sent you \$\d+\.\d\d by e-transfer\. To deposit it, give your bank this security answer: /,
  )
  expect(payout.text).toContain(payout.code)
  await app.advance('1h')
  expect(await read()).toMatchObject({
    subject: 'Your order has expired',
    text: `We did not receive your e-transfer in time, so order ${buy.rmtId} has expired. Nothing was bought.`,
  })
  await app.close()
})

it('says what an identity check led to, and why', async () => {
  const app = openApp()
  const { id } = await app.call('POST /v2/users', { body: { email } })
  const said: string[] = []
  for (const [status, reasons] of [
    ['in-review', undefined],
    ['rejected', ['The document has expired']],
    ['verified', undefined],
  ] as const) {
    await app.control('POST', `/simulate/users/${id}/kyc`, { status, reasons })
    const { messages } = await app.control('GET', '/inbox')
    const { subject, text } = messages.at(-1)
    said.push(`${subject}. ${text}`)
  }
  expect(said).toEqual([
    'We are reviewing your documents. Thank you for your documents. We will e-mail you when the review is done.',
    'We could not verify your identity. Your identity check failed. You can try again. Reason: The document has expired.',
    'You are verified. We have verified your identity. You can now buy and sell.',
  ])
  await app.close()
})

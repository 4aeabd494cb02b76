import { describe, expect, it } from 'vitest'
import { ANSWERS, parseSuccess, type Route } from '../contract.ts'
import { expectError, prepare } from '../helpers/bad-input.ts'

/** The operations that take no body. */
const BODILESS = (Object.keys(ANSWERS) as Route[]).filter(
  (route) => route.startsWith('GET') || /^DELETE|cancel$|test$|rotate$/.test(route),
)

describe('olderUserInfo', () => {
  const older = { olderUserInfo: { sourceOfFunds: 'Pension', source: 'x' } }

  it('may hold an unknown field too, which is noted or rejected', async () => {
    const route = 'PATCH /v2/users/{userId}'
    const { send, app } = await prepare(route)
    const answer = await send(older)
    parseSuccess(ANSWERS[route], answer)
    const id = answer.headers.get('x-sandbox-request')
    const { notes } = await app.control('GET', `/requests/${id}`)
    expect(notes).toEqual(['olderUserInfo.source is not a field of this request.'])
    const strict = await prepare(route, { settings: { 'status.unknown-field': 400 } })
    expectError(await strict.send(older), 400, 'olderUserInfo.source')
  })
})

describe('amounts', () => {
  const BAD = [
    '-1',
    '0',
    '-0',
    '1e-7',
    '0.0000001',
    '1e308',
    '-1e308',
    '1e999',
    '-1e999',
    '5e-324',
    '1000000001',
    '9007199254740993',
    '"100"',
    '"NaN"',
    '[100]',
    'null',
    'true',
  ]

  it.each(BAD)('%s is refused in a transaction', async (amount) => {
    const { sendText, body } = await prepare('POST /v2/transactions')
    const text = JSON.stringify({ ...body, leftSideValue: 'AMOUNT' }).replace('"AMOUNT"', amount)
    expectError(await sendText(text), 400, 'leftSideValue')
  })

  it.each(['1e2', '100.0', '1.0E+2', '1000e-1'])(
    '%s is the number 100, as JSON has it',
    async (amount) => {
      const { sendText, body } = await prepare('POST /v2/transactions')
      const text = JSON.stringify({ ...body, leftSideValue: 'AMOUNT' }).replace('"AMOUNT"', amount)
      const created = parseSuccess(ANSWERS['POST /v2/transactions'], await sendText(text))
      expect(created.leftSideValue).toBe(100)
    },
  )
})

describe('where no body is meant', () => {
  it.each(BODILESS.filter((route) => !route.startsWith('GET')))(
    '%s takes no notice of one',
    async (route) => {
      for (const text of ['', '{', 'null', '{"status":"complete"}', 'x'.repeat(2000)]) {
        const { sendText } = await prepare(route)
        parseSuccess(ANSWERS[route], await sendText(text, { 'content-type': 'application/json' }))
      }
    },
  )

  it.each(BODILESS.filter((route) => route.startsWith('GET')))(
    '%s takes no notice of a content type',
    async (route) => {
      const { app, call } = await prepare(route)
      for (const type of ['application/json', 'text/plain', 'nonsense', '']) {
        await app.call(route, { ...call, headers: { 'content-type': type } })
      }
    },
  )
})

import { expect, it } from 'vitest'
import { logIn } from '../helpers/story.ts'
import { openControl } from './control.ts'

it('the inbox holds login codes, and what a user is asked to pay', async () => {
  await using control = openControl()
  const { id } = await (await logIn(control.app)).buy()
  const { matched, messages, cursor } = await control.get('/inbox?email=ALICE@example.com')
  expect(matched).toBe(true)
  expect(messages).toMatchObject([
    {
      to: 'alice@example.com',
      kind: 'login-code',
      code: expect.stringMatching(/^\d{4}$/),
      ref: null,
      sentAt: '2026-07-01T12:00:00.000Z',
    },
    { kind: 'money-request', ref: id },
  ])
  expect((await control.get(`/inbox?after=${cursor}`)).messages).toEqual([])
  expect((await control.get(`/inbox?ref=${id}`)).messages).toEqual([messages[1]])
  expect((await control.get('/inbox?kind=login-code')).messages).toEqual([messages[0]])
})

it.each([
  ['stays', 'You can try again until the request expires.'],
  ['cancelled', 'Your order has been cancelled.'],
])(
  'the inbox says what happens after a refusal by the bank when transactions.bankRefused is %s',
  async (value, end) => {
    await using control = openControl()
    const { id } = await (await logIn(control.app)).buy()
    await control.patch('/settings', { 'transactions.bankRefused': value })
    await control.post(`/simulate/transactions/${id}/bank-refused`)
    const { messages } = await control.get('/inbox?kind=bank-refusal')
    expect(messages[0].text.endsWith(` ${end}`)).toBe(true)
  },
)

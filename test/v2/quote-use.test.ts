import { describe, expect, it } from 'vitest'
import { KEY_2, NOON, openApp } from '../helpers/app.ts'
import { EVM_WALLET, quote, verifiedUser } from '../helpers/story.ts'

describe('a quote that is used', () => {
  async function prepared(app = openApp()) {
    const alice = await verifiedUser(app)
    const { quoteId, expiresAt } = await quote(app, {})
    const body = {
      leftSideLabel: 'CAD',
      leftSideValue: 100,
      rightSideLabel: 'USDC-ETH',
      wallet: EVM_WALLET,
      quoteId,
    }
    const refused = (changed: object) =>
      alice.refused('POST /v2/transactions', { body: { ...body, ...changed } })
    return { app, alice, body, quoteId, expiresAt, refused }
  }

  it('holds for 1,799.999 seconds and not for 1,800', async () => {
    const { app, alice, body, expiresAt, refused } = await prepared()
    expect(Date.parse(expiresAt) - Date.parse(NOON)).toBe(30 * 60_000)
    await app.advance('1799999ms')
    await alice.call('POST /v2/transactions', { body })
    await app.advance('1ms')
    expect(await refused({})).toMatchObject({ status: 400, errors: [{ field: 'quoteId' }] })
  })

  it('serves several transactions', async () => {
    const { alice, body } = await prepared()
    const first = await alice.call('POST /v2/transactions', { body })
    const second = await alice.call('POST /v2/transactions', { body })
    expect(second.id).not.toBe(first.id)
  })

  it('may come as digits in a text', async () => {
    const { alice, body, quoteId } = await prepared()
    await alice.call('POST /v2/transactions', { body: { ...body, quoteId: String(quoteId) } })
  })

  it.each([1, 999_999, '999999', 2 ** 53])(
    'that does not exist (%j) is refused',
    async (quoteId) => {
      const { refused } = await prepared()
      expect(await refused({ quoteId })).toMatchObject({
        status: 400,
        errors: [{ field: 'quoteId' }],
      })
    },
  )

  it.each([1.5, -1, 'abc', '', '1e5', null, true, [], {}, 1e300])(
    'that is not a number (%j) is refused',
    async (quoteId) => {
      const { refused } = await prepared()
      expect(await refused({ quoteId })).toMatchObject({
        status: 400,
        errors: [{ field: 'quoteId' }],
      })
    },
  )

  it('must be of the same labels', async () => {
    const { refused } = await prepared()
    expect(await refused({ rightSideLabel: 'USDC-BASE' })).toMatchObject({
      status: 400,
      errors: [{ field: 'quoteId' }],
    })
  })

  it('locks a rate, not an amount', async () => {
    const { alice, body } = await prepared()
    const call = { body: { ...body, leftSideValue: 1000 } }
    expect(await alice.call('POST /v2/transactions', call)).toMatchObject({
      leftSideValue: 1000,
      rightSideValue: 708.98,
    })
  })

  it('must be of the same integrator', async () => {
    const { app, refused } = await prepared()
    const { quoteId } = await quote(app, {}, KEY_2)
    expect(await refused({ quoteId })).toMatchObject({
      status: 400,
      errors: [{ field: 'quoteId' }],
    })
  })
})

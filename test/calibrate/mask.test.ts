import { describe, expect, it } from 'vitest'
import { Mask } from '../../src/calibrate/mask.ts'
import { OPERATIONS } from '../../src/host/operations.ts'
import fc from '../helpers/fast-check.ts'

describe('a report', () => {
  it('shows nothing of a text in any field, path or query', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9éß漢 .@:/_+=-]{9,40}$/)
    const check = fc.property(
      secret,
      fc.constantFrom('email', 'city', 'message'),
      (value, name) => {
        // Digits alone may be an amount.
        fc.pre(value.trim().length > 8 && !Number.isFinite(Number(value)))
        const mask = new Mask()
        const shown = [
          JSON.stringify(mask.body({ [name]: value, list: [value, { [name]: value }] })),
          JSON.stringify(mask.body(value)),
          ...OPERATIONS.map(({ path }) => {
            const text = encodeURIComponent(value)
            return mask.target(path, `${path.replace(/:\w+/, text)}?${name}=${text}`)
          }),
        ]
        for (const text of shown) expect(decodeURIComponent(text)).not.toContain(value)
      },
    )
    fc.assert(check, { numRuns: 100 })
  })

  it('has the same stand-in for equal values, wherever they are', () => {
    const mask = new Mask()
    const id = '0b2f2f0e-2f2b-4a51-9d43-1f7ad0dc6d4b'
    const list = mask.body([{ id }, { id: 'another' }])
    expect(list).toEqual([{ id: '<id 1>' }, { id: '<id 2>' }])
    const target = mask.target('/v2/users/:userId/kyc', `/v2/users/${id}/kyc?limit=5`)
    expect(target).toBe('/v2/users/<id 1>/kyc?limit=5')
  })

  it('keeps amounts, labels, instants and words of the service', () => {
    const order = { leftSideLabel: 'CAD', leftSideValue: 100.5, rightSideLabel: 'USDC-ETH' }
    const shown = { ...order, status: 'active', expiresAt: '2026-07-01T12:00:00.000Z', ok: true }
    expect(new Mask().body(shown)).toEqual(shown)
  })

  it('has no text that looks like a token or key', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl'
    const shown = new Mask().body({ accessToken: token, code: '0417', secret: 'whsec_abcdefgh' })
    expect(shown).toEqual({
      accessToken: '<accessToken 1>',
      code: '<code 1>',
      secret: '<secret 1>',
    })
  })

  it('names no field by what may be the name of somebody', () => {
    expect(new Mask().body({ 'ann@home.ca': 'Ann' })).toEqual({ '*': '<* 1>' })
  })
})

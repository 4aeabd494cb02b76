import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { findKind, isFieldName } from '../../src/agreement/fields.ts'
import { createMasker } from '../../src/agreement/mask.ts'
import { CONTRACT_OPERATIONS } from '../../src/agreement/operations.ts'
import { OPERATIONS } from '../../src/host/worlds.ts'
import { isRealDate } from '../../src/world/duration.ts'
import { isEmail } from '../../src/world/profile.ts'
import { toSettings } from '../../src/world/settings/index.ts'
import fc from '../helpers/fast-check.ts'

// biome-ignore lint/suspicious/noExplicitAny: a schema is read by its keywords
type Json = any

const CONTRACT = OPERATIONS.filter(({ dialect }) => dialect.isContract)
const NOW = Date.parse('2026-07-01T12:00:00Z')
const settings = toSettings({})

describe('what a field holds', () => {
  it('is known for every operation', () => {
    const named = CONTRACT.map(({ id, method, path }) => ({ id, method, path }))
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
    expect([...CONTRACT_OPERATIONS].sort(byId)).toEqual(named.sort(byId))
  })

  it('is known for every field of each request and response, and of every webhook', () => {
    const unknown = [...placesIn()].filter(
      ({ operation, name, isLeaf }) =>
        !isFieldName(name) || (isLeaf && findKind(operation, name) === undefined),
    )
    expect(unknown.map(({ operation, name }) => `${operation}.${name}`)).toEqual([])
  })
})

describe('masking', () => {
  it('leaves nothing of a text in any field that takes one', () => {
    const texts = [...placesIn()].filter(({ isText }) => isText)
    expect(texts.length).toBeGreaterThan(100)
    const secret = fc.stringMatching(/^[A-Za-z0-9éß漢 .@:/_+=-]{9,40}$/)
    const check = fc.property(secret, (value) => {
      // Blanks around it may go; digits alone may be an amount.
      fc.pre(value.trim().length > 8 && !/^[\d.-]+$/.test(value))
      const masker = createMasker({ now: () => NOW })
      for (const { operation, side, name } of texts) {
        const masked = masker.body({ operation, side }, { [name]: value })
        expect(JSON.stringify(masked), `${operation}.${name}`).not.toContain(value)
      }
    })
    fc.assert(check, { numRuns: 20 })
  })

  it('leaves nothing of a text in a path, a query or a header', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9é漢 .@:_+=-]{9,40}$/)
    const check = fc.property(secret, (value) => {
      fc.pre(value.trim().length > 8 && !/^[\d.-]+$/.test(value))
      const text = encodeURIComponent(value)
      const masker = createMasker()
      for (const { method, path } of CONTRACT_OPERATIONS) {
        const target = `${path.replace(/:\w+/, text)}?email=${text}&${text}=1&tx_id=${text}`
        const masked = masker.target(method, target)
        expect(decodeURIComponent(masked.replaceAll('+', ' ')), path).not.toContain(value)
      }
      const shown = masker.target('POST', `/not/of/the/contract/${text}`)
      expect(decodeURIComponent(shown)).not.toContain(value)
      const headers = { 'x-api-key': value, authorization: `Bearer ${value}`, 'x-other': value }
      for (const side of ['request', 'response'] as const) {
        expect(JSON.stringify(masker.headers(side, headers))).not.toContain(value)
      }
    })
    fc.assert(check, { numRuns: 20 })
  })

  it('gives each value a stand-in that is checked in the same way', () => {
    const { email, dob, wallet, province, postalCode, phone } = mask('createUser', PERSONAL)
    expect(isEmail(email)).toBe(true)
    expect(isRealDate(dob)).toBe(true)
    expect(wallet).toMatch(/^0x[0-9a-f]{40}$/)
    expect(province).toMatch(/^[A-Z]{2}$/)
    expect(postalCode).toMatch(/^[A-Z]\d[A-Z] \d[A-Z]\d$/)
    expect(phone).toMatch(/^\+1\d{10}$/)
  })

  it('keeps wrong values wrong', () => {
    const wrong = { email: 'ann', dob: '2023-02-30', province: 'ZZ', firstName: '', lastName: 7 }
    const masked = mask('createUser', wrong)
    expect(isEmail(masked.email)).toBe(false)
    expect(isRealDate(masked.dob)).toBe(false)
    expect(masked).toMatchObject({ province: 'province 1', firstName: '' })
    expect(typeof masked.lastName).toBe('number')
  })

  it.each([
    ['17', '2008-07-02', 0, 17],
    ['18', '2008-06-30', 18, 59],
    ['60', '1966-06-01', 60, 129],
  ])('keeps somebody of %s on the same side of every rule about age', (_, dob, least, most) => {
    const masked = Date.parse(mask('createUser', { dob }).dob)
    const age = (NOW - masked) / (365.25 * 86_400_000)
    expect(age).toBeGreaterThanOrEqual(least)
    expect(age).toBeLessThanOrEqual(most)
  })

  it('gives the same value the same stand-in, wherever it is', () => {
    const masker = createMasker()
    const create = { operation: 'createUser', side: 'request' } as const
    const { email } = masker.body(create, { email: 'ann@home.ca' })
    const target = masker.target('GET', '/v2/users?email=ann%40home.ca')
    expect(target).toBe(`/v2/users?email=${encodeURIComponent(email)}`)
    const other = masker.body(create, { email: 'ANN@home.ca' })
    expect(other.email).not.toBe(email)
    expect(other.email.toLowerCase()).toBe(email)
  })

  it('keeps what the contract names and what decides about money', () => {
    const order = { leftSideLabel: 'CAD', leftSideValue: 100.5, rightSideLabel: 'USDC-ETH' }
    expect(mask('createTransaction', order)).toEqual(order)
    const response = { success: false, errors: [{ field: 'wallet', message: 'It is of Ann.' }] }
    const masker = createMasker()
    const masked = masker.body({ operation: 'createTransaction', side: 'response' }, response)
    expect(masked.errors).toEqual([{ field: 'wallet', message: 'message 1' }])
  })

  it('masks what the contract does not have, and its name where a client chose it', () => {
    const sent = mask('createUser', { 'ann@home.ca': 'Ann', nickname: 'Ann' })
    expect(sent).toEqual({ 'field 1': 'value 1', 'field 2': 'value 1' })
    const masker = createMasker()
    const response = masker.body({ operation: 'createUser', side: 'response' }, { nickname: 'Ann' })
    expect(response).toEqual({ nickname: 'nickname 1' })
    expect(masker.target('GET', '/people/ann@home.ca?who=ann')).not.toMatch(/ann|people|who/)
  })

  it('masks keys and tokens, and shows the value of a path that is to be kept', () => {
    const masker = createMasker({ keep: ['createUser.city', 'errors[].message'] })
    const headers = masker.headers('request', {
      'X-Api-Key': 'live-key',
      authorization: 'Bearer ey.ann.x',
      cookie: 'a=b',
    })
    expect(headers).toEqual({
      'x-api-key': 'secret-1',
      authorization: expect.stringMatching(/^Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
    })
    const kept = masker.body({ operation: 'createUser', side: 'request' }, { city: 'Oka' })
    expect(kept).toEqual({ city: 'Oka' })
    const response = { errors: [{ field: 'city', message: 'Oka is full.' }] }
    expect(masker.body({ operation: undefined, side: 'response' }, response)).toEqual(response)
  })
})

const PERSONAL = {
  email: 'ann.lee@home.ca',
  firstName: 'Annabel',
  lastName: 'Leestone',
  dob: '1987-11-23',
  phone: '+16135550199',
  addressLine1: '77 Elm Avenue',
  city: 'Kenora-on-Lake',
  province: 'MB',
  postalCode: 'P9N 3X9',
  occupation: 'Beekeeper',
  wallet: '0x52908400098527886e0f7030069857d2e4169ee7',
}

function mask(operation: string, body: object): Json {
  return createMasker({ now: () => NOW }).body({ operation, side: 'request' }, body)
}

interface Place {
  operation: string
  side: 'request' | 'response'
  name: string
  isLeaf: boolean
  isText: boolean
}

function* placesIn(): Generator<Place> {
  for (const { id, query, body, response } of CONTRACT) {
    for (const schema of [query, body]) if (schema) yield* fieldsOf(id, 'request', schema())
    if (response) yield* fieldsOf(id, 'response', response())
  }
  for (const { describe } of new Set(CONTRACT.map(({ dialect }) => dialect))) {
    for (const { body } of Object.values(describe.webhooks ?? {})) {
      yield* fieldsOf('webhook', 'response', body(settings))
    }
  }
}

function* fieldsOf(operation: string, side: Place['side'], schema: z.ZodType): Generator<Place> {
  const io = side === 'request' ? 'input' : 'output'
  yield* walk(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))

  function* walk(node: Json): Generator<Place> {
    for (const way of node.anyOf ?? []) yield* walk(way)
    if (node.items) yield* walk(node.items)
    for (const [name, field] of Object.entries<Json>(node.properties ?? {})) {
      const ways = [field, ...(field.anyOf ?? []), ...(field.items ? [field.items] : [])]
      const isLeaf = !ways.some(({ properties, additionalProperties, items }) =>
        Boolean(properties || typeof additionalProperties === 'object' || items?.properties),
      )
      const isText = isLeaf && ways.some(({ type }) => type === 'string' || type === undefined)
      yield { operation, side, name, isLeaf, isText }
      yield* walk(field)
    }
  }
}

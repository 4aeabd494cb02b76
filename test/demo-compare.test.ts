import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

// Not by a literal, as the code of pages is compiled for a browser alone.
const { findDifference } = await import(join(import.meta.dirname, '../src/demo/client/compare.ts'))

let lastId = 0
const row = (kind: string, title: string, more: object = {}) => ({
  id: ++lastId,
  kind,
  title,
  result: '200',
  ...more,
})
const column = (...rows: object[]) => [{ id: ++lastId, kind: 'tap', title: '', at: 0, rows }]
const bodyOf = (text: string) => ({ parts: [['Response', text]] })

describe('the first row that differs', () => {
  it('is none in columns that tell the same, whatever was simulated in between', () => {
    const left = column(row('call', 'GET /v2/quotes'), row('outside', 'POST /_sandbox/faults'))
    const right = column(row('message', 'a code'), row('call', 'GET /v2/quotes'))
    expect(findDifference(left, right)).toBeUndefined()
  })

  it('is one in each column, by what is called, its result or its body', () => {
    for (const other of [
      row('call', 'GET /v2/limits'),
      row('webhook', 'GET /v2/quotes'),
      row('call', 'GET /v2/quotes', { result: '401' }),
      row('call', 'GET /v2/quotes', bodyOf('{"rate": 1.47}')),
    ]) {
      const one = row('call', 'GET /v2/quotes', bodyOf('{"rate": 1.4}'))
      const found = findDifference(column(row('call', 'a'), one), column(row('call', 'a'), other))
      expect(found).toEqual({ left: one.id, right: other.id })
    }
  })

  it('is in one column alone where the other has no such row', () => {
    const more = row('webhook', 'transaction.update: processing')
    const first = row('call', 'a')
    expect(findDifference(column(first, more), column(first))).toEqual({ left: more.id })
  })

  it('is none of the older rows that only one column still has', () => {
    const [old, shared] = [row('call', 'an older call'), row('call', 'a')]
    const [one, other] = [row('webhook', 'b: lost'), row('webhook', 'b: delivered')]
    const found = { left: one.id, right: other.id }
    expect(findDifference(column(old, shared, one), column(shared, other))).toEqual(found)
    expect(findDifference(column(shared, one), column(old, shared, other))).toEqual(found)
  })

  it('is no world, token, moment or header, which are never alike', () => {
    const text = (world: string, at: string, token: string) =>
      `{"url": "http://localhost${world}/_sandbox/kyc/1", "at": "${at}", "accessToken": "${token}"}`
    const one = row('call', 'a', {
      parts: [
        ['Response', text('', '2026-07-01T12:00:00.000Z', '…aaaaaaaa')],
        ['Headers', 'X-Service-Timestamp: 1'],
      ],
    })
    const other = row('call', 'a', {
      parts: [
        ['Response', text('/w/5100ce', '2026-07-01T12:00:01.250Z', '…bbbbbbbb')],
        ['Headers', 'X-Service-Timestamp: 2'],
      ],
    })
    expect(findDifference(column(one), column(other))).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { Journal } from '../../src/world/journal.ts'
import fc from '../helpers/fast-check.ts'

function filled(max: number, count: number) {
  const journal = new Journal<number>({ max })
  for (let row = 1; row <= count; row++) journal.push(row)
  return journal
}

describe('a journal', () => {
  it('forgets the oldest rows beyond its length, but never the newest', () => {
    const journal = new Journal<number>({ max: 10, lengthMax: 100 })
    for (const row of [1, 2, 3]) journal.push(row)
    journal.weigh(1, 60)
    journal.weigh(3, 40)
    expect(journal.after(0)).toEqual([1, 2, 3])
    journal.weigh(2, 1)
    expect([journal.after(0), journal.count, journal.at(1)]).toEqual([[2, 3], 2, undefined])
    journal.weigh(1, 1_000)
    journal.weigh(3, 1_000)
    journal.weigh(3, 99)
    expect([journal.after(0), journal.last]).toEqual([[3], 3])
    for (let row = 4; row <= 14; row++) {
      journal.push(row)
      journal.weigh(row, 10)
    }
    expect(journal.after(0)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
  })

  it('reads on from a cursor, in pages', () => {
    const journal = filled(100, 7)
    expect(journal.after(0, 3)).toEqual([1, 2, 3])
    expect(journal.after(3, 3)).toEqual([4, 5, 6])
    expect(journal.after(6, 3)).toEqual([7])
    expect(journal.after(7)).toEqual([])
    expect(journal.after(99)).toEqual([])
  })

  it('is the tail of an endless list, however long and however it was loaded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(40), fc.nat(40), (max, before, more) => {
        const original = filled(max, before)
        const loaded = new Journal({ max, rows: original.after(0), count: original.last })
        for (let row = before + 1; row <= before + more; row++) loaded.push(row)
        const all = Array.from({ length: before + more }, (_, i) => i + 1)
        expect(loaded.last).toBe(all.length)
        expect(loaded.after(0)).toEqual(all.slice(-max))
        for (const position of all.slice(-max)) expect(loaded.at(position)).toBe(position)
      }),
    )
  })
})

import { expect, it } from 'vitest'
import { Entries, findById } from '../../src/world/entries.ts'
import fc from '../helpers/fast-check.ts'

const at = (pos: number) => ({ pos, id: `row_${pos}` })

function filled(max: number, positions: readonly number[], lengthMax?: number) {
  const entries = new Entries<ReturnType<typeof at>>({ max, ...(lengthMax && { lengthMax }) })
  for (const pos of positions) entries.push(at(pos))
  return entries
}

const positionsOf = (rows: readonly { pos: number }[]) => rows.map(({ pos }) => pos)

it('entries forget the oldest rows beyond their length, but never the newest', () => {
  const entries = filled(10, [1, 3, 5], 100)
  const kept = () => positionsOf(entries.after(0))
  entries.weigh(at(1), 60)
  entries.weigh(at(5), 40)
  expect(kept()).toEqual([1, 3, 5])
  entries.weigh(at(3), 1)
  expect([kept(), entries.count, entries.total, entries.at(1)]).toEqual([[3, 5], 2, 3, undefined])
  entries.weigh(at(1), 1_000)
  entries.weigh(at(5), 1_000)
  entries.weigh(at(5), 99)
  expect([kept(), entries.last]).toEqual([[5], 5])
  for (let pos = 6; pos <= 16; pos++) {
    entries.push(at(pos))
    entries.weigh(at(pos), 10)
  }
  expect(kept()).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
})

it('entries are read on from any position, in pages', () => {
  const entries = filled(100, [2, 4, 6, 8])
  expect(positionsOf(entries.after(0, 3))).toEqual([2, 4, 6])
  expect(positionsOf(entries.after(6, 3))).toEqual([8])
  expect(positionsOf(entries.after(3))).toEqual([4, 6, 8])
  expect(entries.after(8)).toEqual([])
  expect(entries.after(99)).toEqual([])
})

it('entries find the newest of several rows with one id', () => {
  const entries = new Entries<{ pos: number; id: string }>({ max: 9 })
  for (const [i, id] of ['a', 'b', 'a', 'c'].entries()) entries.push({ pos: i + 1, id })
  expect(findById(entries, 'a')?.pos).toBe(3)
  expect(findById(entries, 'd')).toBeUndefined()
})

it('entries are the tail of an endless list, whatever the gaps and however it was loaded', () => {
  const Gaps = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), Gaps, fc.nat(40), (max, gaps, loadedAt) => {
      let last = 0
      const all = gaps.map((gap) => (last += gap))
      const rows = filled(max, all.slice(0, loadedAt)).after(0)
      const loaded = new Entries({ max, rows })
      for (const pos of all.slice(loadedAt)) loaded.push(at(pos))
      expect(loaded.last).toBe(all.at(-1) ?? 0)
      for (let pos = 0; pos <= last + 1; pos++) {
        const after = all.slice(-max).filter((each) => each > pos)
        expect(positionsOf(loaded.after(pos))).toEqual(after)
        expect(loaded.at(pos)?.pos).toBe(all.slice(-max).find((each) => each === pos))
      }
    }),
  )
})

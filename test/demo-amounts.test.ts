import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'

vi.stubGlobal('location', new URL('http://127.0.0.1:4100/_sandbox/demo'))
// Not by a literal, as the code of pages is compiled for a browser alone.
const { roundParts } = await import(join(import.meta.dirname, '../src/demo/client', 'words.ts'))
afterAll(() => vi.unstubAllGlobals())

const cents = (value: number) => Math.round(value * 100)

it('shows parts that add up to the total, for a thousand amounts', () => {
  for (let amount = 100; amount < 1_100; amount++) {
    const exact = [amount * 0.005 + 0.0049, 0.375 + amount / 7_919, amount * 0.001003]
    const total = exact.reduce((sum, part) => sum + part, 0)
    const shown: number[] = roundParts(exact, total)
    expect(shown.reduce((sum, part) => sum + cents(part), 0)).toBe(cents(total))
    for (const [at, part] of shown.entries()) {
      expect(Math.abs(part - (exact[at] ?? 0))).toBeLessThan(0.01)
    }
  }
  expect(roundParts([1.25, 0.375, 0.245], 1.87)).toEqual([1.25, 0.38, 0.24])
})

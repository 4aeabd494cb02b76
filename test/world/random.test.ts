import { describe, expect, it } from 'vitest'
import { DIGITS, hex, randomFor, randomText, uuid } from '../../src/world/random.ts'
import { isFullDepth } from '../helpers/depth.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const DRAWS = isFullDepth ? 300_000 : 50_000

describe('derived ids', () => {
  it('are version 4 UUIDs, and no two are the same', { timeout: 60_000 }, () => {
    const ids = new Set<string>()
    const misshapen: string[] = []
    for (let n = 0; n < DRAWS; n++) {
      const id = uuid(randomFor(`ramp-sandbox\ntransaction\nuser-${n % 1_000}\n${n}`))
      if (n % 100 === 0 && !UUID_V4.test(id)) misshapen.push(id)
      ids.add(id)
    }
    expect(misshapen).toEqual([])
    expect(ids.size).toBe(DRAWS)
  })

  it('are the same for the same key and others for any other', () => {
    expect(uuid(randomFor('a\n1'))).toBe(uuid(randomFor('a\n1')))
    const keys = ['a\n1', 'a\n2', 'b\n1', 'a1', 'a\n1\n', '', ' ', 'é', 'e']
    expect(new Set(keys.map((key) => uuid(randomFor(key)))).size).toBe(keys.length)
  })

  it('differ in half of their bits when one character of the key does', () => {
    let flipped = 0
    const keys = 2_000
    for (let n = 0; n < keys; n++) {
      const [a, b] = [randomFor(`seed\nuser\n${n}`), randomFor(`seed\nuser\n${n + 1}`)]
      for (let word = 0; word < 4; word++) flipped += countBits(a() ^ b())
    }
    expect(flipped / (keys * 128)).toBeCloseTo(0.5, 2)
  })
})

describe('derived texts', () => {
  it('have the length asked for, whatever it is', () => {
    for (const length of [0, 1, 7, 8, 9, 32, 40, 64]) {
      expect(hex(randomFor('hash'), length)).toMatch(new RegExp(`^[0-9a-f]{${length}}$`))
    }
  })

  it('use each letter of an alphabet about as often as the others', () => {
    const random = randomFor('codes')
    const counts = new Map<string, number>()
    for (const digit of randomText(random, DIGITS, 100_000)) {
      counts.set(digit, (counts.get(digit) ?? 0) + 1)
    }
    expect([...counts.keys()].sort().join('')).toBe(DIGITS)
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  })
})

function countBits(word: number): number {
  let count = 0
  for (let left = word >>> 0; left > 0; left >>>= 1) count += left & 1
  return count
}

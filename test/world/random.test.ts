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

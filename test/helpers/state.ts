import { expect } from 'vitest'
import type { Door } from './door.ts'

/** The whole world as its bytes, to see that nothing changed. */
export async function readState(door: Door): Promise<string> {
  const { status, text } = await door.send('/_sandbox/state')
  if (status !== 200) throw new Error(text)
  return text
}

/** Does something that must leave the world as it was. */
export async function expectNothingChanged<T>(door: Door, act: () => Promise<T>): Promise<T> {
  const before = await readState(door)
  const result = await act()
  expect(await readState(door)).toBe(before)
  return result
}

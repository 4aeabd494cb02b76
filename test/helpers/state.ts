import { expect } from 'vitest'
import type { TestApp } from './app.ts'

/** The whole world as its bytes, to see that nothing changed. */
export async function readState(app: TestApp): Promise<string> {
  const { status, text } = await app.send('/_sandbox/state')
  if (status !== 200) throw new Error(text)
  return text
}

/** Does something that must leave the world as it was. */
export async function expectNothingChanged<T>(app: TestApp, act: () => Promise<T>): Promise<T> {
  const before = await readState(app)
  const result = await act()
  expect(await readState(app)).toBe(before)
  return result
}

import { expect } from 'vitest'
import type { TestApp } from './app.ts'

/** The whole world as its bytes but for the position of its journal, which grows with each call. */
export async function readState(app: TestApp): Promise<string> {
  const { status, text } = await app.send('/_sandbox/state')
  if (status !== 200) throw new Error(text)
  return withoutPosition(text)
}

export const withoutPosition = (text: string): string =>
  text.replace(/"position":\d+/, `"position":${FAR}`)

/** Text without positions in the journal, which a reset does not begin anew, and ids made of them. */
export const withoutPositions = (text: string): string =>
  text
    .replace(/"(position|pos)":\d+/g, '"$1":0')
    .replace(/"cursor":"\d+"/g, '"cursor":"0"')
    .replace(/"cursors":\{[^}]*\}/, '"cursors":{}')
    .replace(/"msg_\d+"/g, '"msg"')

/** A state without what depends on the calls and actions of its world: causes and positions. */
export function withoutJournal(text: string): object {
  const { position: _, events, messages, ...state } = JSON.parse(text)
  const rows = [...events, ...messages].map(({ cause, pos, ...row }) => row)
  const numbered = rows.map((row) => ({ ...row, id: String(row.id).replace(/^msg_\d+$/, 'msg') }))
  return { ...state, rows: numbered }
}

/** A position that no test reaches. */
const FAR = 1_000_000

/** Does something that must leave the world as it was. */
export async function expectNothingChanged<T>(app: TestApp, act: () => Promise<T>): Promise<T> {
  const before = await readState(app)
  const result = await act()
  expect(await readState(app)).toBe(before)
  return result
}

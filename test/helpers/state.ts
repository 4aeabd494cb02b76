import type { Door } from './door.ts'

/** The whole world as its bytes, to see that nothing changed. */
export async function readState(door: Door): Promise<string> {
  const { status, text } = await door.send('/_sandbox/state')
  if (status !== 200) throw new Error(text)
  return text
}

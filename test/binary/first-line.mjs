import { createInterface } from 'node:readline'

/** The first line of a stream; the rest is read and dropped. */
export async function firstLine(stream) {
  const lines = createInterface({ input: stream })
  const line = await new Promise((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('close', () => reject(new Error('It ended before it said that it is ready.')))
  })
  lines.on('line', () => undefined)
  return line
}

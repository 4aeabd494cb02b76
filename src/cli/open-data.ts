import { statSync } from 'node:fs'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'

/** Smaller files are read before anyone wonders. */
const LARGE_BYTES = 20_000_000

/** Opens a data file, and says what of it does not count. */
export async function openData(file: string): Promise<Store> {
  const store = await readData(file)
  const { leftOutBytes: bytes } = store
  if (bytes > 0) {
    const why = 'a write was cut short, and nothing in it was ever acknowledged'
    process.stderr.write(`ramp-sandbox: the last ${bytes} B of ${file} are left out: ${why}.\n`)
  }
  return store
}

/** Shows on a terminal how far it is where the file is large. */
async function readData(file: string): Promise<Store> {
  const { stderr } = process
  const size = sizeOf(file)
  if (!stderr.isTTY || size < LARGE_BYTES) return await openStore(file)
  const what = `Reading ${file} (${Math.round(size / 1e6)} MB) …`
  let shown = -1
  showRead(0)
  try {
    return await openStore(file, { onRead: showRead })
  } finally {
    // Clears the line.
    stderr.write('\r\u001b[2K')
  }

  function showRead(bytes: number) {
    const percent = Math.floor((100 * bytes) / size)
    if (percent === shown) return
    shown = percent
    stderr.write(`\r${what} ${percent} %`)
  }
}

/** 0 where opening it will say what is wrong. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

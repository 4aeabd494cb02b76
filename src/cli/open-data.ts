import { statSync } from 'node:fs'
import { openStore, type Store } from '../store/open.ts'

/** Smaller files are read before anyone wonders. */
const LARGE_BYTES = 20_000_000

/** Opens a data file, and says on a terminal what takes so long where it is large. */
export async function openData(file: string): Promise<Store> {
  const { stderr } = process
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (!stderr.isTTY || bytes < LARGE_BYTES) return await openStore(file)
  stderr.write(`Reading ${file} (${Math.round(bytes / 1e6)} MB) …`)
  try {
    return await openStore(file)
  } finally {
    // Clears the line.
    stderr.write('\r\u001b[2K')
  }
}

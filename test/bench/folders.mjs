import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders = []

/** A folder that is gone when the bench is, however it ends. */
export async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'ramp-bench-'))
  folders.push(folder)
  return folder
}

process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

import { type FileHandle, open } from 'node:fs/promises'
import { vi } from 'vitest'

type Writes = Pick<FileHandle, 'appendFile' | 'datasync' | 'writeFile'>

/** The disk under this process, which can be made to fail or to wait. */
export interface Disk extends Disposable {
  /** Appends fail from now on, half written; or files cannot be written whole, or not be synced. */
  fail(what: keyof Writes | null): void
  /** Syncs wait from now on; what this returns lets them go. */
  hold(): () => void
}

export async function openDisk(): Promise<Disk> {
  await using handle = await open('/dev/null')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  const { appendFile, datasync, writeFile } = prototype
  let failing: keyof Writes | null = null
  let gate = Promise.resolve()

  const spies = [
    vi.spyOn(prototype, 'appendFile').mockImplementation(async function (this: FileHandle, data) {
      if (failing !== 'appendFile') return appendFile.call(this, data)
      await appendFile.call(this, Buffer.from(data as Buffer).subarray(0, data.length / 2))
      throw full('write')
    }),
    vi.spyOn(prototype, 'writeFile').mockImplementation(async function (this: FileHandle, data) {
      if (failing === 'writeFile') throw full('write')
      return writeFile.call(this, data)
    }),
    vi.spyOn(prototype, 'datasync').mockImplementation(async function (this: FileHandle) {
      await gate
      if (failing === 'datasync') throw full('fdatasync')
      return datasync.call(this)
    }),
  ]
  return {
    fail(what) {
      failing = what
    },
    hold() {
      let release = () => {}
      gate = new Promise((resolve) => (release = resolve))
      return release
    },
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore()
    },
  }
}

function full(syscall: string): NodeJS.ErrnoException {
  const error = new Error(`ENOSPC: no space left on device, ${syscall}`)
  return Object.assign(error, { code: 'ENOSPC', syscall })
}

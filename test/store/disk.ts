import { readlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { vi } from 'vitest'

type Failure = 'appendFile' | 'datasync' | 'compaction' | 'folder'

/** The disk under this process, which can be made to fail or to wait. */
export interface Disk extends Disposable {
  /** Appends fail from now on, half written; or syncs do; or appends to a file that is to replace one; or syncs of a folder. */
  fail(what: Failure | null): void
  /** Syncs wait from now on; what this returns lets them go. */
  hold(): () => void
}

export async function openDisk(): Promise<Disk> {
  await using handle = await open('/dev/null')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  const { appendFile, datasync, sync } = prototype
  let failing: Failure | null = null
  let gate = Promise.resolve()

  const spies = [
    vi.spyOn(prototype, 'appendFile').mockImplementation(async function (this: FileHandle, data) {
      const isHit = failing === 'appendFile' || (failing === 'compaction' && isDraft(this))
      if (!isHit) return appendFile.call(this, data)
      await appendFile.call(this, Buffer.from(data as Buffer).subarray(0, data.length / 2))
      throw full('write')
    }),
    vi.spyOn(prototype, 'datasync').mockImplementation(async function (this: FileHandle) {
      await gate
      if (failing === 'datasync') throw full('fdatasync')
      return datasync.call(this)
    }),
    vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
      if (failing === 'folder' && (await this.stat()).isDirectory()) throw full('fsync')
      return sync.call(this)
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

const isDraft = ({ fd }: FileHandle) => readlinkSync(`/proc/self/fd/${fd}`).endsWith('.tmp')

function full(syscall: string): NodeJS.ErrnoException {
  const error = new Error(`ENOSPC: no space left on device, ${syscall}`)
  return Object.assign(error, { code: 'ENOSPC', syscall })
}

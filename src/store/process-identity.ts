import { readFileSync, readlinkSync } from 'node:fs'
import { nanoid } from 'nanoid'

/** A boot of a machine, and a namespace of ids there; nowhere else where the system does not say. */
export function readPlace(): string {
  const boot = readText('/proc/sys/kernel/random/boot_id').trim()
  // A namespace may see the /proc of another, where its ids mean other processes.
  const isKnown = boot !== '' && readlinkSync('/proc/self') === String(process.pid)
  return isKnown ? `${boot} ${readlinkSync('/proc/self/ns/pid')}` : nanoid()
}

/** Tells a process from others that had its id; undefined once it has ended. */
export function startOf(pid: number | string | undefined): string | undefined {
  const [status, ...fields] = readText(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return status === 'Z' ? undefined : fields[18]
}

/** The text of a file; empty if it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

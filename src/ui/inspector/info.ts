import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { DueTask, Wire, WorldInfo } from '../../control-api/wire.ts'
import { shared } from '../lib/draw.ts'
import { refresh, useRead } from '../lib/live.ts'
import { setClock } from '../lib/now.ts'

/** Information about this world; undefined until it has been read. */
export const info = shared<WorldInfo | undefined>(undefined)
/** State of the folder of `--data`; null if worlds are kept in memory only, undefined until it has been read. */
export const storage = shared<Wire['health']['response']['storage']>(undefined)
/** Why nothing about this world can be read, such as that it has ended; empty if it can. */
export const refusal = shared('')
const NONE: readonly DueTask[] = []
/** What is scheduled, soonest first. */
export const tasks = shared(NONE)

/** Interval of checks for a warning, because no event says that it is over. */
const WARNING_EVERY_MS = 2_000

/** Reads all of it again after each change; for one component alone. */
export function useWorld(): void {
  const { data: read, error } = useRead<'info'>('/info')
  const isScheduled = read !== undefined && read.taskCount > 0
  const clock = useRead<'clock.read'>(isScheduled ? '/clock' : undefined).data
  // A sandbox that keeps its worlds in memory goes on doing so.
  const health = useRead<'health'>(storage.value === null ? undefined : '/health').data
  const isFailing = error !== undefined || health?.storage?.status === 'failing'
  // Before the page is painted, so that it shows everything that was read at once.
  useLayoutEffect(() => {
    if (health) storage.value = health.storage ?? null
  }, [health])
  useLayoutEffect(() => {
    refusal.value = error?.message ?? ''
    if (!read) return
    info.value = read
    setClock(read)
  }, [read, error])
  useLayoutEffect(() => {
    tasks.value = (isScheduled && clock?.tasks) || NONE
  }, [isScheduled, clock])
  useEffect(() => {
    if (!isFailing) return undefined
    const timer = setInterval(refresh, WARNING_EVERY_MS)
    return () => clearInterval(timer)
  }, [isFailing])
}

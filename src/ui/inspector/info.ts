import { useEffect } from 'preact/hooks'
import type { ClockState, Wire, WorldInfo } from '../../control-api/wire.ts'
import { shared } from '../lib/draw.ts'
import { refresh, useRead } from '../lib/live.ts'
import { setClock } from '../lib/now.ts'

/** Information about this world; undefined until it has been read. */
export const info = shared<WorldInfo | undefined>(undefined)
/** State of the folder of `--data`; null if worlds are kept in memory only. */
export const storage = shared<Wire['health']['response']['storage']>(null)
/** Why nothing about this world can be read, such as that it has ended; empty if it can. */
export const refusal = shared('')
export const clock = shared<ClockState | undefined>(undefined)

/** Interval of checks for a warning, because no event says that it is over. */
const WARNING_EVERY_MS = 2_000

/** Reads all of it again after each change; for one component alone. */
export function useWorld(): void {
  const { data: read, error } = useRead<'info'>('/info')
  const time = useRead<'clock.read'>('/clock').data
  const health = useRead<'health'>('/health').data
  const isFailing = error !== undefined || health?.storage?.status === 'failing'
  useEffect(() => {
    storage.value = health?.storage ?? null
    refusal.value = error?.message ?? ''
    if (read) info.value = read
  }, [read, error, health])
  useEffect(() => {
    if (!time) return
    clock.value = time
    setClock(time)
  }, [time])
  useEffect(() => {
    if (!isFailing) return undefined
    const timer = setInterval(refresh, WARNING_EVERY_MS)
    return () => clearInterval(timer)
  }, [isFailing])
}

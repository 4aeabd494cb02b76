import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ClockState, WorldInfo } from '../../control-api/wire.ts'
import { useRead } from '../lib/live.ts'
import { setClock } from '../lib/now.ts'

/** What this world is; undefined until it was read. */
export const info = signal<WorldInfo | undefined>(undefined)
export const clock = signal<ClockState | undefined>(undefined)

/** Reads both again after each change; for one component alone. */
export function useWorld(): void {
  const read = useRead<'info'>('/info').data
  const time = useRead<'clock.read'>('/clock').data
  useEffect(() => {
    info.value = read
  }, [read])
  useEffect(() => {
    clock.value = time
    if (time) setClock(time)
  }, [time])
}

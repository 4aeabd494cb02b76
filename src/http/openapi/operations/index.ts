import { eventNotes } from './events.ts'
import { legacyNotes } from './legacy.ts'
import { simulateNotes } from './simulate.ts'
import { v2Notes } from './v2.ts'
import { watchNotes } from './watch.ts'
import { worldNotes } from './world.ts'

export interface OperationNote {
  /** What it does, what must come before, and what follows. */
  about: string
  /** What a success means. */
  success: string
}

/** By the id of the operation. */
export type OperationNotes = Readonly<Record<string, OperationNote>>

export const OPERATION_NOTES: OperationNotes = {
  ...v2Notes,
  ...legacyNotes,
  ...eventNotes,
  ...worldNotes,
  ...simulateNotes,
  ...watchNotes,
}

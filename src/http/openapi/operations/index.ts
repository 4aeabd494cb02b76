import type { OperationNotes } from '../notes.ts'
import { eventNotes } from './events.ts'
import { legacyNotes } from './legacy.ts'
import { v2Notes } from './v2.ts'

/** Ids of the operations of the contract. */
export type ContractOperationId = keyof typeof v2Notes | keyof typeof legacyNotes

export const OPERATION_NOTES: OperationNotes = {
  ...v2Notes,
  ...legacyNotes,
  ...eventNotes,
}

/** What a field holds, and an example where its schema does not imply one. */
export type FieldNote = readonly [description: string, example?: unknown]

/**
 * By the name of a field, and where it means something else by what the field belongs to: the title
 * of a schema (`Transaction.id`), the field around it (`errors.message`) or the operation. A row for
 * several of them names each: `User.id, FoundUser.id`.
 */
export type FieldNotes = Readonly<Record<string, FieldNote>>

interface OperationNote {
  /** What it does, what must come before, and what follows. */
  about: string
  success: string
}

/** By the id of the operation. */
export type OperationNotes = Readonly<Record<string, OperationNote>>

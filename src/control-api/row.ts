import type * as z from 'zod'

/** A schema, or the fields of an object that may have no others. */
export type Form = z.ZodType | z.core.$ZodLooseShape

/** Why a call fails, in a sentence, by the code of the error or by its HTTP status. */
export type ErrorDescriptions = Readonly<Record<string | number, string>>

/** A word of a command that stands for a field of the control operation. */
export interface FieldWord<Name extends string = string> {
  readonly field: Name
  /** Label in the help; the name of the field in capitals by default. */
  readonly label?: string
  readonly isOptional?: true
  /** Takes all the words that follow. */
  readonly isMany?: true
  /** The texts that it takes; any by default. */
  readonly known?: readonly string[]
  /** Value that is sent if the word is left out. */
  readonly otherwise?: string
  /** Field that takes an instant in its place. */
  readonly instantAs?: Name
  /** A text of another form than the field names a JSON file, whose fields are sent. */
  readonly orFile?: true
}

/** Words such as `USDC=1.38`, each a field and its value. */
export interface PairWords {
  readonly pairs: string
  readonly isOptional?: true
}

/** Words of a command: literal ones, flags among them, and those that stand for fields. */
export type Phrase<Name extends string = string> = readonly (string | FieldWord<Name> | PairWords)[]

/** A cell of what a command prints; an empty one is left out where the others are, too. */
export type Cell = string | number | boolean | null | undefined

/** The cells of a line of a command, under a head where they have names. */
export type Columns = readonly Cell[] | Readonly<Record<string, Cell>>

/** A flag of a command that prints one value, and nothing else. */
export interface ValueFlag {
  readonly help: string
  readonly sends?: object
  readonly prints: (response: never) => string | undefined
  /** Said where there is no value. */
  readonly none?: string
}

/** A command phrase that also sends fixed values. */
export interface SpecialPhrase<Name extends string = string> {
  readonly words: Phrase<Name>
  readonly sends: object
  readonly summary: string
  readonly example?: string
}

/** A use of an operation, as the timeline shows it. */
export interface Use {
  /** The body, as far as it was kept. */
  readonly input: Readonly<Record<string, unknown>>
  /** The transaction, user or other thing that the call named. */
  readonly subject: string | null
  /** World time when it began, and when it ended. */
  readonly at: number
  readonly until: number
  /** Side of the transaction that it is about. */
  readonly side: 'buy' | 'sell' | undefined
}

/** Description of a use of an operation, for the timeline. */
export type Done = string | ((use: Use) => string)

/**
 * One operation of the control API. Its method of the library, its command, the agents' tool, the
 * route and the documents follow from this row.
 */
export interface ControlRow<Name extends string = string> {
  /** Id of its operation in the documents. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below `/_sandbox`, with a `:name` for each of `params`. */
  readonly path: string
  /** Meaning of each name in the path, in its order. */
  readonly params?: Readonly<Record<string, string>>
  /** Fields that are arguments of the library's method, before an object of the others. */
  readonly args?: readonly Name[]
  /** Field of the response that the library returns; all of it by default. */
  readonly result?: string
  /** Set if the response is a page: the library then reads all pages. */
  readonly isPaged?: true
  /** Time limit of a call in ms, where it may take longer than others. */
  readonly limitMs?: number
  readonly summary: string
  /** For documents: what it does, what must come before, and what follows. */
  readonly about?: string
  /** For documents: what a success means. */
  readonly success?: string
  /**
   * What a use of it did, on the timeline and in logs; null if it is not shown there. All but reads
   * say one or the other.
   */
  readonly done?: Done | null
  readonly words?: Phrase<Name>
  /** Further commands, with what they send. */
  readonly also?: readonly SpecialPhrase<Name>[]
  /** Fields that the command takes in another form, so they are not options. */
  readonly hides?: readonly Name[]
  /** A whole command line, without the name of the program. */
  readonly example?: string
  /** Values that its command also sends if another field is given, by the name of that field. */
  readonly sendsWith?: Readonly<Partial<Record<Name, object>>>
  /** Columns that its command prints of a row or of the response. All fields by default. */
  readonly columns?: (row: never) => Columns
  /** The field with the rows, where the response is not a list. */
  readonly rows?: string
  /** Lists of the response that its command prints below, besides deliveries. */
  readonly below?: readonly string[]
  /** Flags of its command that print one value. */
  readonly flags?: Readonly<Record<string, ValueFlag>>
  /** Why its command ends with 1, although the call was accepted. */
  readonly failure?: (response: never) => string | false | undefined
  /** Set if its command needs no sandbox that runs. */
  readonly worksAlone?: true
  /** Offers it to agents as a tool. */
  readonly tool?: true
  /** Set if it throws state away. */
  readonly discards?: true
  readonly query?: () => Form
  readonly body?: () => Form
  readonly response?: () => z.ZodType
  /** Longest body in bytes, where it is not that of other calls. */
  readonly bodyMax?: number
  /** Most values of its JSON, where it is not that of other calls. */
  readonly valuesMax?: number
  /** Advice if the body is too large. */
  readonly bodyHint?: string
  /** Set if it adds rows: a full world then responds with 507. */
  readonly adds?: boolean
  /** Another media type for callers that accept it. */
  readonly alsoMedia?: string
  /** Errors besides those of authentication and input. */
  readonly errors?: ErrorDescriptions
}

/** Names the fields that a use of an operation sent. */
export const nameFields =
  (noun: string) =>
  ({ input }: Use): string =>
    [noun, Object.keys(input).join(', ')].filter(Boolean).join(': ')

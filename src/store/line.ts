/** One line of a data file: what it is about, and the value. */
export type Line = [kind: string, value: unknown]

/** Ends a group of lines that count only together. */
export const END: Line = ['end', null]

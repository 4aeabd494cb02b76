/**
 * Cuts a long text and appends a mark. It copies, because a slice would keep the whole text in
 * memory.
 */
export const shorten = (text: string, lengthMax: number, mark = '…'): string =>
  text.length <= lengthMax ? text : Buffer.from(text.slice(0, lengthMax)).toString() + mark

/** Says how long the text was. */
export const shortenAndCount = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : shorten(text, lengthMax, `… (${text.length} characters)`)

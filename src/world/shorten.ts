/** The beginning of a long text and a mark behind it, as a copy: a slice would keep the whole in memory. */
export const shorten = (text: string, lengthMax: number, mark = '…'): string =>
  text.length <= lengthMax ? text : Buffer.from(text.slice(0, lengthMax)).toString() + mark

/** Says how long the text was. */
export const shortenAndCount = (text: string, lengthMax: number): string =>
  shorten(text, lengthMax, `… (${text.length} characters)`)

/** A sentence as the rest of another one: lower case, without a full stop. */
export const toClause = (sentence: string): string =>
  sentence.replace(/\.$/, '').replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())

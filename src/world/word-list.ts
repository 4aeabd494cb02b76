/** `a`, `a or b`, `a, b or c`. */
export const wordList = (words: readonly string[], last: 'and' | 'or'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${last} `)

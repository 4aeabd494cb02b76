/** Reasons of a reviewer, each of which may be a sentence. */
export const joinReasons = (reasons: readonly string[]): string =>
  reasons.map((reason) => reason.trim().replace(/\.$/, '')).join('; ')

/** `Reason: the photo is blurry.` */
export const describeReasons = (reasons: readonly string[]): string =>
  `${reasons.length === 1 ? 'Reason' : 'Reasons'}: ${joinReasons(reasons)}.`

/** A word as a sentence shows it: quoted if nothing of it would be seen. */
export const toVisible = (word: string): string =>
  word.trim() === '' ? JSON.stringify(word) : word

/** `a`, `a or b`, `a, b or c`. */
export const wordList = (words: readonly string[], last: 'and' | 'or'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${last} `)

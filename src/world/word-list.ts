/** `Reason: the photo is blurry.`, where each reason of a reviewer may be a sentence. */
export function describeReasons(reasons: readonly string[]): string {
  const texts = reasons.map((reason) => reason.trim().replace(/\.$/, ''))
  return `${reasons.length === 1 ? 'Reason' : 'Reasons'}: ${texts.join('; ')}.`
}

/** A word as a sentence shows it: quoted if nothing of it would be seen. */
export const toVisible = (word: string): string =>
  word.trim() === '' ? JSON.stringify(word) : word

/** `a`, `a or b`, `a, b or c`. */
export const wordList = (words: readonly string[], last: 'and' | 'or'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${last} `)

/** The first of many words, with how many more there are. */
export function listFirst(words: readonly string[], max: number): string {
  const more = words.length - max
  return more > 0 ? `${words.slice(0, max).join(', ')} and ${more} more` : wordList(words, 'and')
}

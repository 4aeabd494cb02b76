/** Characters of all long answers together that are kept. */
export const ANSWERS_LENGTH_MAX = 16 * 1024 * 1024
/** What is left of an answer that had to make room. */
const SHORT_LENGTH = 1_024

/** Keeps long answers until there are too many, then cuts the oldest short. */
export function createAnswerBudget(lengthMax = ANSWERS_LENGTH_MAX) {
  const long: { body: string }[] = []
  let length = 0

  return function keepAnswer(answer: { body: string }): void {
    if (answer.body.length <= SHORT_LENGTH) return
    long.push(answer)
    length += answer.body.length
    while (length > lengthMax) {
      const oldest = long.shift()
      if (oldest === undefined) break
      length -= oldest.body.length
      // Through bytes, because a slice of a string keeps the whole of it.
      oldest.body = Buffer.from(oldest.body.slice(0, SHORT_LENGTH)).toString()
    }
  }
}

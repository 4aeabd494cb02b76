/** Makes a test for texts that contain every word of a search; undefined without words. */
export function createMatcher(
  query: string | null,
): ((texts: readonly unknown[]) => boolean) | undefined {
  const words = normalise(query ?? '')
    .split(/\s+/)
    .filter(Boolean)
  if (words.length === 0) return undefined
  return (texts) => {
    const text = normalise(texts.join('\n'))
    return words.every((word) => text.includes(word))
  }
}

/** Lower case, and `2,000` as `2000`. */
export const normalise = (text: string) => text.toLowerCase().replace(/(\d),(?=\d{3})/g, '$1')

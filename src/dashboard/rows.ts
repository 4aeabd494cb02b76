/** Makes a test for texts that contain every word of a search; undefined without words. */
export function createMatcher(
  query: string | null,
): ((texts: readonly unknown[]) => boolean) | undefined {
  const words = normalise(query ?? '')
    // An id that is shown shortened has both of its ends.
    .split(/[\s…]+/)
    .filter(Boolean)
  if (words.length === 0) return undefined
  return (texts) => {
    const text = normalise(texts.join('\n'))
    return words.every((word) => text.includes(word))
  }
}

/** Lower case without accents, and `2,000.50` as `2000.5`. */
export const normalise = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/(\d\.\d*?)0+(?!\d)/g, '$1')
    .replace(/(\d)\.(?!\d)/g, '$1')

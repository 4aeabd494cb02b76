/** Longer words are not compared, because that takes quadratic time. */
const LENGTH_MAX = 100
/** With more names than this, none are listed. */
const LISTED_MAX = 40

/** Ends a sentence about an unknown word: `; did you mean status?`, or the known names. */
export function suggest(word: string, names: readonly string[]): string {
  const nearest = findNearest(word, names)
  if (nearest !== undefined) return `; did you mean ${nearest}?`
  if (names.length === 0 || names.length > LISTED_MAX) return '.'
  return `; use ${names.length === 1 ? '' : 'one of '}${names.join(', ')}.`
}

/** The name most similar to a word; undefined if none is similar. */
export function findNearest(word: string, names: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const tolerated = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3))
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(typed, name.toLowerCase(), tolerated) }))
    .filter(({ distance }) => distance <= tolerated)
    .sort((a, b) => a.distance - b.distance)
  return best?.name
}

/** Edit distance with swaps of neighbours; a name that contains the other is near. */
function distanceOf(a: string, b: string, tolerated: number): number {
  if (a.length > LENGTH_MAX || b.length > LENGTH_MAX) return Number.POSITIVE_INFINITY
  if (a.length > 2 && (b.startsWith(a) || b.endsWith(a))) return 1
  if (Math.abs(a.length - b.length) > tolerated) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const changed = at(above, column - 1) + (same ? 0 : 1)
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      line[column] = Math.min(
        changed,
        at(above, column) + 1,
        at(line, column - 1) + 1,
        swapped ? at(before, column - 2) + 1 : changed,
      )
    }
    before = above
    above = line
  }
  return at(above, b.length)
}

const at = (line: readonly number[], column: number) => line[column] ?? Number.POSITIVE_INFINITY

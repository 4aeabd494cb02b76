/** Longer words are not compared, because that takes quadratic time. */
const LENGTH_MAX = 100
/** With more names than this, none are listed. */
const LISTED_MAX = 40

/** Ends a sentence about an unknown word: `; did you mean status?`, or else the known names. */
export const suggest = (
  word: string,
  names: readonly string[],
  otherwise = listNames(names),
): string => didYouMean(findNearest(word, names), otherwise)

/** Ends a sentence with the name that was probably meant, if there is one. */
export const didYouMean = (name: string | undefined, otherwise = '.'): string =>
  name === undefined ? otherwise : `; did you mean ${name}?`

function listNames(names: readonly string[]): string {
  if (names.length === 0 || names.length > LISTED_MAX) return '.'
  return `; use ${names.length === 1 ? '' : 'one of '}${names.join(', ')}.`
}

/** The name most similar to a word; undefined if none is similar. */
export function findNearest(word: string, names: readonly string[]): string | undefined {
  const typed = toPlain(word)
  const tolerated = Math.min(typed.length - 1, Math.max(1, Math.floor(typed.length / 3)))
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(typed, toPlain(name), tolerated) }))
    .filter(({ distance }) => distance <= tolerated)
    .sort((a, b) => a.distance - b.distance)
  return best?.name
}

/** The dashes of an option say nothing about which one was meant. */
const toPlain = (name: string) => name.toLowerCase().replace(/^-+/, '')

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

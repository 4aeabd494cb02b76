/** Digits of an id that lists show. */
const START_LENGTH_MIN = 8

/** Returns true if an id begins with a text, ignoring the ellipsis that lists append. */
export function isStartOf(text: string, id: string): boolean {
  const start = withoutEllipsis(text)
  return start.length >= START_LENGTH_MIN && id.startsWith(start)
}

export const withoutEllipsis = (text: string): string => text.replace(/…$/, '').toLowerCase()

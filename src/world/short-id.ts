/** Digits of an id that lists show. */
const START_LENGTH_MIN = 8

/** Whether a text is the beginning of an id, perhaps with the ellipsis that lists show behind it. */
export function isStartOf(text: string, id: string): boolean {
  const start = withoutEllipsis(text)
  return start.length >= START_LENGTH_MIN && id.startsWith(start)
}

export const withoutEllipsis = (text: string): string => text.replace(/…$/, '').toLowerCase()

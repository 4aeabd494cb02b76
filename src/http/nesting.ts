/** Deeper JSON can be read, yet not printed: printing is recursive, and the stack ends. */
export const NESTING_MAX = 100

/** Whether arrays and objects stand in one another more than `levels` deep. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false
  if (levels === 0) return true
  for (const name in value) {
    if (isNestedDeeper((value as Record<string, unknown>)[name], levels - 1)) return true
  }
  return false
}

/** The value of a JSON text that can be printed again; undefined for any other text. */
export function parsePrintable(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isNestedDeeper(value, NESTING_MAX) ? undefined : value
  } catch {
    return undefined
  }
}

/**
 * Removes fields that differ from run to run: a plain name anywhere in the state, or a dotted path
 * from the root, in which `*` matches any name or list index.
 */
export function withoutIgnored(state: unknown, ignore: readonly string[] = []): unknown {
  const names = ignore.filter((path) => !path.includes('.'))
  const paths = ignore.filter((path) => path.includes('.')).map((path) => path.split('.'))
  return strip(state, [])

  function strip(value: unknown, at: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((entry, i) => strip(entry, [...at, String(i)]))
    if (value === null || typeof value !== 'object') return value
    const kept = Object.entries(value).filter(([name]) => !isIgnored(name, [...at, name]))
    return Object.fromEntries(kept.map(([name, part]) => [name, strip(part, [...at, name])]))
  }

  function isIgnored(name: string, at: readonly string[]): boolean {
    const fits = (path: string[]) =>
      path.length === at.length && path.every((part, i) => part === '*' || part === at[i])
    return names.includes(name) || paths.some(fits)
  }
}

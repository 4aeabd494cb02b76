import type { Json } from '../../client/http.ts'
import { findKind, isMade, type Kind, mapFields } from '../fields.ts'
import { decodePart, findOperation, parseTarget } from '../operations.ts'

export type Matches = ReturnType<typeof createMatches>

/** Which value of this run stands for which value of the recording. */
export function createMatches() {
  const actuals = new Map<string, string | number>()
  const find = (recorded: string | number) => actuals.get(String(recorded))
  return {
    bind(recorded: string | number, actual: string | number) {
      actuals.set(String(recorded), actual)
    },
    find,
    /** A target of the recording, with the values of this run. */
    target(method: string, target: string): string {
      const { pathname, searchParams } = parseTarget(target)
      const operation = findOperation(method, pathname)?.id
      const parts = pathname.split('/').map((part) => {
        const bound = find(decodePart(part))
        return bound === undefined ? part : encodeURIComponent(bound)
      })
      const query = [...searchParams].map(([name, value]): [string, string] => [
        name,
        String(replace(findKind(operation, name), value)),
      ])
      const path = parts.join('/')
      return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`
    },
    body: (operation: string | null, body: Json): Json =>
      mapFields(operation, body, (value, kind) => replace(kind, value)),
  }

  function replace(kind: Kind | undefined, value: Json): Json {
    if (!isMade(kind) || (typeof value !== 'string' && typeof value !== 'number')) return value
    const bound = find(value)
    // Digits as text stay text.
    return bound !== undefined && typeof value === 'string' ? String(bound) : (bound ?? value)
  }
}

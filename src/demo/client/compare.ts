import type { Row, WireGroup } from './store.ts'

/** Ids of the first rows that differ; undefined where a column ends before that. */
export interface Difference {
  left?: number | undefined
  right?: number | undefined
}

/** Finds the first call or webhook that is not the same for both servers. */
export function findDifference(
  left: readonly WireGroup[],
  right: readonly WireGroup[],
): Difference | undefined {
  const [first, second] = [rowsOf(left), rowsOf(right)]
  const [ours, theirs] = [startAt(first, second[0]), startAt(second, first[0])]
  const count = Math.max(ours.length, theirs.length)
  for (let at = 0; at < count; at++) {
    const [one, other] = [ours[at], theirs[at]]
    if (one && other && toText(one) === toText(other)) continue
    return { left: one?.id, right: other?.id }
  }
  return undefined
}

/** One column may have older rows than the other; those from before the fork have the same ids. */
function startAt(rows: readonly Row[], first: Row | undefined): readonly Row[] {
  return rows.slice(
    Math.max(
      0,
      rows.findIndex(({ id }) => id === first?.id),
    ),
  )
}

const rowsOf = (groups: readonly WireGroup[]): Row[] =>
  groups.flatMap(({ rows }) => rows).filter(({ kind }) => kind === 'call' || kind === 'webhook')

/** A row without the paths, tokens and times that always differ between two worlds. */
function toText({ kind, title, result, parts = [] }: Row): string {
  const bodies = parts.filter(([name]) => name !== 'Headers').map(([, text]) => text)
  return [kind, title, result, ...bodies]
    .join('\n')
    .replace(/\/w\/[\w.-]+(?=\/)/g, '')
    .replace(/"accessToken": "[^"]*"/g, '')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '')
}

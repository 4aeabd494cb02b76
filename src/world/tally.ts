/** How many rows have each status, so that nobody has to count a million of them. */
export type Tally = Map<string, number>

export function enterTally(tally: Tally, status: string): void {
  tally.set(status, countOf(tally, status) + 1)
}

export function moveTally(tally: Tally, { from, to }: { from: string; to: string }): void {
  const left = countOf(tally, from) - 1
  if (left > 0) tally.set(from, left)
  else tally.delete(from)
  enterTally(tally, to)
}

export const countOf = (tally: Tally, status: string): number => tally.get(status) ?? 0

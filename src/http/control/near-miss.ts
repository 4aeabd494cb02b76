/** One thing that a reader asks of a row. */
export interface Condition<Row> {
  /** The query parameter it comes from. */
  name: string
  isMet(row: Row): boolean
}

/** A condition for a parameter that was sent, and none for one that was not. */
export function when<Row, Wanted>(
  name: string,
  wanted: Wanted | undefined,
  isMet: (row: Row, wanted: Wanted) => boolean,
): Condition<Row>[] {
  return wanted === undefined ? [] : [{ name, isMet: (row) => isMet(row, wanted) }]
}

export const matchesAll =
  <Row>(conditions: readonly Condition<Row>[]) =>
  (row: Row): boolean =>
    conditions.every(({ isMet }) => isMet(row))

/** Rows that a near miss tells of. */
const TOLD_MAX = 5

export interface NearMiss<Row> {
  /** What a row is, for people: `event`. */
  noun: string
  /** What came after the cursor. */
  rows: readonly Row[]
  conditions: readonly Condition<Row>[]
  tell(row: Row): string
}

/** What came nearest to what was asked for, as a sentence. */
export function tellNearest<Row>({ noun, rows, conditions, tell }: NearMiss<Row>): string {
  if (rows.length === 0) return `No ${noun} came after the cursor.`
  const metBy = (row: Row) => conditions.filter(({ isMet }) => isMet(row)).length
  const best = Math.max(...rows.map(metBy))
  if (best === 0) return `${count(rows.length, noun)} came after the cursor, none of them alike.`
  const nearest = rows.filter((row) => metBy(row) === best).slice(-TOLD_MAX)
  const told = nearest.map((row) => `${tell(row)} (another ${missedBy(row)})`)
  return `${count(rows.length, noun)} came after the cursor; nearest: ${told.join(', ')}.`

  function missedBy(row: Row): string {
    const missed = conditions.filter(({ isMet }) => !isMet(row))
    return missed.map(({ name }) => name).join(' and ')
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

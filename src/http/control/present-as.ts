import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'

/**
 * Presents a row with the fields of its schema. Each comes from the row unless it is overridden,
 * and instants become ISO 8601.
 */
export function presentAs<Schema extends z.ZodObject, Row extends object>(
  record: () => Schema,
  row: Row,
  ...[own = {}]: OwnFields<z.output<Schema>, Row>
): z.output<Schema> {
  const fields = fieldsOf.get(record) ?? Object.entries(record().shape).map(toField)
  fieldsOf.set(record, fields)
  return showFields(fields, (name) => (name in own ? own : row)[name as keyof object]) as never
}

type Show = (value: never) => unknown

type Field = readonly [name: string, show: Show]

/** Schemas are slow to make, so their fields are kept. */
const fieldsOf = new Map<() => z.ZodType, Field[]>()

/** A loop, because lists have thousands of fields and `Object.fromEntries` takes a third longer. */
function showFields(fields: readonly Field[], find: (name: string) => never): object {
  const shown: Record<string, unknown> = {}
  for (const [name, show] of fields) shown[name] = show(find(name))
  return shown
}

const toField = ([name, schema]: [string, z.core.$ZodType]) => [name, toShow(schema)] as const

function toShow(schema: z.core.$ZodType): Show {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const show = toShow(schema.unwrap())
    return (value) => (value === null || value === undefined ? value : show(value))
  }
  if (schema instanceof z.ZodISODateTime) {
    return (at: number | string) => (typeof at === 'number' ? formatInstant(at) : at)
  }
  if (schema instanceof z.ZodArray) {
    const show = toShow(schema.element)
    return (items: never[]) => items.map(show)
  }
  if (!(schema instanceof z.ZodObject)) return (value) => value
  const fields = Object.entries(schema.shape).map(toField)
  return (row) => showFields(fields, (name) => row[name])
}

/** Type of a value in a row: instants are numbers, and the inside of lists and objects is unchecked. */
type Held<Value> = Value extends string ? Value | number : Value extends object ? object : Value

/** Type of the same value beside the row, where lists and objects are checked. */
type Given<Value> = Value extends string ? Value | number : Value

/** The fields that the row lacks, and any that should differ from it. */
type OwnFields<Output, Row, Own = Pick<Output, LackingIn<Row, Output>>> = object extends Own
  ? [own?: Partial<GivenAs<Output>>]
  : [own: GivenAs<Own> & Partial<GivenAs<Output>>]

type GivenAs<Fields> = { [Name in keyof Fields]: Given<Fields[Name]> }

type LackingIn<Row, Output> = {
  [Name in keyof Output]-?: Row extends { [Same in Name]: Held<Output[Name]> } ? never : Name
}[keyof Output]

import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'

/**
 * Presents a row with the fields of its schema. Each comes from the row unless it is overridden,
 * and instants become ISO 8601.
 */
export function presentAs<Shape extends z.core.$ZodLooseShape, Row extends object>(
  record: () => z.ZodObject<Shape>,
  row: Row,
  ...[own = {}]: OwnFields<Held<Shape>, Row>
): z.output<z.ZodObject<Shape>> {
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

type HeldAs<Schema> = Schema extends z.ZodISODateTime
  ? number | string
  : Schema extends z.ZodNullable<infer Inner>
    ? HeldAs<Inner> | null
    : Schema extends z.ZodArray<infer Item>
      ? readonly HeldAs<Item>[]
      : Schema extends z.ZodObject<infer Shape>
        ? Held<Shape>
        : z.output<Schema>

type Held<Shape extends z.core.$ZodLooseShape> = {
  [Name in keyof z.output<z.ZodObject<Shape>>]: HeldAs<Shape[Name & keyof Shape]>
}

/** The fields that the row lacks, and any that should differ from it. */
type OwnFields<All, Row, Own = Pick<All, Otherwise<All, Row>>> = object extends Own
  ? [own?: Partial<All>]
  : [own: Own & Partial<All>]

type Otherwise<All, Row> = {
  [Name in keyof All]-?: Row extends Pick<All, Name> ? never : Name
}[keyof All]

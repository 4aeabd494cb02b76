import * as z from 'zod'
import { catches } from './catches.ts'
import { clock } from './clock.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { info } from './info.ts'
import { orders } from './orders.ts'
import { requests } from './requests.ts'
import type { ControlRow, Done, Form } from './row.ts'
import { scenarios } from './scenarios.ts'
import { record } from './schema.ts'
import { settings } from './settings.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'
import { worlds } from './worlds.ts'

const ROWS = {
  ...info,
  ...worlds,
  ...clock,
  ...users,
  ...orders,
  ...transactions,
  ...events,
  ...webhooks,
  ...catches,
  ...requests,
  ...settings,
  ...faults,
  ...scenarios,
}

type Rows = typeof ROWS

/** Name of a control operation in the library, such as `clock.advance`. */
export type ControlOperationName = keyof Rows

/** Row of a control operation, with the names of its arguments and its result. */
export type RowOf<Name extends ControlOperationName> = Rows[Name]

export type SchemaOf<Made> = Made extends z.ZodType
  ? Made
  : z.ZodObject<Extract<Made, z.core.$ZodLooseShape>, z.core.$strict>
type MadeBy<Row, Part extends string> =
  Row extends Readonly<Record<Part, () => infer Made>> ? SchemaOf<Made> : z.ZodUndefined

/** Schemas of each control operation, by its name in the library. */
export type ControlSchemas = {
  [Name in ControlOperationName]: {
    query: MadeBy<(typeof ROWS)[Name], 'query'>
    body: MadeBy<(typeof ROWS)[Name], 'body'>
    response: MadeBy<(typeof ROWS)[Name], 'response'>
  }
}

/** Types that each control operation takes and responds with, by its name in the library. */
export type Wire = {
  [Name in ControlOperationName]: {
    query: z.input<ControlSchemas[Name]['query']>
    body: z.input<ControlSchemas[Name]['body']>
    response: z.output<ControlSchemas[Name]['response']>
  }
}

/** Input of a control operation, besides the names in its path. */
export type InputOf<Name extends ControlOperationName> = Wire[Name]['body'] extends undefined
  ? Wire[Name]['query'] extends undefined
    ? object
    : Wire[Name]['query']
  : Wire[Name]['body']

type FieldOf<Name extends ControlOperationName> = keyof InputOf<Name> & string
/** Compiles only where a row names fields that its schemas have. */
ROWS satisfies {
  [Name in ControlOperationName]: ControlRow<FieldOf<Name> | 'user' | 'id' | 'name'> & {
    readonly args?: readonly FieldOf<Name>[]
    readonly result?: keyof Wire[Name]['response']
  } & (Rows[Name]['method'] extends 'GET' ? unknown : { readonly done: Done | null })
}

/** A row of the control API with its name, and schemas in place of their forms. */
export interface ControlOperation extends Omit<ControlRow, 'query' | 'body'> {
  as: ControlOperationName
  query: () => z.ZodType
  body?: () => z.ZodType
}

function toControlOperation(as: ControlOperationName, row: ControlRow): ControlOperation {
  const { query, body, ...rest } = row
  return { ...rest, as, ...toInput(row.method, { query, body }) }
}

interface Forms {
  query?: (() => Form) | undefined
  body?: (() => Form) | undefined
}

/** The schemas of what a caller sends. A GET and a DELETE take no body. */
export function toInput(method: string, { query, body }: Forms) {
  const takesBody = method !== 'GET' && method !== 'DELETE'
  return { query: toSchema(query), ...(takesBody && { body: toSchema(body) }) }
}

/** Turns the form of a row into a schema; plain fields become a strict object. */
function toSchema(make: () => Form = () => ({})): () => z.ZodType {
  return () => {
    const made = make()
    return made instanceof z.ZodType ? made : record(made)
  }
}

export const CONTROL_OPERATIONS: readonly ControlOperation[] = Object.entries<ControlRow>(ROWS).map(
  ([as, row]) => toControlOperation(as as ControlOperationName, row),
)

const BY_NAME = new Map(CONTROL_OPERATIONS.map((operation) => [operation.as, operation]))

export function getControlOperation(name: ControlOperationName): ControlOperation {
  const operation = BY_NAME.get(name)
  if (operation === undefined) throw new Error(`There is no control operation ${name}.`)
  return operation
}

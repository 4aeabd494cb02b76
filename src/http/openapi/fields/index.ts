import type { JsonSchema } from '../../dialect.ts'
import type { FieldNote, FieldNotes } from '../notes.ts'
import { chainFields } from './chain.ts'
import { faultFields } from './faults.ts'
import { kybFields } from './kyb.ts'
import { legacyFields } from './legacy.ts'
import { recordFields } from './records.ts'
import { sandboxFields } from './sandbox.ts'
import { tradingFields } from './trading.ts'
import { userFields } from './users.ts'
import { webhookFields } from './webhooks.ts'

const TABLES = [
  userFields,
  tradingFields,
  webhookFields,
  kybFields,
  legacyFields,
  sandboxFields,
  recordFields,
  faultFields,
  chainFields,
]

export const FIELD_NOTES: FieldNotes = Object.fromEntries(
  TABLES.flatMap((table) => Object.entries(table)).flatMap(([names, note]) =>
    names.split(', ').map((name) => [name, note]),
  ),
)

export function findNote(owner: string, name: string): FieldNote | undefined {
  return FIELD_NOTES[`${owner}.${name}`] ?? FIELD_NOTES[name]
}

/** A field with its description and an example. What its schema says about itself stays. */
export function describeField(owner: string, name: string, field: JsonSchema): JsonSchema {
  const own = FIELD_NOTES[`${owner}.${name}`]
  const [text, noted = exampleIn(field)] = own ?? FIELD_NOTES[name] ?? []
  const example = field.const ?? noted
  const parts = own ? [text, field.description] : [field.description ?? text]
  const description = parts.filter(Boolean).join(' ')
  return {
    ...field,
    ...(description !== '' && { description }),
    ...(field.examples === undefined && example !== undefined && { examples: [example] }),
  }
}

function exampleIn(field: JsonSchema): unknown {
  return Array.isArray(field.enum) ? field.enum[0] : field.default
}

import * as z from 'zod'
import { formatDuration, parseDuration } from '../world/duration.ts'
import { notForAgents, record } from './schema.ts'
import { Text } from './shapes.ts'

export const WAIT_MAX_MS = 60_000

export const LIMIT_MAX = 1_000

export const TOO_MANY_WAIT = { 429: 'Too many calls are waiting in this world.' }

/** Position of a reader. Callers treat it as opaque. */
const Cursor = () =>
  z
    .string()
    .regex(/^(\d{1,15}|end)$/, { error: 'must be a cursor from an earlier response, or end' })
    .transform((text) => (text === 'end' ? Number.POSITIVE_INFINITY : Number(text)))
    .optional()
    .describe('Only rows after this cursor from an earlier response; `end` means new rows only.')

const Count = () => {
  const error = `must be an integer from 1 to ${LIMIT_MAX}`
  return toNumber(z.string().regex(/^([1-9]\d{0,2}|1000)$/, { error }), 1, LIMIT_MAX).optional()
}

/** A number in a query string. Callers of the library pass a number. */
export const toNumber = (text: z.ZodString, minimum: number, maximum: number) =>
  text
    .transform(Number)
    .meta({ wire: { type: 'integer', minimum, maximum } }) as unknown as z.ZodType<number, number>

export const Amount = () =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, { error: 'must be an amount such as 205.50' })
    .transform(Number)
    .meta({ wire: { type: 'number', minimum: 0 } }) as unknown as z.ZodType<number, number>

const WAIT_TIME_NEEDED = `must be a length of time of at most ${formatDuration(WAIT_MAX_MS)}, such as 10s or a number of ms`

/** A length of time to wait, parsed to ms. A query string may hold plain ms. */
export const WaitTime = () =>
  z
    .union([z.string(), z.number()])
    .transform((value, context) => {
      const ms = parseDuration(/^\d{1,9}$/.test(String(value)) ? Number(value) : value)
      if (ms !== undefined && ms <= WAIT_MAX_MS) return ms
      context.addIssue({ code: 'custom', message: WAIT_TIME_NEEDED })
      return z.NEVER
    })
    .describe('Longest real time to wait, such as `10s` or a number of ms; at most `1m`.')

export const FilterText = () => Text(320)

export const Filter = () => FilterText().optional()

export const Ref = () =>
  Filter().describe(
    'Id of a transaction or user (the first 8 characters are enough), or an e-mail address.',
  )

export const Flag = () =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ wire: { type: 'boolean' } }) as unknown as z.ZodType<boolean, boolean>

const LAST_MAX = 9_999_999

/** Query of every list. */
export const Listed = () => ({
  q: notForAgents(
    Filter().describe(
      'Only rows that contain this text: part of an id, an address, a path or a status.',
    ),
  ),
  last: toNumber(
    z.string().regex(/^[1-9]\d{0,6}$/, { error: 'must be an integer above 0' }),
    1,
    LAST_MAX,
  )
    .optional()
    .describe('Return only the last N matching rows.'),
})

const Paged = () => ({ ...Listed(), after: Cursor() })

export const Page = () => ({
  ...Paged(),
  limit: notForAgents(Count().describe('Rows on a page; 100 by default.')),
})

/** Parameters of a wait: those of a list, the number of rows and the time limit. */
export const Wait = () => ({
  ...Paged(),
  count: Count().describe('How many rows to wait for and return; 1 by default when waiting.'),
  timeout: WaitTime().optional(),
})

export const Unknown = () => ({
  unknown: z
    .string()
    .optional()
    .describe('When nothing matched: values in the filter that do not exist.'),
})

const NextPage = () => ({
  cursor: z.string().describe('Cursor of the next page: send it as `after`. Opaque.'),
  more: z.boolean().describe('Whether there may be more after `cursor`.'),
})

const Total = () => ({
  total: z.int().optional().describe('With `last`: how many rows match, including older ones.'),
})

export const PageOf = <Row extends z.ZodType>(row: Row, about: string) =>
  record({
    items: z.array(row).describe(about),
    total: z.int(),
    ...NextPage(),
  })

export const ListOf = <Row extends z.ZodType>(row: Row, about = 'The rows.') =>
  record({
    items: z.array(row).describe(about),
    total: z.int().describe('How many rows match, including those that `last` leaves out.'),
  })

export const underName = <Name extends string, Value>(name: Name, value: Value) =>
  ({ [name]: value }) as Record<Name, Value>

export const RowsOf = <Name extends string, Row extends z.ZodType>(name: Name, row: Row) =>
  record({
    ...underName(name, z.array(row).describe(`The ${name}, oldest first.`)),
    ...NextPage(),
    ...Total(),
  })

export const PolledOf = <Name extends string, Row extends z.ZodType>(name: Name, row: Row) =>
  record({
    matched: z.boolean().describe('Whether enough rows matched before the timeout.'),
    ...underName(name, z.array(row).describe(`The ${name}, oldest first.`)),
    ...NextPage(),
    ...Total(),
    nearest: z.string().optional().describe('When nothing matched: the nearest rows.'),
    ...Unknown(),
  })

import * as z from 'zod'
import {
  durationHelp,
  INSTANT_HELP,
  type Duration as Length,
  parseDuration,
  parseInstant,
} from '../world/duration.ts'
import { ACTION_KINDS } from '../world/state.ts'
import type { KnownTransactionStatus } from '../world/words.ts'
import { EVENT_TYPES, TRANSACTION_STATUSES } from '../world/words.ts'
import { inField, record } from './schema.ts'

/** A length of time, parsed to ms. The library's type has the same name. */
export const Duration = () =>
  (z.union([z.string(), z.number()]) as z.ZodType<Length, Length>)
    .meta({ typeName: 'Duration' })
    .transform((value, context) => {
      const ms = parseDuration(value)
      if (ms !== undefined) return ms
      context.addIssue({ code: 'custom', message: `must be ${durationHelp(value)}` })
      return z.NEVER
    })

/** An instant, parsed to ms since 1970. */
export const Instant = () =>
  z.string().transform((value, context) => {
    const instant = parseInstant(value)
    if (instant !== undefined) return instant
    context.addIssue({ code: 'custom', message: `must be ${INSTANT_HELP}` })
    return z.NEVER
  })

export const EVENT_STREAM = 'text/event-stream'

/** A text that is not empty. */
export const Text = (max: number) => z.string().min(1).max(max)

const Time = (...sentences: string[]) =>
  z.iso.datetime().describe(sentences.filter(Boolean).join(' '))

export const WorldTime = (about = '') => Time(about, 'World time, ISO 8601.')

export const WallTime = (about = '') => Time(about, 'Wall time, ISO 8601.')

export const Mode = () =>
  z
    .enum(['frozen', 'running'])
    .describe('`frozen` moves only when a call moves it, `running` follows the wall clock.')

export const EventKind = () => z.enum(EVENT_TYPES)

export const Position = () =>
  z.string().describe('Position in the journal, to send as `after`; it never decreases.')

const CAUSE = 'What caused it; null if unknown, as after a restart.'

export const CauseRecord = () =>
  inField(
    record({
      kind: z
        .enum(['call', ...ACTION_KINDS])
        .describe('`call` for an API call, or the kind of the action.'),
      id: z.string().describe('Id of the API call or the action.'),
      name: z.string().nullable().describe('The operation, or what the scheduled task did.'),
    })
      .nullable()
      .meta({
        title: 'Cause',
        description:
          'What caused it: an API call or an action; null if unknown, as after a restart.',
      }),
    CAUSE,
  )

/** A status as the contract spells it. A test that forces another one needs a cast. */
export type TransactionStatus = KnownTransactionStatus

export const TransactionStatus = (text = z.string()) =>
  text.meta({ examples: [...TRANSACTION_STATUSES], 'x-closed': true }) as z.ZodType<
    TransactionStatus,
    TransactionStatus
  >

/** Any text; editors suggest the examples. */
export const Proposed = <const Text extends string>(text: z.ZodString, examples: readonly Text[]) =>
  text.meta({ examples: [...examples] }) as z.ZodType<Text | (string & {}), Text | (string & {})>

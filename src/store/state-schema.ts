import * as z from 'zod'
import { BrandFields } from '../fixture/schema.ts'
import { INSTANT_MAX, INSTANT_MIN } from '../world/duration.ts'
import { PROFILE_FIELD_NAMES, toProfileShape } from '../world/profile.ts'
import {
  type Kind,
  type Kinds,
  LEGACY_HOOKS,
  LIST_NAMES,
  LISTS,
  type ListName,
  USER_STATUSES,
} from '../world/state.ts'

/** The last instant that a date can hold: tasks may lie beyond the end of the clock. */
const DATE_MAX = 8.64e15

const Text = () => z.string()
const Int = () => z.int()
const Count = () => z.int().min(0)
const Time = () => z.int().min(INSTANT_MIN).max(DATE_MAX)
const Json = () => z.record(z.string(), z.unknown())
const History = (status: z.ZodType) => z.array(z.strictObject({ status, at: Time() })).min(1)

const KINDS: Record<keyof Kinds, () => z.ZodType> = {
  text: Text,
  texts: () => z.array(Text()),
  name: () => Text().min(1),
  uuid: z.uuid,
  flag: z.boolean,
  int: Int,
  count: Count,
  ordinal: () => z.int().min(1),
  micros: Int,
  number: z.number,
  time: Time,
  user: Text,
  integrator: Text,
  integrators: () => z.array(Text()).min(1),
  webhook: () => z.strictObject({ url: z.url(), createdAt: Time(), updatedAt: Time() }),
  legacyWebhooks: () => {
    const hook = z.strictObject({ enabled: z.boolean(), url: Text() })
    return z.strictObject(Object.fromEntries(LEGACY_HOOKS.map((name) => [name, hook])))
  },
  profile: () =>
    z.strictObject({
      ...toProfileShape(PROFILE_FIELD_NAMES, {
        text: () => Text().optional(),
        date: () => z.iso.date().optional(),
        flag: () => z.boolean().optional(),
      }),
      olderUserInfo: z.record(z.string(), z.string()).optional(),
    }),
  history: () => History(Text()),
  userHistory: () => History(Text()),
  userStatus: () => z.enum(USER_STATUSES),
  payload: Json,
  json: Json,
}

function toSchema(kind: Kind): z.ZodType {
  if (typeof kind !== 'string') return z.enum(kind as readonly string[])
  const isNullable = kind.endsWith('?')
  const schema = KINDS[kind.replace('?', '') as keyof Kinds]()
  return isNullable ? schema.nullable() : schema
}

/** Schema of a row of a list. */
export function rowSchema(list: ListName) {
  const fields = Object.entries<Kind>(LISTS[list])
  return z.strictObject(Object.fromEntries(fields.map(([name, kind]) => [name, toSchema(kind)])))
}

const Rate = () => z.strictObject({ cad: z.number().positive() })
const List = () => z.custom(Array.isArray, 'must be a list')

/** The state, but for the rows of its lists: those are looked at one by one. */
export const Frame = () =>
  z.strictObject({
    formatVersion: z.literal(1),
    seed: Text().min(1),
    secret: Text().min(1).optional(),
    fixture: Text(),
    now: Time().max(INSTANT_MAX),
    mode: z.enum(['frozen', 'running']),
    settings: z.record(z.string(), z.union([z.string(), z.number()])),
    brand: BrandFields().optional(),
    rates: z.strictObject({ USDC: Rate(), CADC: Rate() }),
    nextQuoteId: Count().min(1),
    eventCount: Count(),
    messageCount: Count(),
    taskCount: Count(),
    custody: z.strictObject({ seed: Text().min(1), networks: z.array(Text()) }).optional(),
    ...Object.fromEntries(LIST_NAMES.map((list) => [list, List()])),
  })

import { PROFILE } from '../fixture/profile.ts'
import { isAbout } from './hooks.ts'
import {
  CannotImitate,
  errorFields,
  isAccepted,
  isOk,
  NotMeasured,
  notMeasured,
  notShown,
  type Reading,
  Shown,
} from './reading.ts'
import type { ArrivedEvent, CreatedUser, Run } from './run.ts'
import { createdOf } from './step.ts'

export const USERS = 'POST /v2/users'
export const NEW_USER = { ...PROFILE, firstName: 'Calibration', lastName: 'Tester' }
export const UNKNOWN_FIELD = 'calibration'
/** Optional fields. A provider that does not know one ignores null in it as well. */
const NULL_FIELD = 'addressLine2'
const OTHER_NULL_FIELD = 'phone'
/** Values that are malformed, by the field whose format a provider may check. */
const FORMATS: Readonly<Record<string, string>> = {
  phone: '12',
  province: 'Bavaria',
  postalCode: '12345',
}
/** Everything about a new user that a provider may accept or refuse. */
const UNUSUAL: Readonly<Record<string, unknown>> = {
  ...FORMATS,
  [UNKNOWN_FIELD]: 'x',
  [NULL_FIELD]: null,
}
/** No provider requires a higher age. */
const AGE_MAX = 30

/** Complete body for a new user. */
export const newUser = (run: Run, tag: string) => ({ ...NEW_USER, email: run.newEmail(tag) })

/** Creates a user, and another one if the call fails by chance: the first may exist. */
async function createUser(run: Run, tag: string, more: object): Promise<Reading> {
  try {
    return await run.send(USERS, { body: { ...newUser(run, tag), ...more } })
  } catch (error) {
    if (!(error instanceof NotMeasured) || !error.isFailure) throw error
    return await run.send(USERS, { body: { ...newUser(run, `${tag}-again`), ...more } })
  }
}

/** Adds the fields that errors name until the creation is accepted; returns their names. */
export async function findRequired(run: Run): Promise<string[]> {
  const whole: Record<string, unknown> = { ...newUser(run, 'minimal'), addressLine2: '2' }
  for (let body: Record<string, unknown> = {}; ; ) {
    const isEmpty = Object.keys(body).length === 0
    // Safe to repeat: if the first try created the user, the second one gets an error.
    const created = await run.send(USERS, { body, isRepeatable: true })
    if (isOk(created)) return Object.keys(body)
    // The number of errors before the success depends on how many fields each error names.
    created.isCompared = isEmpty
    const named = errorFields(created).map((field) => field.replace(/^.*\./, ''))
    const missing = named.filter((name) => name in whole && !(name in body))
    if (missing.length === 0) return notMeasured('the errors do not name what is missing')
    body = { ...body, ...Object.fromEntries(missing.map((name) => [name, whole[name]])) }
  }
}

/**
 * Creates the user of the run, as unusual and as young as the provider accepts. Values that an
 * error names are left out and tried again, so that one user shows everything that is accepted.
 */
export async function createUnusual(run: Run): Promise<Reading> {
  const age = run.options.settings['users.minimumAge']
  let mistakes: Record<string, unknown> = { ...UNUSUAL, dob: bornBefore(run.options.now(), age) }
  const refused = new Map<string, Reading>()
  for (;;) {
    const reading = await createUser(run, 'full', mistakes)
    if (isOk(reading)) {
      run.known.created = toCreated(reading, { mistakes, refused })
      return reading
    }
    if (Object.keys(mistakes).length === 0) return reading
    reading.isCompared = false
    const named = errorFields(reading).filter((field) => field in mistakes)
    for (const field of named) refused.set(field, reading)
    // If the error names no field, any of them may be wrong.
    mistakes = named.length === 0 ? {} : without(mistakes, named)
  }
}

const without = (fields: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

interface Creation {
  mistakes: Record<string, unknown>
  refused: Map<string, Reading>
}

function toCreated(reading: Reading, { mistakes, refused }: Creation): CreatedUser {
  const id: unknown = reading.data?.id
  const { email }: { email?: string } = reading.sent.body ?? {}
  return {
    id: typeof id === 'string' ? id : notMeasured('the new user has no id'),
    email: email ?? '',
    reading,
    accepted: new Set(Object.keys(mistakes)),
    refused,
    isAgeAccepted: 'dob' in mistakes,
  }
}

/** Returns the response to a creation with one mistake; reuses the first user if it has it. */
export async function createWith(run: Run, field: string): Promise<Reading> {
  const { accepted, reading } = createdOf(run)
  if (accepted.has(field)) return reading
  return await createUser(run, field, { [field]: UNUSUAL[field] })
}

/** Sends null in one optional field, and in a second one if that is optional as well. */
export async function sendNulls(run: Run): Promise<Reading[]> {
  const first = await createWith(run, NULL_FIELD)
  const required = run.results.get('required')
  const isOptional = Array.isArray(required) && !required.includes(OTHER_NULL_FIELD)
  if (!isOptional) return [first]
  return [first, await createUser(run, 'null', { [OTHER_NULL_FIELD]: null })]
}

/** Reads from the responses what null means: nothing, or a mistake. */
export function nullIn(readings: readonly Reading[]): Shown {
  const [first, second = first] = readings
  if (first === undefined || second === undefined) return notShown()
  const nullOf = (reading: Reading) => (isAccepted(reading) ? 'absent' : 'refused')
  if (nullOf(first) === nullOf(second)) return new Shown(nullOf(first), second)
  throw new CannotImitate('it depends on the field', { by: [first, second] })
}

/** The formats that are checked, as a list in words. */
export async function findFormats(run: Run): Promise<Shown> {
  const checked: string[] = []
  let by = createdOf(run).reading
  for (const field of Object.keys(FORMATS)) {
    const reading = createdOf(run).refused.get(field) ?? (await createWith(run, field))
    if (isAccepted(reading)) continue
    checked.push(field)
    by = reading
  }
  return new Shown(checked.join(',') || 'none', by)
}

/**
 * Finds the minimum age: the known one, if nobody younger is accepted. Otherwise tries ages in
 * rising order, because a rejected age creates no user, and the first accepted age is the minimum.
 */
export async function findMinimumAge(run: Run): Promise<Shown> {
  const { isAgeAccepted, reading } = createdOf(run)
  const known = run.options.settings['users.minimumAge']
  const below = known > 0 && isAgeAccepted ? await createOfAge(run, known - 1) : undefined
  if (isAgeAccepted && (below === undefined || !isAccepted(below))) return new Shown(known, reading)
  const [first, last] = isAgeAccepted ? [0, known - 2] : [known, AGE_MAX]
  for (let age = first; age <= last; age++) {
    const created = await createOfAge(run, age)
    if (isAccepted(created)) return new Shown(age, created)
  }
  if (below !== undefined) return new Shown(known - 1, below)
  return notMeasured(`not even a ${AGE_MAX}-year-old is accepted`)
}

async function createOfAge(run: Run, age: number): Promise<Reading> {
  const dob = bornBefore(run.options.now(), age)
  const created = await createUser(run, `age-${age}`, { dob })
  created.isCompared = false
  return created
}

/** A date of birth half a year past a birthday, so that no time zone makes a difference. */
function bornBefore(now: number, age: number): string {
  const born = new Date(now)
  born.setUTCFullYear(born.getUTCFullYear() - age)
  born.setUTCDate(born.getUTCDate() - 180)
  return born.toISOString().slice(0, 10)
}

/** Waits for the event about the new user, who was created after the webhook URL was set. */
export async function awaitCreation(run: Run): Promise<ArrivedEvent | undefined> {
  run.receiverUrl()
  if (run.known.testEvent === undefined) run.missing('testEvent', 'no response shows it')
  const { id, email } = createdOf(run)
  return await run.nextEvent(isAbout(id, email))
}

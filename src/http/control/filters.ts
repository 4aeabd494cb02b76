import { DomainError } from '../../world/domain-error.ts'
import { shownStatus } from '../../world/events.ts'
import { didYouMean, findNearest } from '../../world/nearest.ts'
import { describeUnknownIntegrator } from '../../world/orders.ts'
import { isStartOf } from '../../world/short-id.ts'
import { toVisible, wordList } from '../../world/word-list.ts'
import { TRANSACTION_STATUSES, USER_STATUSES } from '../../world/words.ts'
import type { World } from '../../world/world.ts'

/** The filter for rows in which a field has the value that was asked for. */
export const equals =
  <Name extends string>(name: Name) =>
  (row: { readonly [Each in Name]: unknown }, asked: unknown): boolean =>
    row[name] === asked

/**
 * The filter `q`: the texts of a row contain each word of what was asked for, in any case. An id that
 * is shown shortened has both of its ends, and `2,000.50` is `2000.5`.
 */
export const contains =
  <Row>(textsOf: (row: Row) => readonly unknown[]) =>
  (row: Row, asked: string): boolean => {
    const text = fold(textsOf(row).map(toText).join('\n'))
    return wordsOf(asked).every((word) =>
      NUMBER.test(word) ? withPlainNumbers(text).includes(word) : text.includes(word),
    )
  }

const NUMBER = /^\d[\d.]*$/

let [lastAsked, lastWords] = ['', [] as string[]]

/** A list asks for the same words in each of its rows. */
function wordsOf(asked: string): readonly string[] {
  if (asked !== lastAsked) {
    lastAsked = asked
    lastWords = withPlainNumbers(fold(asked)).split(/[\s…]+/)
  }
  return lastWords
}

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const ACCENTED = /[\u0080-\uffff]/

/** Lower case without accents. */
const fold = (text: string): string =>
  (ACCENTED.test(text) ? text.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : text).toLowerCase()

const withPlainNumbers = (text: string): string =>
  text
    .replace(/(\d),(?=\d{3})/g, '$1')
    // The zeros begin behind another character, so that they are not tried from each of them.
    .replace(/(?<=\d)\.\d+/g, (decimals) => decimals.replace(/(?<!0)0+$/, ''))
    .replace(/(\d)\.(?!\d)/g, '$1')

/**
 * The condition `ref` of a list: the id of a transaction or user, the beginning of one, or the e-mail
 * address of a user, which stands for the user and all of the user's transactions.
 */
export const createRefTest =
  (world: World) =>
  ({ ref }: { ref: string | null }, asked: string): boolean => {
    if (ref === null) return false
    return asked.includes('@')
      ? findEmail(world, ref) === asked.toLowerCase()
      : ref === asked || isStartOf(asked, ref)
  }

function findEmail({ usersById, transactionsById }: World, ref: string): string | undefined {
  const userId = transactionsById.get(ref)?.userId ?? ref
  return usersById.get(userId)?.email.toLowerCase()
}

const STATUSES: readonly string[] = [...TRANSACTION_STATUSES, ...USER_STATUSES]

const shownStatuses = (world: World) => STATUSES.map((one) => shownStatus(world, one))

/** Returns true for a status that exists, or that was forced. */
const isStatus = (world: World, status: string): boolean =>
  [...STATUSES, ...shownStatuses(world)].includes(status) ||
  world.transactions.some(({ history }) => history.some((change) => change.status === status))

/** Rejects a status that looks like a typo. Any other status may be forced. */
export function assertStatus(world: World, status: string | undefined): void {
  if (status === undefined || isStatus(world, status)) return
  const nearest = findStatus(status, shownStatuses(world))
  if (nearest === undefined) return
  const message = `No transaction or user has the status ${status}${didYouMean(nearest)}`
  throw new DomainError('invalid', message, { field: 'status', nearest })
}

/** The status that is meant, also by its first word alone, such as `pending`. */
function findStatus(word: string, statuses: readonly string[]): string | undefined {
  const whole = findNearest(word, statuses)
  if (whole !== undefined) return whole
  const first = findNearest(
    word,
    statuses.map((status) => status.split(' ', 1).join()),
  )
  return statuses.find((status) => first !== undefined && status.startsWith(first))
}

interface Asked {
  ref?: string | undefined
  status?: string | undefined
  email?: string | undefined
  integrator?: string | undefined
}

/** Says which of the ids, statuses and integrators in a filter do not exist. */
export function describeUnknown(world: World, { ref, status, email, integrator }: Asked): string {
  const unknown = []
  if (status !== undefined && !isStatus(world, status)) {
    const known = wordList(shownStatuses(world), 'and')
    unknown.push(` Nothing has had the status ${toVisible(status)}; the known ones are ${known}.`)
  }
  if (email !== undefined && !world.usersByEmail.has(email.toLowerCase())) {
    unknown.push(` There is no user ${toVisible(email)}.`)
  }
  if (ref !== undefined && !isKnown(world, ref)) {
    unknown.push(
      ` There is no ${ref.includes('@') ? 'user' : 'transaction or user'} ${toVisible(ref)}.`,
    )
  }
  if (integrator !== undefined && !world.integratorsByName.has(integrator)) {
    unknown.push(` ${describeUnknownIntegrator(integrator, [...world.integratorsByName.keys()])}`)
  }
  return unknown.join('')
}

/** Adds to a page without rows what its filter names that does not exist. */
export function addUnknown<Page extends object>(page: Page, world: World, asked: Asked) {
  // A restore takes transactions back, and leaves their webhooks.
  const hasRows = Object.values(page).some((value) => Array.isArray(value) && value.length > 0)
  const unknown = hasRows ? '' : describeUnknown(world, asked).trim()
  return unknown ? { ...page, unknown } : page
}

function isKnown(world: World, ref: string): boolean {
  const { users, transactions, usersById, usersByEmail, transactionsById } = world
  if (ref.includes('@')) return usersByEmail.has(ref.toLowerCase())
  if (usersById.has(ref) || transactionsById.has(ref)) return true
  const isMeant = ({ id }: { id: string }) => isStartOf(ref, id)
  return users.some(isMeant) || transactions.some(isMeant)
}

import { isLowerCased } from '../world/coins.ts'
import type { DomainError } from '../world/domain-error.ts'
import { fromMicros, type Micros } from '../world/money.ts'
import { type SettingId, type Settings, settingOf } from '../world/settings/index.ts'
import type { Transaction } from '../world/state.ts'
import { describeSunset } from '../world/sunset.ts'
import type { World } from '../world/world.ts'
import type { AvailabilityCheck } from './dialect.ts'
import type { Call } from './operation.ts'

/** Notes of accepted calls: what was allowed beyond the words of the contract. */

const ASSUMPTION = ' Decided by the setting '
/** Says what a setting decided where the contract says nothing, which is no mistake of the caller. */
export function toAssumption(settings: Settings, id: SettingId): string {
  const { question, format } = settingOf(id)
  return `${question}${ASSUMPTION}${id}: ${format(settings[id])}.`
}

const HTTP = 'The sandbox accepts http for local tests; the provider requires HTTPS (webhooks.url).'
const LOWER_CASED =
  'wallet has no capital letters. Solana addresses are case-sensitive; was it lower-cased?'

/** Returns true for a note that concerns the caller. */
export const isForCaller = (note: string): boolean => !note.includes(ASSUMPTION)

/** Returns true for a note that may explain why a test fails: not http, nor v1, of which stderr has a line. */
export const isSuspicious = (note: string): boolean =>
  isForCaller(note) && note !== HTTP && !/^v1 /.test(note)

/** Says that an error would have refused the call if its setting did not accept it. */
export const noteAccepted = ({ code, problems }: DomainError): string =>
  `${problems.map(({ message }) => message).join(' ')} The call succeeds anyway, because status.${code} is 200.`

/** Notes webhook URLs that are http where the contract says HTTPS. */
export function noteHttp({ record }: Call, urls: readonly string[]): void {
  if (urls.some((url) => /^http:/i.test(url))) record.note(HTTP)
}

/** Notes a call of v1 after its announced end. */
export function noteSunset({ record, world }: AvailabilityCheck): void {
  record.note(describeSunset(world).sentence)
}

/** Notes an assumption if an amount was rounded to cents. */
export function assumeCents({ assume }: Call, asked: number, leftSide: Micros): void {
  if (fromMicros(leftSide) !== asked) assume('status.too-many-decimals')
}

/** Notes what may be a mistake in an order: rounding, its quote, its wallet. */
export function noteOrder(call: Call, asked: number, order: Transaction): void {
  const { record, world } = call
  if (isLowerCased(order.wallet)) record.note(LOWER_CASED)
  assumeCents(call, asked, order.leftSide)
  for (const note of findQuoteNotes(world, order)) record.note(note)
}

function findQuoteNotes(world: World, { quoteId, leftSide, leftSideLabel: label }: Transaction) {
  const { uses = 0, leftSide: quoted = leftSide } = world.quotes.get(quoteId) ?? {}
  const notes: string[] = []
  if (uses > 1) {
    notes.push(
      `Quote ${quoteId} has already been used. The contract does not promise that this works; request a quote for each order (status.quote-spent).`,
    )
  }
  if (quoted !== leftSide) {
    const amounts = `${fromMicros(quoted)} ${label}, but the order is for ${fromMicros(leftSide)} ${label}`
    notes.push(
      `Quote ${quoteId} is for ${amounts}, priced at the rate of the quote. The contract does not promise that this works; request a quote for the exact amount (status.quote-amount).`,
    )
  }
  return notes
}

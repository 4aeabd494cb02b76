import * as z from 'zod'
import { LENGTHS } from './settings/constants.ts'
import { TRANSACTION_STATUSES } from './words.ts'

/** Fields that several rows, bodies and records have, each described once. */

export const email = <Address extends z.ZodType>(address: Address): Address =>
  address.describe("The user's e-mail address; case is ignored.")

export const Email = () => email(textUpTo(LENGTHS.email))

export const LeftSideLabel = () =>
  z.string().describe('Currency sent: `CAD` for a buy, a stablecoin such as `USDC-ETH` for a sell.')

export const leftSideValue = <Amount extends z.ZodType>(amount: Amount): Amount =>
  amount.describe(
    'Amount sent, in the currency of `leftSideLabel`: CAD with two decimals, coins with up to six.',
  )

export const RightSideLabel = () =>
  z.string().describe('Currency received: a stablecoin for a buy, `CAD` for a sell.')

export const RightSideValue = () =>
  z.number().describe('Amount received, in the currency of `rightSideLabel`.')

export const wallet = <Address extends z.ZodType>(address: Address): Address =>
  address.describe("The user's own address on the chain of the coin.")

export const depositAddress = <Address extends z.ZodType>(address: Address): Address =>
  address.describe(
    'Address to which the coins of a sell are sent; empty for a buy, which has none.',
  )

export const PaymentId = () =>
  z
    .string()
    .nullable()
    .describe(
      'Blockchain transaction hash; null until the coins of a sell arrive, or those of a buy are sent.',
    )

/** A text whose length the world checks. */
export const textUpTo = ({ max }: { max: number }) => z.string().meta({ maxLength: max })

/** The list is open: the contract does not name them all, and a test may force others. */
export const ShownTransactionStatus = () =>
  z
    .string()
    .meta({
      wire: { anyOf: [{ type: 'string', enum: TRANSACTION_STATUSES }, { type: 'string' }] },
    })
    .describe('Status of the transaction; the contract does not list them all.')

/**
 * Texts that the caller gives with a transaction, and the service repeats: in its row, in events and
 * records, and in fixtures. The length of each stands in `LENGTHS`.
 */
const GIVEN = {
  externalSessionId: 'Your own reference, repeated in webhooks.',
} as const satisfies Partial<Record<keyof typeof LENGTHS, string>>
export type GivenName = keyof typeof GIVEN
export type Given = Record<GivenName, string | null>
export const GIVEN_NAMES = Object.keys(GIVEN) as GivenName[]

/** A schema for each of them, made from that of its text. */
export const givenFields = <Schema extends z.ZodType>(make: (text: z.ZodString) => Schema) =>
  Object.fromEntries(
    GIVEN_NAMES.map((name) => [name, make(textUpTo(LENGTHS[name])).describe(GIVEN[name])]),
  ) as Record<GivenName, Schema>

/** Picks them from a body, a row or a fixture; null is one that was not given. */
export const toGiven = (from: { [Name in GivenName]?: string | null | undefined }): Given => ({
  externalSessionId: from.externalSessionId ?? null,
})

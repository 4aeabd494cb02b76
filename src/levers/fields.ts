import * as z from 'zod'
import { LENGTHS } from '../world/settings/constants.ts'

/** Fields that several bodies and records have, each described once. */

export const email = <Address extends z.ZodType>(address: Address): Address =>
  address.describe("The user's e-mail address, in upper or lower case.")

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

export const externalSessionId = <Text extends z.ZodType>(text: Text): Text =>
  text.describe('Your own reference, repeated in webhooks.')

/** A text whose length the world checks. */
export const textUpTo = ({ max }: { max: number }) => z.string().meta({ maxLength: max })

/** The body of a creation may have one. */
export const OwnReference = () => externalSessionId(textUpTo(LENGTHS.externalSessionId).optional())

export const ActingFor = () =>
  z
    .string()
    .optional()
    .describe('The user for whom a caller without a token acts (the setting `access.subject`).')

/** One entry of the errors in a response. */
export const FieldError = () =>
  z.strictObject({
    field: z.string().describe('The field, header or parameter that is wrong.'),
    message: z.string().describe('What is wrong with it; the wording can change.'),
  })

/** Costs in CAD that add up to their total. */
export const CostFields = () => ({
  fee: z.number().describe('Fee of the service, in CAD.'),
  gas: z.number().describe('Cost of the blockchain transfer, in CAD.'),
  spread: z
    .number()
    .describe('Difference between the rate and the price that the user gets, in CAD.'),
  total: z.number().describe('Sum of fee, gas and spread, in CAD.'),
})

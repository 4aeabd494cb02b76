import * as z from 'zod'
import { TRANSFER_OUTCOMES } from '../world/chain-state.ts'

const Worth = () =>
  z.strictObject({
    leftSide: z.int(),
    rightSide: z.int(),
    fee: z.int(),
    gas: z.int(),
    spread: z.int(),
  })

/** What arrived at a deposit address. */
export const Transfer = () =>
  z.strictObject({
    hash: z.string(),
    ordinal: z.int().min(0),
    network: z.string(),
    block: z.int().min(0),
    blockHash: z.string(),
    from: z.string(),
    token: z.string(),
    coin: z.enum(['USDC', 'CADC']).nullable(),
    amount: z.int().min(0),
    at: z.int(),
    outcome: z.enum(TRANSFER_OUTCOMES),
    isGone: z.boolean(),
    before: Worth().nullable(),
  })

export const ChainState = () =>
  z.strictObject({
    scope: z.string().min(1),
    networks: z.array(z.string()),
    cursors: z.record(
      z.string(),
      z.strictObject({
        genesis: z.string(),
        start: z.int().min(0),
        block: z.int().min(0),
        hash: z.string(),
      }),
    ),
  })

import type { Micros } from '../world/money.ts'

const MICRO = 1_000_000n

/** A value as the 32 bytes of a call or a topic, without `0x`. */
function toWord(value: string | bigint): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.replace(/^0x/, '')
  return digits.toLowerCase().padStart(64, '0')
}

/** Data of a call, from the selector of its function. */
export const encodeCall = (selector: string, ...values: (string | bigint)[]): string =>
  selector + values.map(toWord).join('')

export const toTopic = (value: string): string => `0x${toWord(value)}`

/** The address in the last 20 bytes of a word. */
export const toAddress = (word: string): string => `0x${word.slice(-40).toLowerCase()}`

export const toQuantity = (value: number | bigint): string => `0x${value.toString(16)}`

export function toUnits(amount: Micros, decimals: number): bigint {
  return (BigInt(amount) * 10n ** BigInt(decimals)) / MICRO
}

/** Rounded down; an amount beyond all sense is the largest there is. */
export function toMicrosOf(units: bigint, decimals: number): Micros {
  const micros = (units * MICRO) / 10n ** BigInt(decimals)
  return Number(micros < MICROS_MAX ? micros : MICROS_MAX)
}

const MICROS_MAX = BigInt(Number.MAX_SAFE_INTEGER)

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Writes bytes, given as hexadecimal text, in base58 as Solana does. */
export function toBase58(hex: string): string {
  let text = ''
  for (let rest = BigInt(`0x${hex}`); rest > 0n; rest /= 58n) {
    text = DIGITS.charAt(Number(rest % 58n)) + text
  }
  const [zeros = ''] = /^(00)*/.exec(hex) ?? []
  return '1'.repeat(zeros.length / 2) + text
}

/** Counts the bytes that base58 text stands for; undefined for any other text. */
export function countBase58Bytes(text: string): number | undefined {
  let value = 0n
  for (const digit of text) {
    const at = DIGITS.indexOf(digit)
    if (at < 0) return undefined
    value = value * 58n + BigInt(at)
  }
  const [zeros = ''] = /^1*/.exec(text) ?? []
  const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
  return zeros.length + bytes
}

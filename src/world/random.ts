/** Draws whole numbers from 0 to 2^32 - 1, the same ones for the same key. */
export type Random = () => number

/**
 * A generator keyed by lines of text: cyrb128 spreads them over 128 bits, sfc32 draws from them.
 * Not cryptographically secure.
 */
export function randomFor(...lines: readonly string[]): Random {
  const text = lines.join('\n')
  let h1 = 1779033703
  let h2 = 3144134277
  let h3 = 1013904242
  let h4 = 2773480762
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    h1 = h2 ^ Math.imul(h1 ^ code, 597399067)
    h2 = h3 ^ Math.imul(h2 ^ code, 2869860233)
    h3 = h4 ^ Math.imul(h3 ^ code, 951274213)
    h4 = h1 ^ Math.imul(h4 ^ code, 2716044179)
  }
  const draw = sfc32(h1, h2, h3, h4 ^ text.length)
  for (let i = 0; i < 12; i++) draw()
  return draw
}

function sfc32(a: number, b: number, c: number, d: number): Random {
  return function draw() {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
}

export function uuid(random: Random): string {
  const digits = hex(random, 32)
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4]
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}

/** The first UUID that no row has; a fixture or an edited state may have given one to another row. */
export function unusedUuid(
  draw: (ordinal: number) => Random,
  from: number,
  isUsed: (id: string) => boolean,
): string {
  let ordinal = from
  let id = uuid(draw(ordinal))
  while (isUsed(id)) id = uuid(draw(++ordinal))
  return id
}

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hexOf = (byte: number) => HEX_OF_BYTE[byte & 0xff]

/** Lower-case hexadecimal text, by a table, because `toString` takes five times as long. */
export function hex(random: Random, length: number): string {
  let text = ''
  while (text.length < length) {
    const drawn = random()
    text += `${hexOf(drawn >>> 24)}${hexOf(drawn >>> 16)}${hexOf(drawn >>> 8)}${hexOf(drawn)}`
  }
  return text.slice(0, length)
}

/**
 * A prefix such as `evt_` before 32 digits. `join` is used because a text made with + keeps both
 * parts in memory.
 */
export const newId = (prefix: string, random: Random) => [prefix, hex(random, 32)].join('_')

export const DIGITS = '0123456789'
export const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomText(random: Random, alphabet: string, length: number): string {
  let text = ''
  while (text.length < length) text += alphabet.charAt(random() % alphabet.length)
  return text
}

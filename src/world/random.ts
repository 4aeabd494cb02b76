/** Draws whole numbers from 0 to 2^32 - 1, the same ones for the same key. */
export type Random = () => number

const LINE_BREAK = '\n'.charCodeAt(0)

/**
 * A generator keyed by lines of text: cyrb128 spreads them over 128 bits, sfc32 draws from them.
 * Not for secrets; nothing in a sandbox is one.
 */
export function randomFor(...lines: readonly string[]): Random {
  let h1 = 1779033703
  let h2 = 3144134277
  let h3 = 1013904242
  let h4 = 2773480762
  let length = -1
  for (const line of lines) {
    // The break before each line but the first. Joined, they would be one more text for each id.
    for (let i = length < 0 ? 0 : -1; i < line.length; i++) {
      const code = i < 0 ? LINE_BREAK : line.charCodeAt(i)
      h1 = h2 ^ Math.imul(h1 ^ code, 597399067)
      h2 = h3 ^ Math.imul(h2 ^ code, 2869860233)
      h3 = h4 ^ Math.imul(h3 ^ code, 951274213)
      h4 = h1 ^ Math.imul(h4 ^ code, 2716044179)
    }
    length += line.length + 1
  }
  const draw = sfc32(h1, h2, h3, h4 ^ length)
  for (let i = 0; i < 12; i++) draw()
  return draw
}

/** Draws for one thing of a world: the same seed, kind, owner and ordinal draw the same. */
export const randomOf = (seed: string, kind: string, owner: string, ordinal: number): Random =>
  randomFor(seed, kind, owner, String(ordinal))

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

const HEX_DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
const DASH = '-'.charCodeAt(0)

/** Writes so many digits, the last of them at `end - 1`. */
function putHex(codes: number[], end: number, value: number, digits: number): void {
  for (let i = 1; i <= digits; i++) {
    codes[end - i] = HEX_DIGITS[(value >>> (4 * (i - 1))) & 0xf] as number
  }
}

/** One flat text: joined from parts it would be a tree, larger and slower to look up. */
const toText = (codes: number[]): string => String.fromCharCode.apply(null, codes)

/** Written anew for each id; only its dashes stay. */
const UUID_CODES = new Array<number>(36).fill(DASH)

/** A version 4 UUID. */
export function uuid(random: Random): string {
  const a = random()
  const b = random()
  const c = random()
  const d = random()
  putHex(UUID_CODES, 8, a, 8)
  putHex(UUID_CODES, 13, b >>> 16, 4)
  putHex(UUID_CODES, 18, 0x4000 | (b & 0x0fff), 4)
  putHex(UUID_CODES, 23, 0x8000 | ((c >>> 16) & 0x3fff), 4)
  putHex(UUID_CODES, 28, c & 0xffff, 4)
  putHex(UUID_CODES, 36, d, 8)
  return toText(UUID_CODES)
}

/** Lower-case hexadecimal text, eight digits a draw. */
export function hex(random: Random, length: number): string {
  const codes = new Array<number>(length)
  for (let at = 0; at < length; at += 8) {
    const digits = Math.min(8, length - at)
    putHex(codes, at + digits, random() >>> (4 * (8 - digits)), digits)
  }
  return toText(codes)
}

export const DIGITS = '0123456789'
export const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
export const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** `length` characters of an alphabet. */
export function letters(random: Random, alphabet: string, length: number): string {
  const codes = new Array<number>(length)
  for (let i = 0; i < length; i++) codes[i] = alphabet.charCodeAt(random() % alphabet.length)
  return toText(codes)
}

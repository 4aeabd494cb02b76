type Rgb = readonly [number, number, number]

const NAME_MAX = 40
const ACCENT = '#2f4bd0'
const LIGHT: Rgb = [255, 255, 255]
const DARK: Rgb = [24, 26, 31]
const INK: Rgb = [15, 17, 24]
const EDGE: Rgb = [140, 145, 155]
/** What WCAG asks of text. */
const CONTRAST_MIN = 4.5

const BLACK: Rgb = [0, 0, 0]
/** A fill that differs less from the paper gets an edge. */
const EDGE_BELOW = 1.35

export interface WalletBrand {
  name?: string
  accent?: string
  card?: string
  logo?: string
}

const query = new URLSearchParams(location.search)
const given: WalletBrand = JSON.parse(document.body.dataset.brand ?? '{}')
/** What a customer's own wallet looks like: of the address, or of the fixture. */
export let brand: WalletBrand = { ...given, ...readBrand(query.get('brand')) }
for (const part of ['name', 'accent', 'card', 'logo'] as const) {
  const text = query.get(part)
  if (text !== null) brand[part] = text
}

export const theme = { name: '', logo: '' }
useBrand({})

/** Takes a part of a brand over, and keeps the whole of it in the address. */
export function useBrand(part: WalletBrand): void {
  brand = { ...brand, ...part }
  theme.name = (brand.name ?? '').trim().slice(0, NAME_MAX) || 'Example Wallet'
  /** Its address; empty for ours. */
  theme.logo = toLogo(brand.logo ?? '')
}

/** The brand as one word of an address. */
export function writeBrand(): string {
  const bytes = new TextEncoder().encode(JSON.stringify(brand))
  const text = btoa([...bytes].map((byte) => String.fromCharCode(byte)).join(''))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function readBrand(text: string | null): WalletBrand {
  try {
    const plain = atob((text ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(plain, (char) => char.charCodeAt(0))
    const parts = Object.entries(JSON.parse(new TextDecoder().decode(bytes)))
    return Object.fromEntries(parts.filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}

/** A picture from here or inside the address itself: nothing is loaded from elsewhere. */
function toLogo(text: string): string {
  if (/^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/i.test(text)) return text
  if (text === '') return ''
  const url = URL.parse?.(text, location.href) ?? null
  return url?.origin === location.origin ? url.href : ''
}

/** Sets the colours: a fill stays what it is, and only text in it is moved until it can be read. */
export function applyTheme(): void {
  const { style } = document.documentElement
  const accent = parseColour(brand.accent ?? '') ?? parseColour(ACCENT) ?? INK
  const card = parseColour(brand.card ?? '') ?? accent
  const set = (name: string, colour: Rgb) => style.setProperty(name, `rgb(${colour.join(' ')})`)
  for (const [mode, paper] of [
    ['light', LIGHT],
    ['dark', DARK],
  ] as const) {
    set(`--accent-${mode}`, readableBeside(paper, accent))
    for (const [name, fill] of Object.entries({ fill: accent, card })) {
      const isLost = contrast(fill, paper) < EDGE_BELOW
      set(`--${name}-edge-${mode}`, isLost ? EDGE : fill)
    }
  }
  set('--fill', accent)
  set('--on-fill', inkOn(accent))
  set('--card', card)
  set('--on-card', inkOn(card))
}

/** `#0a7d5a`, `0a7d5a` or `#0a7`. */
function parseColour(text: string): Rgb | undefined {
  const [, short, long] = /^#?(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text) ?? []
  const digits = long ?? short?.replace(/./g, '$&$&')
  if (digits === undefined) return undefined
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

const inkOn = (back: Rgb): Rgb =>
  [LIGHT, INK].find((ink) => contrast(back, ink) >= CONTRAST_MIN) ?? BLACK

/** The colour, darker or lighter until it can be read beside the other, as text or as ground. */
function readableBeside(other: Rgb, from: Rgb): Rgb {
  const to = inkOn(other)
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = from.map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * share))
    const [red = 0, green = 0, blue = 0] = mixed
    if (contrast([red, green, blue], other) >= CONTRAST_MIN) return [red, green, blue]
  }
  return to
}

/** The contrast ratio of WCAG, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

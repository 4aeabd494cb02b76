type Rgb = readonly [number, number, number]

const NAME_MAX = 40
const ACCENT = '#2f4bd0'
const LIGHT: Rgb = [255, 255, 255]
const DARK: Rgb = [24, 26, 31]
const INK: Rgb = [15, 17, 24]
/** What WCAG asks of text. */
const CONTRAST_MIN = 4.5

const query = new URLSearchParams(location.search)
const brand: Record<string, string> = JSON.parse(document.body.dataset.brand ?? '{}')
const asked = (part: string) => query.get(part) ?? brand[part] ?? ''

/** What a customer's own wallet looks like: name, colours and logo, of the address or the fixture. */
export const theme = {
  name: asked('name').trim().slice(0, NAME_MAX) || 'Example Wallet',
  /** Its address; empty for ours. */
  logo: toLogo(asked('logo')),
}

/** A picture from here or inside the address itself: nothing is loaded from elsewhere. */
function toLogo(text: string): string {
  if (/^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/i.test(text)) return text
  if (text === '') return ''
  const url = URL.parse?.(text, location.href) ?? null
  return url?.origin === location.origin ? url.href : ''
}

/** Sets the colours, moved as far as it takes for text in them and on them to be read. */
export function applyTheme(): void {
  const { style } = document.documentElement
  const accent = parseColour(asked('accent')) ?? parseColour(ACCENT) ?? INK
  const card = parseColour(asked('card')) ?? accent
  const set = (name: string, colour: Rgb) => style.setProperty(name, `rgb(${colour.join(' ')})`)
  for (const [mode, paper] of [
    ['light', LIGHT],
    ['dark', DARK],
  ] as const) {
    const readable = readableBeside(paper, accent)
    set(`--accent-${mode}`, readable)
    set(`--on-accent-${mode}`, inkOn(readable))
  }
  // The card has text of its own in white or ink, also in smaller type.
  set('--card', readableBeside(inkOn(card), card))
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

const inkOn = (back: Rgb): Rgb => (contrast(back, LIGHT) >= contrast(back, INK) ? LIGHT : INK)

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

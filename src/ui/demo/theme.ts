type Rgb = readonly [number, number, number]

const NAME_MAX = 40
const ACCENT: Rgb = [47, 75, 208]
const LIGHT: Rgb = [255, 255, 255]
const DARK: Rgb = [24, 26, 31]
const INK: Rgb = [15, 17, 24]
const EDGE: Rgb = [140, 145, 155]
const BLACK: Rgb = [0, 0, 0]
/** Contrast that WCAG asks of text. */
const CONTRAST_MIN = 4.5
/** A fill with less contrast against the page gets an edge. */
const EDGE_BELOW = 1.35

export const BRAND_PARTS = ['name', 'accent', 'logo'] as const

const query = new URLSearchParams(location.search)
/** Brand of the wallet, from the address. */
export const brand = Object.fromEntries(BRAND_PARTS.map((part) => [part, query.get(part) ?? '']))

export const theme = {
  name: (brand.name ?? '').trim().slice(0, NAME_MAX) || 'Example Wallet',
  logo: readLogo(brand.logo),
}

/** A picture of this origin or inside the address; empty for pictures from elsewhere. */
function readLogo(logo = ''): string {
  if (/^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/i.test(logo)) return logo
  const url = logo === '' ? null : URL.parse?.(logo, location.href)
  return url?.origin === location.origin ? url.href : ''
}

/** Sets the colours. Fills stay as they are; only text on them is changed until it is readable. */
export function applyTheme(): void {
  const { style } = document.documentElement
  const fill = parseColour(brand.accent) ?? ACCENT
  const set = (name: string, colour: Rgb) => style.setProperty(name, `rgb(${colour.join(' ')})`)
  set('--fill', fill)
  set('--on-fill', inkOn(fill))
  for (const [mode, paper] of Object.entries({ light: LIGHT, dark: DARK })) {
    set(`--accent-${mode}`, readableBeside(paper, fill))
    set(`--fill-edge-${mode}`, contrast(fill, paper) < EDGE_BELOW ? EDGE : fill)
  }
}

/** `#0a7d5a`, `0a7d5a` or `#0a7`. */
function parseColour(text = ''): Rgb | undefined {
  const [, short, long] = /^#?(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text) ?? []
  const digits = long ?? short?.replace(/./g, '$&$&')
  if (digits === undefined) return undefined
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

const inkOn = (back: Rgb): Rgb =>
  [LIGHT, INK].find((ink) => contrast(back, ink) >= CONTRAST_MIN) ?? BLACK

/** Makes a colour darker or lighter until it is readable against another one. */
function readableBeside(other: Rgb, from: Rgb): Rgb {
  const to = inkOn(other)
  const mix = (share: number, at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share)
  for (let share = 0; share < 1; share += 0.04) {
    const mixed: Rgb = [mix(share, 0), mix(share, 1), mix(share, 2)]
    if (contrast(mixed, other) >= CONTRAST_MIN) return mixed
  }
  return to
}

/** The contrast ratio of WCAG, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [first, second] = [luminance(one) + 0.05, luminance(other) + 0.05]
  return Math.max(first, second) / Math.min(first, second)
}

function luminance([red, green, blue]: Rgb): number {
  const shareOf = (value: number) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * shareOf(red) + 0.7152 * shareOf(green) + 0.0722 * shareOf(blue)
}

export const LOCALES = { en: 'en-CA', fr: 'fr-CA' } as const
type Language = keyof typeof LOCALES
export type Params = Readonly<Record<string, string | number>>

/** The language that is asked for, such as `fr` or `fr-CA`; English by default. */
export const toLanguage = (asked: string | null | undefined): Language =>
  /^fr\b/i.test(asked ?? '') ? 'fr' : 'en'

export function fill(text: string, params: Params = {}): string {
  const filled = text.replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole))
  // Not to be broken at its hyphen.
  return filled.replaceAll('e-transfer', 'e\u2011transfer')
}

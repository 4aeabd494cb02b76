export const LOCALES = { en: 'en-CA', fr: 'fr-CA' } as const
type Language = keyof typeof LOCALES
export type Params = Readonly<Record<string, string | number>>

/** Reads `fr` or `fr-CA`; everything else is English. */
export const toLanguage = (asked: string | null | undefined): Language =>
  /^fr\b/i.test(asked ?? '') ? 'fr' : 'en'

export function fill(text: string, params: Params = {}): string {
  const filled = text.replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole))
  // A hyphen that does not break keeps the word on one line.
  return filled.replaceAll('e-transfer', 'e\u2011transfer')
}

import { type Kind, traitsOf } from './fields.ts'
import { anyText, type Form, type FormContext, pad64, serial } from './forms.ts'

/** Shorter secrets occur in names by chance. */
const HIDDEN_LENGTH_MIN = 8

/** Gives each value something to stand in for it: the same one whenever the value occurs. */
export function createStandIns(now: () => number) {
  const made = new Map<Form, Map<string, string>>()
  /** By value alone, whatever the form: what a text without a form is looked up in. */
  const known = new Map<string, string>()
  /** How many texts without a form each field had. */
  const counts = new Map<string, number>()
  /** Keys and tokens in lower case. */
  const secrets = new Set<string>()
  return {
    of,
    ofNumber: (kind: Kind | undefined, value: number): number =>
      kind === 'amount' || kind === 'count' ? value : Number(standIn(serial, String(value), '')),
    /** Whether a name is a value, or holds a key or token; names of headers come in lower case. */
    isIn: (name: string): boolean =>
      known.has(name) || [...secrets].some((secret) => name.toLowerCase().includes(secret)),
  }

  /** `field` names values that have no form of their own. */
  function of(kind: Kind | undefined, value: string, field: string): string {
    const { forms = [], isPublic, isSecret } = traitsOf(kind)
    if (value.trim() === '' || isPublic?.(value)) return value
    if (kind === 'flag' && /^(true|false)$/.test(value)) return 'false'
    const form = forms.find((each) => each.fits(value)) ?? anyText
    if (isSecret && value.length >= HIDDEN_LENGTH_MIN) secrets.add(value.toLowerCase())
    return standIn(form, value, field)
  }

  function standIn(form: Form, value: string, field: string): string {
    const ofForm = made.get(form) ?? new Map<string, string>()
    made.set(form, ofForm)
    const before = ofForm.get(value) ?? (form === anyText ? known.get(value) : undefined)
    if (before !== undefined) return before
    const lower = value.toLowerCase()
    const text =
      // Another spelling of the same value.
      form.isCaseless && lower !== value
        ? standIn(form, lower, field).toUpperCase()
        : form === anyText
          ? makeText(value, field)
          : makeOther(form, value, ofForm.size + 1)
    ofForm.set(value, text)
    if (!known.has(value)) known.set(value, text)
    return text
  }

  function makeText(value: string, field: string): string {
    const n = (counts.get(field) ?? 0) + (value === `${field} 1` ? 2 : 1)
    counts.set(field, n)
    return pad64(`${field} ${n}`, value)
  }

  function makeOther(form: Form, value: string, n: number): string {
    const context: FormContext = { now: now(), standInOf: (address) => of('email', address, '') }
    const first = form.make(n, value, context)
    return first === value ? form.make(n + 1, value, context) : first
  }
}

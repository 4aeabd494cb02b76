import type { Kind } from './fields.ts'
import { anyText, FORMS, type Form, pad64 } from './forms.ts'
import { isPublic } from './vocabulary.ts'

/** Shorter values would be found in words. */
const REPLACED_LENGTH_MIN = 3
/** Shorter values occur in names by chance. */
const HIDDEN_LENGTH_MIN = 8

/** Gives each value something to stand in for it: the same one whenever the value occurs. */
export function createStandIns(now: () => number) {
  /** By form and value. */
  const made = new Map<Form, Map<string, string>>()
  /** By value alone, whatever the form: what a text without a form is looked up in. */
  const known = new Map<string, string>()
  /** How many texts without a form each field had. */
  const counts = new Map<string, number>()
  const serials = new Map<number, number>()
  /** Keys and tokens in lower case, how many of them each name was compared with, and who hid one. */
  const secrets: string[] = []
  const checked = new Map<string, number>()
  const hiding = new Set<string>()
  const context = { now: 0, standInOf: (kind: Kind, value: string) => of(kind, value, kind) }
  return { of, ofNumber, replaceIn, isIn }

  /** `field` names values that have no form of their own. */
  function of(kind: Kind | undefined, value: string, field: string): string {
    if (value.trim() === '' || isPublic(kind, value)) return value
    if (kind === 'flag' && /^(true|false)$/.test(value)) return 'false'
    if (kind === 'serial' && /^\d{1,15}$/.test(value)) return String(ofNumber(kind, Number(value)))
    const form = (kind && FORMS[kind]?.find((found) => found.fits(value))) ?? anyText
    const standIn = made.get(form)?.get(value) ?? (form === anyText ? known.get(value) : undefined)
    if (standIn !== undefined) return standIn
    const isSecret = /^(secret|token|shareToken)$/.test(kind ?? '')
    if (isSecret && value.length >= HIDDEN_LENGTH_MIN) secrets.push(value.toLowerCase())
    return remember(form, value, make(form, value, { kind, field }))
  }

  function make(
    form: Form,
    value: string,
    { kind, field }: { kind: Kind | undefined; field: string },
  ): string {
    const lower = value.toLowerCase()
    // Another spelling of the same value.
    if (form.isCaseless && lower !== value) return of(kind, lower, field).toUpperCase()
    if (form === anyText) return makeText(value, field)
    context.now = now()
    const n = (made.get(form)?.size ?? 0) + 1
    const first = form.make(n, value, context)
    return first === value ? form.make(n + 1, value, context) : first
  }

  function makeText(value: string, field: string): string {
    const n = (counts.get(field) ?? 0) + (value === `${field} 1` ? 2 : 1)
    counts.set(field, n)
    return pad64(`${field} ${n}`, value)
  }

  function remember(form: Form, value: string, standIn: string): string {
    const ofForm = made.get(form) ?? new Map<string, string>()
    made.set(form, ofForm.set(value, standIn))
    if (!known.has(value)) known.set(value, standIn)
    return standIn
  }

  function ofNumber(kind: Kind | undefined, value: number): number {
    if (kind === 'amount' || kind === 'count') return value
    const standIn = serials.get(value) ?? FIRST_SERIAL + serials.size
    serials.set(value, standIn)
    return standIn
  }

  /** Whether a name is a value, or holds a key or token; names of headers come in lower case. */
  function isIn(name: string): boolean {
    if (known.has(name) || hiding.has(name)) return true
    const lower = name.toLowerCase()
    const from = checked.get(name) ?? 0
    checked.set(name, secrets.length)
    const isHiding = secrets.slice(from).some((secret) => lower.includes(secret))
    if (isHiding) hiding.add(name)
    return isHiding
  }

  /** A text with every known value in it replaced, for what people write around an answer. */
  function replaceIn(text: string): string {
    const values = [...known.keys()].filter((value) => value.length >= REPLACED_LENGTH_MIN)
    values.sort((a, b) => b.length - a.length)
    return values.reduce((all, value) => all.replaceAll(value, known.get(value) ?? ''), text)
  }
}

const FIRST_SERIAL = 900_001

// Ids that each build made: they may differ, but one of before must always be the same one after.

/** Names that a build derives or draws. */
const ID =
  /eyJ[\w-]+\.[\w-]+\.[\w-]*|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b(?:whsec|evt|dlv|req|act|msg|fault)_\w+|\bp-[\w-]{21}|\bv1=[0-9a-f]{64}\b|\b0x[0-9a-f]{40,64}\b|\b[0-9a-f]{32}\b|(?<=-)[0-9a-f]{16}\b|\bCA[0-9A-Za-z]{10}\b|\b[1-9A-HJ-NP-Za-km-z]{43,88}\b/g
/** A UUID in capitals, as some calls have it. */
const SHOUTED = /\b[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}\b/g
/** In messages to users also login codes and security answers. */
const IN_TEXTS = new RegExp(`${ID.source}|\\b\\d{4}\\b|(?<=security answer: )\\w+`, 'g')
/** Fields whose whole value is one, and which value of an earlier one a later call may repeat. */
const FIELDS = {
  code: 'code',
  login_code: 'code',
  loginCode: 'code',
  quoteId: 'quote',
  gasId: 'gas',
  cursor: 'cursor',
  after: 'cursor',
  securityAnswer: 'answer',
  etransferSecurityAnswer: 'answer',
}
/** Names of worlds that are drawn without a seed, and signatures of what was sent at wall time. */
const DRAWN = /^(p-[\w-]{21}|[0-9a-f]{32}|[0-9a-f]{16}|v1=\w+)$/
/** Values that mean another thing later on: the latest pair counts. */
const REUSED = /^(code|cursor)/

export const isId = (text) => text.replace(ID, '') === ''

/** A word for ids of one form. */
export function kindOf(text, field) {
  const [id = ''] = String(text).match(IN_TEXTS) ?? []
  const prefix = /^(?:[a-z]+_|p-|0x|CA)/.exec(id)?.[0]
  const form = id.length > 36 ? 'base58' : id.length === 36 ? 'uuid' : 'code'
  return FIELDS[field] ?? prefix ?? form
}

export class Ids {
  #after = new Map()
  #before = new Map()
  /** The operation whose call or response is read: each list counts its cursors by itself. */
  operation = ''

  /** Notes the ids of a text that is alike in both builds. */
  note(before, after = before) {
    const others = after.match(ID) ?? []
    for (const [i, id] of (before.match(ID) ?? []).entries()) this.#pair(id, others[i])
  }

  /** Returns `same`, `new` for ids that differ for the first time, or `different`. */
  compare(before, after, field) {
    const kind = this.#kindOf(field)
    if (kind !== undefined && typeof before === typeof after && before !== null) {
      return this.#pair(`${kind}:${before}`, `${kind}:${after}`)
    }
    if (typeof before !== 'string' || typeof after !== 'string') return 'different'
    const pattern = field === 'text' ? IN_TEXTS : ID
    const [ids, others] = [before.match(pattern) ?? [], after.match(pattern) ?? []]
    const isAlike = before.replace(pattern, '\0') === after.replace(pattern, '\0')
    if (!isAlike) return 'different'
    const results = ids.map((id, i) => {
      const kind = id.length === 4 ? 'code:' : id.length === 8 ? 'answer:' : ''
      return this.#pair(kind + id, kind + others[i])
    })
    return ['different', 'new'].find((result) => results.includes(result)) ?? 'same'
  }

  /** A value of a call as the later build must get it. */
  translate(value, field) {
    const whole = this.#after.get(`${this.#kindOf(field)}:${value}`)
    if (whole !== undefined) {
      const text = whole.slice(whole.indexOf(':') + 1)
      return typeof value === 'number' ? Number(text) : text
    }
    if (typeof value !== 'string') return value
    const own = (id) => this.#after.get(id) ?? id
    return value.replace(ID, own).replace(SHOUTED, (id) => own(id.toLowerCase()).toUpperCase())
  }

  #kindOf(field) {
    return FIELDS[field] === 'cursor' ? `cursor of ${this.operation}` : FIELDS[field]
  }

  #pair(before, after) {
    const known = this.#after.get(before)
    if (known === after) return 'same'
    const isTaken = known !== undefined || this.#before.has(after)
    if (isTaken && !REUSED.test(before)) return 'different'
    this.#after.set(before, after)
    this.#before.set(after, before)
    return before === after || DRAWN.test(before) ? 'same' : 'new'
  }
}
